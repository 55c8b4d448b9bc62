// SPDX-License-Identifier: Apache-2.0
import { joinLabels, labelTexts } from '../canonical/labels-text.ts'
import { compareCodePoints } from '../graph/code-points.ts'
import { isPlainObject } from '../graph/plain-object.ts'
import { codeOf, EDGE_KINDS, NODE_KINDS, NODE_LEVELS, PROVENANCES } from '../graph/vocabulary.ts'
import {
  type Cursor,
  expect,
  notCanonical,
  readString,
  readToken,
  skip,
  unverified,
} from './cursor.ts'
import { readValue } from './read-value.ts'

/** What the lists of a document say, words checked against the vocabulary given. */
export interface DocumentLists {
  readonly nodes: Readonly<Record<string, unknown>>[]
  readonly edges: Readonly<Record<string, unknown>>[]
}

/** A node's id and its place, found by the id as it is written. */
type Places = Map<string, { readonly id: string; readonly place: number }>

/**
 * Reads the two lists of a document: every member in its place, both lists in canonical order, every
 * endpoint a node. A document that is read to its end is the one way of writing its graph.
 *
 * @param signs the sign vocabulary of the document's version
 */
export function readLists(cursor: Cursor, signs: readonly string[]): DocumentLists {
  const places: Places = new Map()
  expect(cursor, '"nodes":[')
  const nodes = readList(cursor, createNodeReader(cursor, places))
  expect(cursor, ',"edges":[')
  const edges = readList(cursor, createEdgeReader(cursor, places, signs))
  expect(cursor, '}')
  if (cursor.at !== cursor.text.length) throw notCanonical(cursor)
  return { nodes, edges }
}

function readList<Item>(cursor: Cursor, read: () => Item): Item[] {
  const items: Item[] = []
  if (skip(cursor, ']')) return items
  do items.push(read())
  while (skip(cursor, ','))
  expect(cursor, ']')
  return items
}

function createNodeReader(cursor: Cursor, places: Places): () => Readonly<Record<string, unknown>> {
  let before: string | undefined
  return () => {
    expect(cursor, '{"id":')
    const start = cursor.at
    const id = readString(cursor)
    const token = cursor.text.slice(start, cursor.at)
    expect(cursor, ',"kind":')
    const kind = readWord(cursor, 'kind', NODE_KINDS)
    expect(cursor, ',"labels":')
    const labels = readLabels(cursor)
    expect(cursor, ',"level":')
    const level = readWord(cursor, 'level', NODE_LEVELS)
    expect(cursor, '}')
    if (before !== undefined && compareCodePoints(before, id) >= 0) {
      throw unverified('not_canonical', start)
    }
    before = id
    places.set(token, { id, place: places.size })
    return { id, kind, level, labels }
  }
}

/** Labels whose own canonical text is what stood here. */
function readLabels(cursor: Cursor): Readonly<Record<string, unknown>> {
  const start = cursor.at
  const value = readValue(cursor)
  if (!isPlainObject(value)) throw unverified('not_canonical', start)
  const texts = labelTexts('', value as Parameters<typeof labelTexts>[1]) // it checks each value
  const isSame = texts.ok && joinLabels(texts.labels) === cursor.text.slice(start, cursor.at)
  if (!isSame) throw unverified('not_canonical', start)
  return value
}

function readWord(cursor: Cursor, field: string, words: readonly string[]): string {
  const word = readString(cursor)
  const known = words[codeOf(words, word)]
  if (known === undefined) throw unverified('invalid_graph', ['invalid', field, word])
  return known
}

function createEdgeReader(
  cursor: Cursor,
  places: Places,
  signs: readonly string[],
): () => Readonly<Record<string, unknown>> {
  let before = [-1, -1, -1, -1]
  return () => {
    const start = cursor.at
    expect(cursor, '{"from":')
    const from = readEndpoint(cursor, places)
    expect(cursor, ',"kind":')
    const kind = readWord(cursor, 'kind', EDGE_KINDS)
    expect(cursor, ',"provenance":')
    const provenance = readWord(cursor, 'provenance', PROVENANCES)
    expect(cursor, ',"sign":')
    const sign = readWord(cursor, 'sign', signs)
    expect(cursor, ',"to":')
    const to = readEndpoint(cursor, places)
    expect(cursor, '}')
    const key = [from.place, to.place, codeOf(EDGE_KINDS, kind), codeOf(PROVENANCES, provenance)]
    if (!isAfter(key, before)) throw unverified('not_canonical', start)
    before = key
    return { from: from.id, to: to.id, kind, provenance, sign }
  }
}

function readEndpoint(cursor: Cursor, places: Places): { id: string; place: number } {
  const token = readToken(cursor)
  const found = places.get(token)
  if (found === undefined) throw unverified('invalid_graph', ['dangling_edge', token.slice(1, -1)])
  return found
}

function isAfter(key: readonly number[], before: readonly number[]): boolean {
  for (const [i, part] of key.entries()) {
    const other = before[i] ?? -1
    if (part !== other) return part > other
  }
  return false
}
