// How much memory does a server hold for bodies that are sent by halves? Unit: MiB.
// SPDX-License-Identifier: Apache-2.0

import { DECLARED, type Held, holdBodies, SENT } from './http/held-bodies.ts'
import type { Gauge } from './http/meter.ts'
import { publish, table } from './http/page.ts'
import { startServer } from './http/processes.ts'
import { describeRun, format } from './http/statistics.ts'

const COUNTS = [100, 1_000, 4_000]
const MIB = 1_048_576

/** The bare route first: what holding the bytes costs without the plugin. */
const PEERS = [
  { name: 'Fastify route', script: 'serve-fastify' },
  { name: '@beam-mcp/core', script: 'serve-plugin' },
]

function rowOf(name: string, count: number, { before, during, after }: Held): readonly string[] {
  const kept = (during.held - before.held) / count / 1_024
  const cells = [before, during, after].map(cell)
  return [format(count, 0), name, ...cells, format(kept, 1)]
}

function cell({ rss, held }: Gauge): string {
  return `${format(held / MIB, 1)} (${format(rss / MIB, 0)})`
}

const rows: (readonly string[])[] = []
for (const count of COUNTS) {
  for (const { name, script } of PEERS) {
    const server = await startServer(script, [], ['--expose-gc'])
    rows.push(rowOf(name, count, await holdBodies(server, count)))
    server.stop()
  }
}

const where = describeRun(['fastify', '@beam-mcp/core'])
const how = `Each body declares ${format(DECLARED, 0)} bytes, sends ${format(SENT, 0)} and stops, over a connection of its own. MiB that JavaScript holds after a collection, its heap and the buffers outside of it, with the process's resident memory in brackets.`
const head = ['bodies', '', 'before', 'held', 'gone', 'KiB a body']
publish('bounds', [where, how, table(head, rows)].join('\n\n'))
