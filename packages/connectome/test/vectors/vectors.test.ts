// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Check } from './checks.ts'
import { type DiffCase, diffChecks } from './diff-checks.ts'
import { type GraphCase, graphChecks } from './graph-checks.ts'
import { type Published, publishedChecks } from './published-checks.ts'
import { type ReachCase, reachChecks } from './reach-checks.ts'
import { type RefusalCase, refusalChecks } from './refusal-checks.ts'
import { type FloatCase, floatChecks, type NodeIdCase, nodeIdChecks } from './small-checks.ts'

function file<Content>(name: string): Content {
  const url = new URL(`../data/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(url, 'utf8')) as Content // the data has this shape
}

function cases<Case>(name: string): readonly Case[] {
  return file<{ readonly cases: readonly Case[] }>(name).cases
}

function expectAll(checks: readonly Check[]): void {
  expect(checks.length).toBeGreaterThan(0)
  for (const { what, actual, expected } of checks)
    expect({ [what]: actual }).toEqual({ [what]: expected })
}

describe('the vectors of the reference hold', () => {
  test.each(cases<NodeIdCase>('node-ids'))('the id $id', (vector) => {
    expectAll(nodeIdChecks(vector))
  })
  test.each(cases<FloatCase>('floats'))('the float $text', (vector) => {
    expectAll(floatChecks(vector))
  })
  test.each(cases<GraphCase>('graphs'))('the bytes and texts of $name', (vector) => {
    expectAll(graphChecks(vector))
  })
  test.each(cases<RefusalCase>('refusals'))('the refusal: $name', (vector) => {
    expectAll(refusalChecks(vector))
  })
  test.each(cases<DiffCase>('diffs'))('the record of $name', (vector) => {
    expectAll(diffChecks(vector))
  })
  test.each(cases<ReachCase>('reach'))('the answers of $name', (vector) => {
    expectAll(reachChecks(vector))
  })
  test('the published bytes and hashes', () => {
    expectAll(publishedChecks(file<Published>('published')))
  })
})
