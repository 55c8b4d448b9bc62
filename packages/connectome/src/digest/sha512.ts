// SPDX-License-Identifier: Apache-2.0
import { type BlockFunction, digestBlocks } from './blocks.ts'
import { initialHash, roundConstants } from './constants.ts'
import type { Digest } from './digest.ts'

const ROUNDS = 80
const FULL = 64n

/**
 * SHA-512 and SHA-384 as FIPS 180-4, 6.4 and 6.5, in `bigint`s of 64 bits: slower
 * than a digest of the host, and used where there is none.
 */
export function createSha512(algorithm: 'sha384' | 'sha512'): Digest {
  const k = roundConstants()
  const hash = initialHash(algorithm === 'sha384' ? 8 : 0)
  const words = algorithm === 'sha384' ? 6 : 8
  const block: BlockFunction = {
    blockSize: 128,
    lengthSize: 16,
    compress: (view, start) => compress(hash, schedule(view, start), k),
    hex: () =>
      hash
        .slice(0, words)
        .map((word) => word.toString(16).padStart(16, '0'))
        .join(''),
  }
  return digestBlocks(block)
}

const wrap = (x: bigint): bigint => BigInt.asUintN(64, x)
const turn = (x: bigint, by: bigint): bigint => wrap((x >> by) | (x << (FULL - by)))
const word = (words: readonly bigint[], place: number): bigint => words[place] ?? 0n

function schedule(view: DataView, start: number): bigint[] {
  const w: bigint[] = []
  for (let t = 0; t < 16; t++) w.push(view.getBigUint64(start + 8 * t))
  for (let t = 16; t < ROUNDS; t++) {
    const a = word(w, t - 15)
    const b = word(w, t - 2)
    const s0 = turn(a, 1n) ^ turn(a, 8n) ^ (a >> 7n)
    const s1 = turn(b, 19n) ^ turn(b, 61n) ^ (b >> 6n)
    w.push(wrap(s1 + word(w, t - 7) + s0 + word(w, t - 16)))
  }
  return w
}

function compress(hash: bigint[], w: readonly bigint[], k: readonly bigint[]): void {
  let [a = 0n, b = 0n, c = 0n, d = 0n, e = 0n, f = 0n, g = 0n, h = 0n] = hash
  for (let t = 0; t < ROUNDS; t++) {
    const s1 = turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n)
    const t1 = h + s1 + ((e & f) ^ (~e & g)) + word(k, t) + word(w, t)
    const s0 = turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = wrap(d + t1)
    d = c
    c = b
    b = a
    a = wrap(t1 + t2)
  }
  const next = [a, b, c, d, e, f, g, h]
  for (const [i, value] of next.entries()) hash[i] = wrap(word(hash, i) + value)
}
