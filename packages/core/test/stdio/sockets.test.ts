// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCatalog } from '@beam-mcp/core/server'
import { runStdio } from '@beam-mcp/core/stdio'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Collected, collect } from '../support/collect.ts'
import { hold, holdCalls } from '../support/held-calls.ts'
import { recordLog, SERVER_INFO } from '../support/server.ts'
import { toolAnswer } from '../support/stdio-run.ts'

type Address = { readonly path: string } | { readonly port: number; readonly host: string }

interface Listening {
  readonly address: Address
  readonly calls: ReturnType<typeof holdCalls>
  /** Settled when the run of each connection is over. */
  readonly runs: Promise<void>[]
}

async function listen(where: string | number): Promise<Listening> {
  const calls = holdCalls()
  const runs: Promise<void>[] = []
  // A client that ends its half has its answers all the same.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined)
    const run = runStdio({
      ...createCatalog({ tools: [calls.tool] }),
      serverInfo: SERVER_INFO,
      logger: recordLog().logger,
      input: socket,
      output: socket,
    })
    runs.push(run.finally(() => socket.end()))
  })
  if (typeof where === 'string') server.listen(where)
  else server.listen(where, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return {
    address: typeof address === 'string' ? { path: address } : tcp(address as AddressInfo),
    calls,
    runs,
  }
}

const tcp = ({ port, address }: AddressInfo): Address => ({ port, host: address })

async function open(address: Address): Promise<{ socket: Socket; read: Collected }> {
  const socket = connect(address)
  await once(socket, 'connect')
  onTestFinished(() => void socket.destroy())
  return { socket, read: collect(socket) }
}

const line = (message: object): string => `${JSON.stringify(message)}\n`

const KINDS: [string, () => string | number][] = [
  [
    'a Unix socket',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'stdio-'))
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
      return join(folder, 'socket')
    },
  ],
  ['a TCP socket', () => 0],
]

describe.each(KINDS)('%s', (_, where) => {
  test('[IO-12] carries the same lines, for several clients at once', async () => {
    const { address, calls, runs } = await listen(where())
    const [one, two] = [await open(address), await open(address)]
    one.socket.write(line(hold('a', 1)))
    two.socket.write(line(hold('b', 1)))
    await calls.begun('b')
    calls.finish('b')
    expect(await two.read.next()).toEqual(toolAnswer(1, 'b'))
    calls.finish('a')
    expect(await one.read.next()).toEqual(toolAnswer(1, 'a'))
    one.socket.end()
    two.socket.end()
    await Promise.all(runs)
    expect(runs).toHaveLength(2)
  })

  test('carries the answers to a client that has said all', async () => {
    const { address, calls, runs } = await listen(where())
    const { socket, read } = await open(address)
    socket.end(line(hold('a', 1)))
    await calls.begun('a')
    calls.finish('a', 'é漢😀')
    expect(await read.next()).toEqual(toolAnswer(1, 'é漢😀'))
    await Promise.all(runs)
  })

  test('that is cut off ends the run', async () => {
    const { address, calls, runs } = await listen(where())
    const { socket } = await open(address)
    socket.write(line(hold('a', 1)))
    await calls.begun('a')
    socket.destroy()
    calls.finish('a')
    await Promise.all(runs)
    expect(runs).toHaveLength(1)
  })
})
