// How long can arguments of 1 MiB hold the event loop while they are validated? Unit: ms a validation.
// SPDX-License-Identifier: Apache-2.0

import { availableParallelism, cpus } from 'node:os'
import { BODY, type Case, harmless, hostile } from '../packages/core/test/schema/hostile-cases.ts'

type Compiler = typeof import('../packages/core/src/schema/compile-schema.ts')

// The built package, so that its own dependencies are found.
const built = new URL('../../../packages/core/dist/schema/compile-schema.js', import.meta.url)
const { compileSchema }: Compiler = await import(built.href)

/** Rounds of each case, of which the first are thrown away. */
const ROUNDS = 9
const WARM_UP = 2

interface Peer {
  readonly name: string
  readonly run: () => string
}

function prepare({ name, schema, body, nativePatterns = false }: Case): Peer {
  const compiled = compileSchema(schema, { where: name, maxValueBytes: BODY, nativePatterns })
  const value: unknown = JSON.parse(body())
  return { name, run: () => compiled.validate(value)?.keyword ?? 'valid' }
}

function time(peer: Peer): [ms: number, outcome: string] {
  const start = process.hrtime.bigint()
  const outcome = peer.run()
  return [Number(process.hrtime.bigint() - start) / 1e6, outcome]
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
}

function parsing({ body }: Case): Peer {
  const text = body()
  return { name: 'JSON.parse', run: () => typeof JSON.parse(text) }
}

/** A B C A B C: what slows the machine for a while slows all of them. */
function compare(one: Case, yardstick: Peer): void {
  const peers = [prepare(one), yardstick, parsing(one)]
  const times = peers.map((): number[] => [])
  let outcome = ''
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, peer] of peers.entries()) {
      const [ms, said] = time(peer)
      if (round >= WARM_UP) times[index]?.push(ms)
      if (index === 0) outcome = said
    }
  }
  const [own = [], rows = [], parse = []] = times
  const [low, middle, high] = [0, 0.5, 1].map((share) => quantile(own, share))
  const ratio = (middle ?? Number.NaN) / quantile(rows, 0.5)
  const toParse = (middle ?? Number.NaN) / quantile(parse, 0.5)
  const spread = `${low?.toFixed(1)} to ${high?.toFixed(1)}`
  console.log(
    `${one.name.padEnd(58)} ${outcome.padEnd(10)} ${middle?.toFixed(1).padStart(7)} (${spread}) ms, ${ratio.toFixed(1)} × rows, ${toParse.toFixed(1)} × JSON.parse`,
  )
}

console.log(`Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? '?'}`)
console.log(`Medians of ${ROUNDS - WARM_UP} rounds, with the least and the most in brackets`)
const [rows] = harmless
if (rows === undefined) throw new Error('no harmless case')
const yardstick = prepare(rows)
console.log('Bodies sent in good faith')
for (const one of harmless) compare(one, yardstick)
console.log('Bodies made to hold the event loop')
for (const one of hostile) compare(one, yardstick)
