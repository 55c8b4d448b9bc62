// SPDX-License-Identifier: Apache-2.0
// The load process: sends one round of identical requests on request of its parent.
import autocannon from 'autocannon'
import type { Load } from './messages.ts'

/** One round to send. */
export interface Round extends Load {
  readonly url: string
  readonly connections: number
  /** The body that every answer has to have. */
  readonly expected: string
}

/** What came of a round. */
export interface RoundResult {
  /** Answers with status 200 and the expected body. */
  readonly right: number
  readonly wrong: number
  /** Milliseconds from the first request to the last answer. */
  readonly tookMs: number
}

process.on('message', (round: Round) => {
  void run(round).then((result) => process.send?.(result))
})
process.on('disconnect', () => process.exit())

async function run(round: Round): Promise<RoundResult> {
  const { url, connections, body, headers, amount, expected } = round
  const start = performance.now()
  let end = start
  const running = autocannon({
    url,
    method: 'POST',
    headers: { ...headers },
    body,
    amount,
    connections,
    pipelining: 1,
    sampleInt: 20,
    verifyBody: (text: string) => text === expected,
  })
  running.on('response', () => {
    end = performance.now()
  })
  const rest = stayAwake()
  const { '2xx': right, non2xx, mismatches, errors, timeouts, statusCodeStats } = await running
  rest()
  const other = right - (statusCodeStats['200']?.count ?? 0)
  return {
    right: right - mismatches - other,
    wrong: non2xx + mismatches + errors + timeouts + other,
    tookMs: end - start,
  }
}

/**
 * Keeps this process from sleeping between answers. A server that answers a sleeping client pays
 * for waking it: the slower the server, the more often, and in a virtual machine that is dear. What
 * is measured is then the client's sleep, and not the server's work.
 */
function stayAwake(): () => void {
  let isAwake = true
  const turn = (): void => {
    if (isAwake) setImmediate(turn)
  }
  turn()
  return () => {
    isAwake = false
  }
}
