// SPDX-License-Identifier: Apache-2.0
import { at } from '../graph/sort-edges.ts'
import { type BlockFunction, digestBlocks } from './blocks.ts'
import { initialHash, roundConstants } from './constants.ts'
import type { Digest } from './digest.ts'

const ROUNDS = 64

/** SHA-256 as FIPS 180-4, 6.2, in 32-bit integers. */
export function createSha256(): Digest {
  const k = Int32Array.from(roundConstants().slice(0, ROUNDS), upper)
  const hash = Int32Array.from(initialHash(0), upper)
  const w = new Int32Array(ROUNDS)
  const block: BlockFunction = {
    blockSize: 64,
    lengthSize: 8,
    compress: (view, start) => {
      schedule(w, view, start)
      compress(hash, w, k)
    },
    hex: () => Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, '0')).join(''),
  }
  return digestBlocks(block)
}

const upper = (value: bigint): number => Number(value >> 32n) | 0

const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by))

function schedule(w: Int32Array, view: DataView, start: number): void {
  for (let t = 0; t < 16; t++) w[t] = view.getInt32(start + 4 * t)
  for (let t = 16; t < ROUNDS; t++) {
    const a = at(w, t - 15)
    const b = at(w, t - 2)
    const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)
    const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10)
    w[t] = (s1 + at(w, t - 7) + s0 + at(w, t - 16)) | 0
  }
}

function compress(hash: Int32Array, w: Int32Array, k: Int32Array): void {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
  for (let t = 0; t < ROUNDS; t++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + at(k, t) + at(w, t)) | 0
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  const next = [a, b, c, d, e, f, g, h]
  for (const [i, word] of next.entries()) hash[i] = (at(hash, i) + word) | 0
}
