// SPDX-License-Identifier: Apache-2.0
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** What a server process tells of itself. */
export interface Gauge {
  /** Microseconds of CPU, user and system, since the process began. */
  readonly cpuUs: number
  /** Bytes. */
  readonly rss: number
  /** Bytes that JavaScript holds: its heap and what lies outside of it. */
  readonly held: number
  readonly connections: number
  /** Bytes that the open connections have brought. */
  readonly bytesRead: number
}

/**
 * Answers each message of the parent process with a reading, and tells it the port first. Before a
 * reading of `memory` it is collected what nobody holds.
 */
export function reportTo(parent: NodeJS.Process, server: Server): void {
  const sockets = new Set<{ readonly bytesRead: number }>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const gauge = (): Gauge => {
    const { user, system } = process.cpuUsage()
    const { rss, heapUsed, external } = process.memoryUsage()
    const bytesRead = [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0)
    const connections = sockets.size
    return { cpuUs: user + system, rss, held: heapUsed + external, connections, bytesRead }
  }
  parent.on('message', (question) => {
    if (question !== 'memory') parent.send?.(gauge())
    else void collect().then(() => parent.send?.(gauge()))
  })
  // A parent that is gone leaves no server behind.
  parent.on('disconnect', () => process.exit())
  const address = server.address()
  parent.send?.(typeof address === 'object' ? address?.port : undefined)
}

/** More than once, since buffers are let go of only after what held them. */
async function collect(): Promise<void> {
  for (let pass = 0; pass < 4; pass++) {
    globalThis.gc?.()
    await sleep(100)
  }
}
