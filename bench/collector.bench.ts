// What does a running collector cost each tool call, on minus off? Unit: µs of CPU a call.
// SPDX-License-Identifier: Apache-2.0

import { tracingChannel } from 'node:diagnostics_channel'
import { type CollectorOptions, createCollector } from '@beam-mcp/connectome/observed'
import { createCatalog, createServer, defineTool } from '@beam-mcp/core/server'
import { publish, table } from './http/page.ts'
import { describeRun, spread } from './http/statistics.ts'

const ROUNDS = 62
const WARM_UP = 2
const CALLS = 10_000

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

const server = createServer({
  ...createCatalog({
    tools: [
      defineTool({ name: 'at_once', handler: () => 'done' }),
      defineTool({ name: 'later', handler: async () => 'done' }),
    ],
  }),
  serverInfo: { name: 'bench', version: '1.0.0' },
})

interface Way {
  readonly name: string
  readonly collectors: readonly CollectorOptions[]
  /** Listens to the ends of calls and does nothing: what the server's own publishing costs. */
  readonly listens?: boolean
  /** Whether the collectors are stopped again before anything is timed. */
  readonly isStopped?: boolean
}

const ignore = (): void => {}

const ONE: CollectorOptions = { server: 'bench' }
const WAYS: readonly Way[] = [
  { name: 'off', collectors: [] },
  { name: 'off again: a collector was started and stopped', collectors: [ONE], isStopped: true },
  { name: 'off, with a subscriber that does nothing', collectors: [], listens: true },
  { name: 'on', collectors: [ONE] },
  { name: 'three', collectors: [ONE, ONE, ONE] },
  { name: 'on, `nested: true`', collectors: [{ ...ONE, nested: true }] },
]

/** Microseconds of CPU of one call, its collectors running. */
async function time({ collectors, isStopped, listens }: Way, tool: string): Promise<number> {
  const params = { name: tool, arguments: {}, _meta: META }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const running = collectors.map((options) => createCollector(options))
  const stop = (): void => running.forEach((collector) => void collector.stop())
  for (const collector of running) collector.start()
  if (isStopped === true) stop()
  const { end } = tracingChannel('beam_mcp.dispatch')
  if (listens === true) end.subscribe(ignore)
  const before = process.cpuUsage()
  for (let call = 0; call < CALLS; call++) await server.handle(message)
  const { user, system } = process.cpuUsage(before)
  if (listens === true) end.unsubscribe(ignore)
  const counted = running.map((collector) => collector.rows()[0]?.count ?? 0)
  stop()
  if (isStopped !== true && counted.some((count) => count !== CALLS)) throw new Error('miscounted')
  return (user + system) / CALLS
}

async function section(tool: string): Promise<string> {
  const times = new Map(WAYS.map((way) => [way, [] as number[]]))
  for (let round = 0; round < ROUNDS; round++) {
    // Each round begins with another way, so that none is always the first.
    const ways = [...times]
    const turned = [...ways.slice(round % ways.length), ...ways.slice(0, round % ways.length)]
    for (const [way, list] of turned) {
      const us = await time(way, tool)
      if (round >= WARM_UP) list.push(us)
    }
  }
  const [off = []] = times.values()
  const rows = [...times].map(([{ name }, list]) => [
    name,
    spread(list, 2),
    name === 'off'
      ? ''
      : spread(
          list.map((us, round) => us - (off[round] ?? Number.NaN)),
          2,
        ),
  ])
  return `A handler that answers ${tool.replace('_', ' ')}:\n\n${table(['collector', 'µs', 'more, µs'], rows)}`
}

await server.ready()
const sections = [await section('at_once'), await section('later')]
const versions = describeRun(['@beam-mcp/core', '@beam-mcp/connectome'])
const how = `In process, medians of ${ROUNDS - WARM_UP} alternating rounds of ${CALLS} calls, with the middle half in brackets; "more" is what each round took more than its own round without a collector.`
publish('collector', [`${versions} ${how}`, ...sections].join('\n\n'), 'connectome-observed.md')
