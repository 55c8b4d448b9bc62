// SPDX-License-Identifier: Apache-2.0
import { _ } from 'ajv/dist/2020.js'
import { type Meter, spend } from '../meter.ts'
import { type CreateKeyword, useValue } from './define.ts'

/** What exact decimal division costs at worst, in units. */
const DECIMAL_UNITS = 300

/**
 * Internal: stands beside a `type` that means integers. A double past ±(2^53 − 1) is integer-valued,
 * but it is no longer the integer that was sent.
 */
export const integerKeyword: CreateKeyword = () => ({
  keyword: '$integer',
  type: 'number',
  schemaType: 'boolean',
  before: 'maximum',
  code(cxt) {
    cxt.fail(_`!Number.isSafeInteger(${cxt.data})`)
  },
})

/** `multipleOf` on the decimal numbers that were written, so that 19.99 is a multiple of 0.01. */
export const multipleOfKeyword: CreateKeyword = (meter) => ({
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  code(cxt) {
    const divisor = Number(cxt.schema)
    const check = useValue(cxt, (value: number) => isMultiple(value, divisor, meter))
    cxt.fail(_`!${check}(${cxt.data})`)
  },
})

function isMultiple(value: number, divisor: number, meter: Meter): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  spend(meter, DECIMAL_UNITS)
  const a = readDecimal(value)
  const b = readDecimal(divisor)
  const exponent = Math.min(a.exponent, b.exponent)
  return scale(a, exponent) % scale(b, exponent) === 0n
}

interface Decimal {
  readonly digits: bigint
  /** Power of ten that the digits are multiplied by. */
  readonly exponent: number
}

/** The shortest decimal that reads as this double, which is what its author wrote or could have. */
function readDecimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

function scale({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to)
}
