// SPDX-License-Identifier: Apache-2.0
import { refuse } from './write-options.ts'

/** Digits D without trailing zeros and an exponent e, so that the value is D times ten to the e. */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

// From 2^53 up a whole double no longer has a neighbour at distance one. As digits for e = 0, 1, 2:
const PLAIN_BELOW = 2 ** 53
const PLAIN_TENS = Math.floor(2 ** 52 / 5)
const PLAIN_HUNDREDS = Math.floor(2 ** 51 / 25)

/**
 * The text of a float in a sidecar: its shortest digits that read back as the same double, in plain
 * notation (`1234.5`, `3.0`) or with an exponent (`1.0e-5`), never without a point.
 *
 * @param value finite; a negative zero is `-0.0`
 * @throws ConnectomeError `BEAM_ERR_CANON_REFUSED`, `['invalid', 'float', given]`
 * @see docs/connectome-canonical.md, "Floats"
 */
export function floatText(value: number): string {
  if (!Number.isFinite(value)) throw refuse('invalid', 'float', value)
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  if (value === 0) return `${sign}0.0`
  const decimal = shortestDecimal(Math.abs(value))
  return sign + (isPlain(decimal) ? plainText(decimal) : exponentText(decimal))
}

/** `toExponential` without an argument gives the shortest digits that read back the same. */
function shortestDecimal(value: number): Decimal {
  const [mantissa = '', power = '0'] = value.toExponential().split('e')
  const digits = mantissa.replace('.', '')
  return { digits, exponent: Number(power) - (digits.length - 1) }
}

function isPlain({ digits, exponent }: Decimal): boolean {
  const number = Number(digits)
  if (exponent === 0 && number >= PLAIN_BELOW) return false
  if (exponent === 1 && number > PLAIN_TENS) return false
  if (exponent === 2 && number > PLAIN_HUNDREDS) return false
  const length = digits.length
  if (length === 1) return exponent >= -4 && exponent <= 2
  const most = exponent + length - 1 >= 10 ? 2 : 1
  return exponent >= -(length + 2) && exponent <= most
}

function plainText({ digits, exponent }: Decimal): string {
  if (exponent >= 0) return `${digits}${'0'.repeat(exponent)}.0`
  const point = digits.length + exponent
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`
  return `${digits.slice(0, point)}.${digits.slice(point)}`
}

function exponentText({ digits, exponent }: Decimal): string {
  return `${digits.slice(0, 1)}.${digits.slice(1) || '0'}e${exponent + digits.length - 1}`
}
