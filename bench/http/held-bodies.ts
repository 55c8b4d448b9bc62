// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { LOADS } from './messages.ts'
import type { Gauge } from './meter.ts'
import type { ServerProcess } from './processes.ts'

/** Bytes that each body declares, and how many of them are sent. */
export const DECLARED = 1_048_576
export const SENT = 65_536

/** How many connections are opened at a time. */
const AT_ONCE = 100

/** A server's memory without bodies, with them, and after they are gone. */
export interface Held {
  readonly before: Gauge
  readonly during: Gauge
  readonly after: Gauge
}

/** Sends the beginnings of so many bodies, each over a connection of its own, and reads the memory. */
export async function holdBodies(server: ServerProcess, count: number): Promise<Held> {
  const before = await server.read('memory')
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const more = Math.min(AT_ONCE, count - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length: more }, () => begin(server.port)))))
  }
  await until(server, ({ bytesRead }) => bytesRead >= count * (SENT + head(server.port).length))
  const during = await server.read('memory')
  for (const socket of sockets) socket.destroy()
  await until(server, ({ connections }) => connections === 0)
  const after = await server.read('memory')
  return { before, during, after }
}

async function begin(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(head(port) + ' '.repeat(SENT))
  return socket
}

function head(port: number): string {
  const headers = Object.entries(LOADS[0].headers).map(([name, value]) => `${name}: ${value}`)
  const lines = ['POST /mcp HTTP/1.1', `host: 127.0.0.1:${port}`, ...headers]
  return `${lines.join('\r\n')}\r\ncontent-length: ${DECLARED}\r\n\r\n`
}

/** Waits for the server to say so; the measurement is of memory, and takes the time it takes. */
async function until(server: ServerProcess, isSo: (gauge: Gauge) => boolean): Promise<void> {
  for (let turn = 0; turn < 1_200; turn++) {
    if (isSo(await server.read())) return
    await sleep(50)
  }
  throw new Error('The server has not come to the state that was to be measured')
}
