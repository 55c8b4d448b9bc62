// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest'
import { preparePick } from '../../src/catalog/pick-arguments.ts'
import { costRatio } from '../support/cost.ts'

const KEYS = 60_000

/** A body of about a megabyte, all of it keys at the top. */
const WIDE = Object.fromEntries(Array.from({ length: KEYS }, (_, index) => [`k${index}`, index]))

test.each([
  ['all of which are kept', '^k'],
  ['one of which is left behind', '^k(?:[1-9]|0.)'],
])('picks from %s in the time of reading the keys', (_, pattern) => {
  const pick = preparePick({ type: 'object', patternProperties: { [pattern]: true } }, false)
  const kept = Object.keys(pick(WIDE)).length
  expect([KEYS, KEYS - 1]).toContain(kept)
  const ratio = costRatio(
    () => pick(WIDE),
    () => JSON.parse(JSON.stringify(WIDE)),
    10,
  )
  expect(ratio).toBeLessThan(10)
})
