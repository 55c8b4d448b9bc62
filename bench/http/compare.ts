// SPDX-License-Identifier: Apache-2.0
import { isDeepStrictEqual } from 'node:util'
import { answerTo, type Load, type Message } from './messages.ts'
import type { LoadProcess, ServerProcess } from './processes.ts'

/** A server under comparison. */
export interface Peer {
  readonly name: string
  readonly server: ServerProcess
}

/** What one peer did in one round. */
export interface Measure {
  readonly requestsPerSecond: number
  /** Microseconds of the server's CPU for one request. */
  readonly cpuUs: number
}

/** How the rounds are made. */
export interface Rounds {
  readonly count: number
  /** Rounds before those, thrown away. */
  readonly warmUp: number
  readonly connections: number
}

/**
 * Measures the peers in alternating rounds, A B C A B C: what slows the machine for a while slows
 * them all. Every answer is checked.
 *
 * @returns the measures of each peer, round by round
 */
export async function compare(
  peers: readonly Peer[],
  load: Load,
  { count, warmUp, connections }: Rounds,
  sender: LoadProcess,
): Promise<readonly (readonly Measure[])[]> {
  const expected = await Promise.all(peers.map((peer) => checkedAnswer(peer, load)))
  const measures: Measure[][] = peers.map(() => [])
  for (let round = -warmUp; round < count; round++) {
    for (const [index, { name, server }] of peers.entries()) {
      const before = await server.read()
      const { url } = server
      const result = await sender.run({
        ...load,
        url,
        connections,
        expected: expected[index] ?? '',
      })
      const after = await server.read()
      if (result.wrong > 0 || result.right !== load.amount) {
        throw new Error(`${name}: ${result.right} right answers of ${load.amount}`)
      }
      if (round < 0) continue
      measures[index]?.push({
        requestsPerSecond: (load.amount / result.tookMs) * 1_000,
        cpuUs: (after.cpuUs - before.cpuUs) / load.amount,
      })
    }
  }
  return measures
}

/** The text of one answer, which has to say what the tool answers. */
async function checkedAnswer({ name, server }: Peer, load: Load): Promise<string> {
  const { headers, body } = load
  const response = await fetch(server.url, { method: 'POST', headers, body })
  const text = await response.text()
  const wanted = JSON.parse(JSON.stringify(answerTo(JSON.parse(body) as Message))) as unknown
  if (response.status !== 200 || !isDeepStrictEqual(JSON.parse(text), wanted)) {
    throw new Error(`${name} answers ${load.name} with ${response.status} ${text}`)
  }
  return text
}
