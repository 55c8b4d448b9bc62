// What does each check of a tool call cost, beside what a bare route does in its place? Unit: µs of CPU.
// SPDX-License-Identifier: Apache-2.0

import { type Check, checksOf } from './http/checks.ts'
import { LOADS, type Load } from './http/messages.ts'
import { publish, table } from './http/page.ts'
import { describeRun, format, median, spread } from './http/statistics.ts'

const ROUNDS = 41
const WARM_UP = 15

/** Microseconds of CPU that one round should take at least. */
const ROUND_US = 4_000

interface Step {
  readonly run: () => unknown
  readonly times: number[]
  /** Calls of one round. */
  calls: number
}

/** Microseconds of CPU of one call. */
async function time({ run, calls }: Step): Promise<number> {
  const before = process.cpuUsage()
  for (let call = 0; call < calls; call++) {
    const pending = run()
    // Nothing is awaited that does not have to be: that is how the plugin calls it.
    if (pending instanceof Promise) await pending
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

async function measure(steps: readonly Step[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    for (const step of steps) {
      const us = await time(step)
      if (round >= WARM_UP) step.times.push(us)
      else step.calls = Math.ceil(ROUND_US / Math.max(us, 0.02))
    }
  }
}

function stepOf(run: () => unknown): Step {
  return { run, times: [], calls: 500 }
}

async function section(load: Load): Promise<string> {
  const checks = (await checksOf(load)).map((check: Check) => ({
    name: check.name,
    own: stepOf(check.run),
    bare: check.bare && stepOf(check.bare),
  }))
  await measure(checks.flatMap(({ own, bare }) => (bare === undefined ? [own] : [own, bare])))
  const rows = checks.map(({ name, own, bare }) => [
    name,
    spread(own.times, 2),
    bare === undefined ? '' : spread(bare.times, 2),
    format(median(own.times) - (bare === undefined ? 0 : median(bare.times)), 2),
  ])
  const bytes = format(Buffer.byteLength(load.body), 0)
  const head = ['check', 'µs', 'bare route, µs', 'more, µs']
  return `**${load.name}**, ${bytes} bytes of body:\n\n${table(head, rows)}`
}

const sections: string[] = []
for (const load of LOADS) sections.push(await section(load))
const how = `Medians of ${ROUNDS - WARM_UP} alternating rounds, with the middle half in brackets.`
publish('checks', [`${describeRun(['@beam-mcp/core'])} ${how}`, ...sections].join('\n\n'))
