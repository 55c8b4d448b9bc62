// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, CatalogEntry } from '../catalog/catalog.ts'
import { BEAM_ERR_CONTRACT } from '../errors.ts'
import { isThenable } from './plain.ts'
import type { Call } from './revision.ts'

/**
 * Asks the host's one rule for who sees what.
 *
 * @throws BEAM_ERR_CONTRACT for an answer that is no boolean; a host fault, so nothing is shown
 */
export function isVisible(call: Call, entry: CatalogEntry): Awaitable<boolean> {
  const { catalog } = call.service
  if (catalog.allows === undefined) return true
  const answer: unknown = catalog.allows(entry, call.context)
  return isThenable(answer)
    ? Promise.resolve(answer as PromiseLike<unknown>).then(readAnswer)
    : readAnswer(answer)
}

function readAnswer(answer: unknown): boolean {
  if (typeof answer !== 'boolean')
    throw new BEAM_ERR_CONTRACT('allows', 'must answer true or false')
  return answer
}

/** The first of these entries that the caller may see. */
export async function firstVisible<Entry extends { readonly entry: CatalogEntry }>(
  call: Call,
  entries: Iterable<Entry>,
): Promise<Entry | undefined> {
  for (const candidate of entries) {
    if (await isVisible(call, candidate.entry)) return candidate
  }
  return undefined
}
