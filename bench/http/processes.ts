// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Round, RoundResult } from './load.ts'
import type { Gauge } from './meter.ts'

/** A server in a process of its own. */
export interface ServerProcess {
  readonly url: string
  readonly port: number
  readonly read: (what?: 'cpu' | 'memory') => Promise<Gauge>
  readonly stop: () => void
}

/** The process that sends the requests. */
export interface LoadProcess {
  readonly run: (round: Round) => Promise<RoundResult>
  readonly stop: () => void
}

/**
 * Starts a server process.
 *
 * @param script  its module in this folder, without the ending
 * @param execArgv  options for its Node
 */
export async function startServer(
  script: string,
  args: readonly string[] = [],
  execArgv: readonly string[] = [],
): Promise<ServerProcess> {
  const child = start(script, args, execArgv)
  const port = Number(await answerOf(child))
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    read: (what = 'cpu') => ask<Gauge>(child, what),
    stop: () => child.disconnect(),
  }
}

/** Starts the load process. */
export function startLoad(): LoadProcess {
  const child = start('load', [], [])
  return {
    run: (round) => ask<RoundResult>(child, round),
    stop: () => child.disconnect(),
  }
}

function start(script: string, args: readonly string[], execArgv: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`./${script}.js`, import.meta.url))
  return fork(path, args, { execArgv: [...execArgv] })
}

function ask<Answer>(child: ChildProcess, question: string | Round): Promise<Answer> {
  const answer = answerOf(child)
  child.send(question)
  return answer as Promise<Answer>
}

/** The next message of a child; one that ends instead ends the measurement. */
function answerOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error(`${child.spawnargs.join(' ')} has ended`))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message)
    })
  })
}
