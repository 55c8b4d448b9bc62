// SPDX-License-Identifier: Apache-2.0
import { Float, float, floatText, sidecar, type Weight } from '@beam-mcp/connectome'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusalOf, wrong } from '../refusal.ts'

const RUNS = 100_000

/**
 * The rule put another way: of the plain and the exponent notation of the shortest digits, the one
 * that is shorter, the plain one if neither is, and the exponent one from 2^53 up.
 */
function shorterOfTwo(value: number): string {
  const [mantissa = '', power = '0'] = Math.abs(value).toExponential().split('e')
  const [whole = '', rest = '0'] = mantissa.split('.')
  const exponent = `${whole}.${rest}e${Number(power)}`
  const plain = plainNotation(mantissa.replace('.', ''), Number(power))
  const isPlain = plain.length <= exponent.length && Math.abs(value) < 2 ** 53
  return (value < 0 || Object.is(value, -0) ? '-' : '') + (isPlain ? plain : exponent)
}

/** Digits with the point where the power puts it, and at least one digit on both sides. */
function plainNotation(digits: string, power: number): string {
  if (power < 0) return `0.${'0'.repeat(-power - 1)}${digits}`
  const padded = digits.padEnd(power + 1, '0')
  return `${padded.slice(0, power + 1)}.${padded.slice(power + 1) || '0'}`
}

describe('floatText', () => {
  test('agrees with another formulation of its rule on random doubles', () => {
    const bits = new DataView(new ArrayBuffer(8))
    const doubles = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((pattern) => {
      bits.setBigUint64(0, pattern)
      return bits.getFloat64(0)
    })
    const usual = fc
      .tuple(fc.integer(), fc.integer({ min: -12, max: 12 }))
      .map(([digits, power]) => {
        return Number(`${digits}e${power}`)
      })
    const finite = fc.oneof(doubles, usual).filter(Number.isFinite)
    fc.assert(
      fc.property(finite, (value) => {
        const text = floatText(value)
        if (text !== shorterOfTwo(value)) throw new Error(`${text} is not ${shorterOfTwo(value)}`)
        if (!Object.is(Number(text), value)) throw new Error(`${text} reads back as another double`)
      }),
      { numRuns: RUNS },
    )
  })

  test.each([
    [2 ** 53 - 1, '9007199254740991.0'],
    [2 ** 53, '9.007199254740992e15'],
    [0.0003, '0.0003'],
    [0.00003, '3.0e-5'],
    [12_345_678_900, '12345678900.0'],
    [1_234_500, '1.2345e6'],
  ])('writes %d as %s', (value, text) => {
    expect([floatText(value), shorterOfTwo(value)]).toEqual([text, text])
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('refuses %d', (value) => {
    expect(refusalOf(() => floatText(value)).reason).toEqual(['invalid', 'float', value])
  })
})

describe('float', () => {
  test('refuses what is no finite number, by its constructor too', () => {
    for (const value of [Infinity, Number.NaN, wrong<number>('3'), wrong<number>(null)]) {
      const refusal = { code: 'BEAM_ERR_GRAPH_INVALID', reason: ['invalid', 'float', value] }
      expect(refusalOf(() => float(value))).toEqual(refusal)
      expect(refusalOf(() => new Float(value))).toEqual(refusal)
    }
  })
})

describe('sidecar', () => {
  const weighed = (weight: Weight): string => {
    const edge = { from: 'a', to: 'a', kind: 'invoke', provenance: 'declared', weight } as const
    const nodes = [{ id: 'a', kind: 'tool', level: 'server' } as const]
    return /"weight":([^}]*)/.exec(sidecar({ nodes, edges: [edge] }))?.[1] ?? ''
  }

  test.each<[Weight, string]>([
    [3, '3'],
    [-0, '0'],
    [2n ** 64n, '18446744073709551616'],
    [float(3), '3.0'],
    [float(-0), '-0.0'],
    [1.5, '1.5'],
    [2 ** 60, '1.152921504606847e18'],
  ])('writes the weight %o as %s', (weight, text) => {
    expect(weighed(weight)).toBe(text)
  })

  test('refuses a digest, which it has no place for', () => {
    const options = { schemaVersion: 3, algorithm: 'sha256' } as const
    const refusal = refusalOf(() => sidecar({ nodes: [], edges: [] }, options))
    expect(refusal.reason).toEqual(['unknown_option', 'algorithm'])
  })
})
