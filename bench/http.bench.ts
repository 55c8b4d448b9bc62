// How many times the CPU of a bare Fastify route does a tool call take? Unit: µs of server CPU a request.
// SPDX-License-Identifier: Apache-2.0

import { parseArgs } from 'node:util'
import { compare, type Measure, type Peer } from './http/compare.ts'
import { LOADS, type Load } from './http/messages.ts'
import { publish, table } from './http/page.ts'
import { type LoadProcess, startLoad, startServer } from './http/processes.ts'
import { describeRun, format, median, spread } from './http/statistics.ts'

const { values } = parseArgs({
  options: {
    /** Puts the results into docs/performance.md. */
    write: { type: 'boolean' },
    rounds: { type: 'string', default: '21' },
    /** `dist/index.js` of another build of the package, measured in the same rounds. */
    beside: { type: 'string' },
  },
})
const ROUNDS = { count: Number(values.rounds), warmUp: 5, connections: 16 }

/** The peer that ratios are taken to. */
const BASE = 1

async function startPeers(): Promise<readonly Peer[]> {
  const { beside } = values
  const peers = [
    { name: 'node:http', server: await startServer('serve-node') },
    { name: 'Fastify route', server: await startServer('serve-fastify') },
    { name: '@beam-mcp/core', server: await startServer('serve-plugin') },
  ]
  if (beside === undefined) return peers
  return [...peers, { name: 'other build', server: await startServer('serve-plugin', [beside]) }]
}

/** Ratios are taken round by round, since the rounds of one turn met the same machine. */
function rowOf(name: string, own: readonly Measure[], base: readonly Measure[]): readonly string[] {
  const cpu = own.map(({ cpuUs }) => cpuUs)
  const rate = own.map(({ requestsPerSecond }) => requestsPerSecond)
  const ratios = cpu.map((us, round) => us / (base[round]?.cpuUs ?? Number.NaN))
  const rates = rate.map((each, round) => each / (base[round]?.requestsPerSecond ?? Number.NaN))
  return [name, spread(ratios, 2), spread(cpu, 1), format(median(rates), 2), spread(rate, 0)]
}

async function section(peers: readonly Peer[], load: Load, sender: LoadProcess): Promise<string> {
  const measures = await compare(peers, load, ROUNDS, sender)
  const rows = peers.map(({ name }, index) =>
    rowOf(name, measures[index] ?? [], measures[BASE] ?? []),
  )
  const head = ['', 'CPU, times the route', 'CPU, µs a request', 'rate, times', 'requests/s']
  const bytes = format(Buffer.byteLength(load.body), 0)
  return `**${load.name}**, ${bytes} bytes of body:\n\n${table(head, rows)}`
}

const peers = await startPeers()
const sender = startLoad()
const sections: string[] = []
for (const load of LOADS) sections.push(await section(peers, load, sender))
for (const { server } of peers) server.stop()
sender.stop()

const amounts = LOADS.map(({ amount, name }) => `${format(amount, 0)} (${name})`).join(' and ')
const how = `Medians of ${ROUNDS.count} alternating rounds of ${amounts} requests over ${ROUNDS.connections} connections, with the middle half in brackets.`
const where = describeRun(['fastify', 'autocannon', '@beam-mcp/core', '@sinclair/typebox'])
publish('http', [`${where} ${how}`, ...sections].join('\n\n'))
