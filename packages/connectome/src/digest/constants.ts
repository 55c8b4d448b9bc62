// SPDX-License-Identifier: Apache-2.0

// FIPS 180-4 takes its constants from the fractional parts of roots of the first primes. They are
// computed here, so that there is no table to get wrong: 64 bits each, of which SHA-256 uses the
// upper 32.

const FRACTION_BITS = 64n

/** The first 64 fractional bits of the cube roots of the first 80 primes (4.2.2 and 4.2.3). */
export function roundConstants(): bigint[] {
  return primes(80).map((prime) => fraction(root(prime << (3n * FRACTION_BITS), 3n)))
}

/** The first 64 fractional bits of the square roots of eight primes, the first being the one at `from`. */
export function initialHash(from: 0 | 8): bigint[] {
  return primes(16)
    .slice(from, from + 8)
    .map((prime) => fraction(root(prime << (2n * FRACTION_BITS), 2n)))
}

const fraction = (value: bigint): bigint => BigInt.asUintN(Number(FRACTION_BITS), value)

function primes(count: number): bigint[] {
  const found: bigint[] = []
  for (let candidate = 2n; found.length < count; candidate++) {
    if (found.every((prime) => candidate % prime !== 0n)) found.push(candidate)
  }
  return found
}

/** The largest integer whose power does not exceed the value, by Newton's steps from above. */
function root(value: bigint, degree: bigint): bigint {
  let guess = 1n << (BigInt(value.toString(2).length) / degree + 1n)
  for (;;) {
    const next = ((degree - 1n) * guess + value / guess ** (degree - 1n)) / degree
    if (next >= guess) return guess
    guess = next
  }
}
