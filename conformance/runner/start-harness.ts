// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** A harness in a process of its own. */
export interface Harness {
  readonly url: string
  readonly stop: () => Promise<void>
}

/**
 * Starts the harness and waits until it listens.
 *
 * @param node  the path of the Node that runs it
 * @param script  the built `serve.js`
 * @throws Error where it ends before it listens
 */
export async function startHarness(node: string, script: string): Promise<Harness> {
  const child = spawn(node, [script, String(await findPort())], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const url = await Promise.race([readUrl(child.stdout), ended.then(() => undefined)])
  if (url !== undefined) return { url, stop: () => stop(child, ended) }
  await ended
  throw new Error(`The harness ended with ${child.exitCode ?? child.signalCode} before it listened`)
}

async function readUrl(output: Readable): Promise<string | undefined> {
  for await (const line of createInterface({ input: output })) {
    const [, url] = /^MCP at (\S+)$/.exec(line) ?? []
    if (url !== undefined) return url
  }
  return undefined
}

async function stop(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM')
  await ended
}

/** A port that is free now: the harness has to know its own before it listens. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
