// SPDX-License-Identifier: Apache-2.0
import { _ } from 'ajv/dist/2020.js'
import { type Meter, spend } from '../meter.ts'
import { type CreateKeyword, useValue } from './define.ts'

/** What division of decimals as big integers costs at worst, in units. */
const DECIMAL_UNITS = 1_000
/** Decimals of fifteen digits and doubles stand for each other one to one. */
const EXACT = 1e15
const EXACT_DIGITS = 15

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
export const multipleOfKeyword: CreateKeyword = ({ meter }) => ({
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  code(cxt) {
    const divisor = Number(cxt.schema)
    const check = useValue(cxt, createIsMultiple(divisor, meter))
    cxt.fail(_`!${check}(${cxt.data})`)
  },
})

function createIsMultiple(divisor: number, meter: Meter): (value: number) => boolean {
  const { digits, exponent } = readDecimal(divisor)
  const places = Math.max(0, -exponent)
  const power = 10 ** places
  const whole = Number(digits) * 10 ** (exponent + places)
  const isShort = places <= EXACT_DIGITS && whole < EXACT
  return (value) => {
    const scaled = Math.round(value * power)
    if (isShort && Math.abs(scaled) < EXACT) {
      // A value that needs more places than the divisor is no multiple of it.
      return scaled / power === value && scaled % whole === 0
    }
    spend(meter, DECIMAL_UNITS)
    return isDecimalMultiple(readDecimal(value), readDecimal(divisor))
  }
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

function isDecimalMultiple(value: Decimal, divisor: Decimal): boolean {
  const exponent = Math.min(value.exponent, divisor.exponent)
  return scale(value, exponent) % scale(divisor, exponent) === 0n
}

function scale({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to)
}
