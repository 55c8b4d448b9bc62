// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto'
import { encodeValue, hashValueHex } from '@beam-mcp/connectome'
import { describe, expect, test } from 'vitest'
import { refusalOf, wrong } from '../refusal.ts'

const sha = (algorithm: string, bytes: Uint8Array): string =>
  createHash(algorithm).update(bytes).digest('hex')

describe('encodeValue', () => {
  test('writes a plain object with its keys sorted', () => {
    const bytes = encodeValue({ b: [1n, { d: null, c: 'é' }], a: true })
    expect(new TextDecoder().decode(bytes)).toBe('{"a":true,"b":[1,{"c":"é","d":null}]}')
  })

  test.each<[string, unknown]>([
    ['an array', []],
    ['a string', 'x'],
    ['null', null],
    ['an instance', new Map()],
    ['a fraction inside', { x: 1.5 }],
  ])('refuses %s by the name the caller gives', (_name, value) => {
    const reason = (field: string): unknown => [
      'uncanonical',
      ['label_value', 'record', field, value],
    ]
    expect(refusalOf(() => encodeValue(wrong(value))).reason).toEqual(reason('record'))
    const named = refusalOf(() => encodeValue(wrong(value), { field: 'event' }))
    expect(named).toEqual({ code: 'BEAM_ERR_CANON_REFUSED', reason: reason('event') })
  })
})

describe('hashValueHex', () => {
  test('digests the bytes of the value', () => {
    const value = { x: 1 }
    expect(hashValueHex(value)).toBe(sha('sha256', encodeValue(value)))
    expect(hashValueHex(value, { algorithm: 'sha384' })).toBe(sha('sha384', encodeValue(value)))
  })

  test('refuses a value that names another digest than is used', () => {
    const value = { algorithm: 'sha512', x: 1 }
    expect(hashValueHex(value, { algorithm: 'sha512' })).toBe(sha('sha512', encodeValue(value)))
    expect(refusalOf(() => hashValueHex(value)).reason).toEqual(['invalid', 'algorithm', 'sha512'])
  })

  test.each<[unknown, readonly unknown[]]>([
    [7, ['invalid', 'options', 7]],
    [{ schemaVersion: 2 }, ['unknown_option', 'schemaVersion']],
    [{ field: 7 }, ['invalid', 'field', 7]],
    [{ algorithm: 'md5' }, ['invalid', 'algorithm', 'md5']],
  ])('refuses the options %j', (options, reason) => {
    expect(refusalOf(() => hashValueHex({}, wrong(options))).reason).toEqual(reason)
  })
})
