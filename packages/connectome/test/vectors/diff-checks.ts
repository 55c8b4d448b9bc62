// SPDX-License-Identifier: Apache-2.0
import {
  ALGORITHMS,
  type DiffOptions,
  type DiffRecord,
  diff,
  diffHashHex,
  encodeDiff,
} from '@beam-mcp/connectome'
import { base64Of, type Check, check, textOf } from './checks.ts'
import { inputOf } from './graph-checks.ts'
import { type Tagged, untag } from './tagged.ts'

interface Bytes {
  readonly text: string
  readonly bytes_b64?: string
  readonly sha256: string
}

export interface DiffCase {
  readonly name: string
  readonly declared: Tagged
  readonly observed: Tagged
  readonly window: Tagged
  readonly coverage: Readonly<Record<string, number>>
  readonly v2: Bytes
  readonly v3: Bytes & { readonly sha384?: string; readonly sha512?: string }
}

export function diffChecks(vector: DiffCase): Check[] {
  const options = { window: untag(vector.window) } as DiffOptions // checked by the call
  const record = diff(inputOf(vector.declared), inputOf(vector.observed), options)
  const literal = { classes: record.classes, coverage: record.coverage, window: record.window }
  return [
    check('coverage', record.coverage, vector.coverage),
    ...bytesChecks(record, 2, vector.v2),
    ...bytesChecks(record, 3, vector.v3),
    check('literal', textOf(encodeDiff(literal)), vector.v2.text),
    ...ALGORITHMS.filter((algorithm) => algorithm in vector.v3).map((algorithm) =>
      check(algorithm, diffHashHex(record, { schemaVersion: 3, algorithm }), vector.v3[algorithm]),
    ),
  ]
}

function bytesChecks(record: DiffRecord, schemaVersion: 2 | 3, expected: Bytes): Check[] {
  const bytes = encodeDiff(record, { schemaVersion })
  return [
    check(`v${schemaVersion} text`, textOf(bytes), expected.text),
    ...(expected.bytes_b64 === undefined
      ? []
      : [check(`v${schemaVersion} bytes`, base64Of(bytes), expected.bytes_b64)]),
    check(`v${schemaVersion} hash`, diffHashHex(record, { schemaVersion }), expected.sha256),
  ]
}
