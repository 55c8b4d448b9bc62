// How many times as long as JSON.parse(buffer.toString('utf8')) does readJson take? Unit: µs a body.
// SPDX-License-Identifier: Apache-2.0

import { availableParallelism, cpus } from 'node:os'
import { readJson } from '../packages/core/src/json/read-json.ts'

/** Rounds of each peer and body, of which the first are thrown away. */
const ROUNDS = 61
const WARM_UP = 20

/** Bytes that one round reads, so that each takes some milliseconds. */
const BYTES_PER_ROUND = 4_000_000

interface Body {
  readonly name: string
  readonly bytes: Buffer
}

interface Peer {
  readonly name: string
  readonly read: (bytes: Buffer) => unknown
}

const peers: readonly [Peer, Peer] = [
  { name: 'JSON.parse', read: (bytes) => JSON.parse(bytes.toString('utf8')) },
  { name: 'readJson', read: readJson },
]

function call(args: unknown): Buffer {
  return Buffer.from(
    JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'echo',
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
          'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
        },
      },
    }),
  )
}

function rows(count: number): unknown[] {
  return Array.from({ length: count }, (_, id) => ({
    id,
    name: `row ${id}`,
    tags: ['x', 'y'],
    isOpen: id % 3 === 0,
    at: { x: id / 8, y: -id },
  }))
}

const bodies: readonly Body[] = [
  { name: 'small call', bytes: call({ text: 'hi there', limit: 20, tags: ['a', 'b'] }) },
  { name: '64 KiB string', bytes: call({ text: 'some words of plain text '.repeat(2_600) }) },
  { name: '64 KiB of code', bytes: call({ text: '  log("a \\"word\\"", 1)\n'.repeat(2_100) }) },
  { name: '1 MiB of rows', bytes: call({ rows: rows(12_900) }) },
]

/** One round: microseconds a body. */
function time(peer: Peer, bytes: Buffer): number {
  const runs = Math.ceil(BYTES_PER_ROUND / bytes.length)
  const start = process.hrtime.bigint()
  for (let run = 0; run < runs; run++) peer.read(bytes)
  return Number(process.hrtime.bigint() - start) / 1_000 / runs
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
}

function measured(times: readonly number[]): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(times, share).toFixed(2))
  return `${middle} (${low} to ${high})`
}

/** A B A B: what slows the machine for a while slows both peers. */
function compare(body: Body): void {
  const times: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    const pair = [time(peers[0], body.bytes), time(peers[1], body.bytes)] as const
    if (round < WARM_UP) continue
    times[0].push(pair[0])
    times[1].push(pair[1])
  }
  const ratio = quantile(times[1], 0.5) / quantile(times[0], 0.5)
  console.log(`${body.name}, ${body.bytes.length} bytes: ${ratio.toFixed(2)} times`)
  for (const index of [0, 1] as const) {
    console.log(`  ${peers[index].name.padEnd(10)}  ${measured(times[index])} µs`)
  }
}

console.log(`Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model ?? '?'}`)
console.log(`Medians of ${ROUNDS - WARM_UP} rounds, with the middle half in brackets`)
for (const body of bodies) compare(body)
// Once more, now that the compiler has seen every kind of body.
for (const body of bodies.slice(0, 1)) compare(body)
