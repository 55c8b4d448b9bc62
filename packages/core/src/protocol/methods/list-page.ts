// SPDX-License-Identifier: Apache-2.0
import type { CompiledEntry, CompiledList } from '../../catalog/compile-catalog.ts'
import type { CacheKey } from '../cache-hints.ts'
import { compareCodePoints } from '../collate.ts'
import { decodeCursor, encodeCursor, type ListKind } from '../cursor.ts'
import { ownMember } from '../plain.ts'
import type { Call, Reply } from '../revision.ts'
import { isVisible } from '../visibility.ts'
import { invalidParams } from '../wire-errors.ts'

/** Where a list stands in an answer and in a cursor. */
export interface ListNames {
  readonly member: 'resources' | 'resourceTemplates' | 'prompts'
  readonly kind: ListKind
  readonly cache: CacheKey
}

/**
 * One page of a sorted list, by keyset: what follows the cursor's key, whether or not the entry
 * that had it still exists. A page that does not depend on the caller is written once.
 *
 * @see MCP 2026-07-28, Pagination: PAGE-01 to PAGE-06
 */
export async function listPage(call: Call, list: CompiledList, names: ListNames): Promise<Reply> {
  const cursor = ownMember(call.params, 'cursor')
  let start = 0
  if (cursor !== undefined && cursor !== null) {
    const reading = decodeCursor(cursor, names.kind)
    if (!reading.ok) return { error: invalidParams(reading.why) }
    start = indexAfter(list.entries, reading.after)
  }
  const page =
    call.service.catalog.allows === undefined
      ? sharedPage(call, list, names, start)
      : writePage(await visibleSlice(call, list.entries, start), call.service.pageSize, names)
  return { members: page + call.cacheText[names.cache] }
}

/**
 * Keeps the pages that follow one another from the start, and writes any other anew: a client may
 * make a cursor of its own for each entry, and may not make the server keep a page for each.
 */
function sharedPage(call: Call, list: CompiledList, names: ListNames, start: number): string {
  const { pageSize } = call.service
  const known = list.pages.get(start)
  if (known !== undefined) return known
  const page = writePage(list.entries.slice(start, start + pageSize + 1), pageSize, names)
  if (start % pageSize === 0) list.pages.set(start, page)
  return page
}

/** As many visible entries as a page holds, and one more if there is one. */
async function visibleSlice(
  call: Call,
  entries: readonly CompiledEntry[],
  start: number,
): Promise<readonly CompiledEntry[]> {
  const visible: CompiledEntry[] = []
  for (let at = start; at < entries.length && visible.length <= call.service.pageSize; at += 1) {
    const candidate = entries[at]
    if (candidate !== undefined && (await isVisible(call, candidate.entry))) visible.push(candidate)
  }
  return visible
}

/** @param entries  the page's, and one more where the list goes on */
function writePage(entries: readonly CompiledEntry[], pageSize: number, names: ListNames): string {
  const page = entries.slice(0, pageSize)
  const items = page.map(({ json }) => json).join(',')
  const last = page.at(-1)
  const next =
    last !== undefined && entries.length > pageSize
      ? `,"nextCursor":"${encodeCursor(names.kind, last.key)}"`
      : ''
  return `"${names.member}":[${items}]${next}`
}

/** The index of the first entry whose key sorts after this one. */
function indexAfter(entries: readonly CompiledEntry[], key: string): number {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const candidate = entries[middle]
    if (candidate !== undefined && compareCodePoints(candidate.key, key) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
