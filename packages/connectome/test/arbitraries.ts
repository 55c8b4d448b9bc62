// SPDX-License-Identifier: Apache-2.0
import {
  EDGE_KINDS,
  type EdgeInput,
  float,
  type GraphInput,
  type Labels,
  NODE_KINDS,
  NODE_LEVELS,
  type NodeInput,
  PROVENANCES,
  type Provenance,
  SIGNS,
} from '@beam-mcp/connectome'
import fc from 'fast-check'

/** Parts of ids that meet, sort apart or need an escape: by code point, by code unit, after NFC. */
const PARTS = [
  'a',
  'B',
  '9',
  '10',
  '/',
  '%',
  '"',
  '\\',
  '\u0001',
  'é',
  'å',
  '\u{1f600}',
  '\ufb33',
  '\uff01',
]

export const idArbitrary: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PARTS), { maxLength: 4 })
  .map((parts) => parts.join(''))

const leafArbitrary = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }).map((text) => text.normalize('NFC')),
  fc.integer(),
  fc.bigInt(),
  fc.boolean(),
  fc.constant(null),
)

const keyArbitrary = fc
  .oneof(
    fc.constantFrom(...PARTS, '__proto__', 'constructor', '1', '2'),
    fc.string({ maxLength: 3 }),
  )
  .map((key) => key.normalize('NFC'))

const { labels: labelsArbitrary } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    leafArbitrary,
    fc.array(tie('value'), { maxLength: 3 }),
    tie('labels'),
  ),
  labels: fc
    .uniqueArray(fc.tuple(keyArbitrary, tie('value')), { maxLength: 4, selector: ([key]) => key })
    .map((members) => Object.fromEntries(members)),
}))

const weightArbitrary = fc.oneof(
  fc.nat(),
  fc.bigInt({ min: 0n }),
  fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map(float),
)

interface Wanted {
  readonly maxNodes?: number
  readonly maxEdges?: number
  readonly provenance?: Provenance
}

/** A graph with canonical bytes: its ids are in normal form, so none of them meet. */
export function graphArbitrary(wanted: Wanted = {}): fc.Arbitrary<GraphInput> {
  const { maxNodes = 8, maxEdges = 16, provenance } = wanted
  const ids = fc.uniqueArray(
    idArbitrary.map((id) => id.normalize('NFC')),
    { minLength: 1, maxLength: maxNodes },
  )
  return ids.chain((known) =>
    fc.record({
      nodes: fc.tuple(...known.map(nodeArbitrary)),
      edges: fc.uniqueArray(edgeArbitrary(known, provenance), {
        maxLength: maxEdges,
        selector: keyOf,
      }),
      schemaVersion: fc.constantFrom(2, 3),
    }),
  )
}

function nodeArbitrary(id: string): fc.Arbitrary<NodeInput> {
  return fc.record({
    id: fc.constant(id),
    kind: fc.constantFrom(...NODE_KINDS),
    level: fc.constantFrom(...NODE_LEVELS),
    labels: labelsArbitrary as fc.Arbitrary<Labels>, // made of label values above
  })
}

function edgeArbitrary(ids: readonly string[], provenance?: Provenance): fc.Arbitrary<EdgeInput> {
  return fc.record(
    {
      from: fc.constantFrom(...ids),
      to: fc.constantFrom(...ids),
      kind: fc.constantFrom(...EDGE_KINDS),
      provenance: provenance ? fc.constant(provenance) : fc.constantFrom(...PROVENANCES),
      sign: fc.constantFrom(...SIGNS),
      weight: weightArbitrary,
    },
    { requiredKeys: ['from', 'to', 'kind', 'provenance'] },
  )
}

export function keyOf({ from, to, kind, provenance }: EdgeInput): string {
  return JSON.stringify([from, to, kind, provenance])
}

/** The same list in an order of fast-check's choosing. */
export function shuffled<Item>(items: readonly Item[]): fc.Arbitrary<Item[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length })
}
