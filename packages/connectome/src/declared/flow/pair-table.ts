// SPDX-License-Identifier: Apache-2.0
import { NO_NUMBERS } from './chains.ts'
import { withChanged } from './with-changed.ts'

/** Numbers by two numbers from 0, in one array: an open table that is at most half full. */
export interface PairTable {
  size: number
  /** Of each place three numbers: the first key and 1, the second, and what they lead to. */
  list: Int32Array
}

const PLACE = 3
const LEAST_PLACES = 1 << 10

/** @param expected  how many pairs may come; it grows where more do */
export function createPairTable(expected: number): PairTable {
  let places = LEAST_PLACES
  while (places < expected * 2) places *= 2
  return withChanged<PairTable>(
    { size: -1, list: NO_NUMBERS },
    { size: 0, list: new Int32Array(places * PLACE) },
  )
}

/** What a pair leads to, or -1. */
export function getPair({ list }: PairTable, one: number, other: number): number {
  const at = placeOf(list, one, other)
  return list[at] === 0 ? -1 : (list[at + 2] ?? -1)
}

/** Adds a pair that is not there. */
export function addPair(table: PairTable, one: number, other: number, value: number): void {
  if ((table.size + 1) * 2 * PLACE > table.list.length) grow(table)
  put(table.list, one, other, value)
  table.size++
}

function put(list: Int32Array, one: number, other: number, value: number): void {
  const at = placeOf(list, one, other)
  list[at] = one + 1
  list[at + 1] = other
  list[at + 2] = value
}

/** Where a pair stands, or where it would. */
function placeOf(list: Int32Array, one: number, other: number): number {
  const places = list.length / PLACE
  let place = hash(one, other) & (places - 1)
  for (;;) {
    const at = place * PLACE
    const key = list[at]
    if (key === 0 || (key === one + 1 && list[at + 1] === other)) return at
    place = (place + 1) & (places - 1)
  }
}

/** Keys are small and dense: multiplied by odd numbers, so that what is high reaches what is low. */
function hash(one: number, other: number): number {
  const mixed = Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}

function grow(table: PairTable): void {
  const { list } = table
  const more = new Int32Array(list.length * 2)
  for (let at = 0; at < list.length; at += PLACE) {
    const key = list[at] ?? 0
    if (key !== 0) put(more, key - 1, list[at + 1] ?? 0, list[at + 2] ?? 0)
  }
  table.list = more
}
