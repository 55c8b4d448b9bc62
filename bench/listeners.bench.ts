// SPDX-License-Identifier: Apache-2.0
// How many KiB does a listener that hears nothing hold, over bare Fastify and over bare node:http, and what
// do a thousand of them cost the calls beside them?
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { availableParallelism, cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Gauge } from './http/meter.ts'
import { type ServerProcess, startServer } from './http/processes.ts'

const COUNTS = [500, 1_000, 2_000]
const AT_ONCE = 50
const KIB = 1_024
const CALLS = 2_000
const CALLS_PER_SECOND = 200
const CHANGES_PER_SECOND = 2
const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
}
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

function post(
  port: number,
  method: string,
  params: object,
  agent?: Agent,
): Promise<IncomingMessage> {
  const name = (params as { readonly name?: string }).name
  const headers = {
    ...HEADERS,
    'mcp-method': method,
    ...(name !== undefined && { 'mcp-name': name }),
  }
  const asked = request({
    host: '127.0.0.1',
    port,
    path: '/mcp',
    method: 'POST',
    headers,
    agent: agent ?? false,
  })
  asked.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }))
  return once(asked, 'response').then(([response]) => response as IncomingMessage)
}

/** A stream that has begun; what comes on it is counted. */
async function listen(port: number, onMessage: () => void): Promise<IncomingMessage> {
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['atlas://city/a'] }
  const response = await post(port, 'subscriptions/listen', { notifications })
  response.on('error', () => undefined)
  response.on('data', onMessage)
  await once(response, 'data')
  return response
}

async function listenMany(
  port: number,
  count: number,
  onMessage: () => void,
): Promise<IncomingMessage[]> {
  const streams: IncomingMessage[] = []
  while (streams.length < count) {
    const more = Math.min(AT_ONCE, count - streams.length)
    streams.push(
      ...(await Promise.all(Array.from({ length: more }, () => listen(port, onMessage)))),
    )
  }
  return streams
}

async function untilGone(server: ServerProcess): Promise<void> {
  while ((await server.read()).connections > 0) await sleep(50)
}

/** Bytes per listener. */
async function measure(script: string, count: number): Promise<{ held: number; rss: number }> {
  const server = await startServer(script, [], ['--expose-gc'])
  // What is made at the first of them is nobody's.
  for (const stream of await listenMany(server.port, 50, () => undefined)) stream.destroy()
  await untilGone(server)
  const before: Gauge = await server.read('memory')
  const streams = await listenMany(server.port, count, () => undefined)
  const during: Gauge = await server.read('memory')
  for (const stream of streams) stream.destroy()
  await untilGone(server)
  server.stop()
  return {
    held: (during.held - before.held) / count,
    rss: (during.rss - before.rss) / count,
  }
}

/** Milliseconds of calls at a steady rate: median and 99th percentile. */
async function callBeside(server: ServerProcess): Promise<readonly [number, number]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  const times: number[] = []
  const running: Promise<void>[] = []
  const startedAt = performance.now()
  for (let index = 0; index < CALLS; index += 1) {
    const due = startedAt + (index * 1_000) / CALLS_PER_SECOND
    const wait = due - performance.now()
    if (wait > 0) await sleep(wait)
    running.push(call(server.port, agent, times))
  }
  await Promise.all(running)
  agent.destroy()
  times.sort((a, b) => a - b)
  return [times[Math.floor(CALLS / 2)] ?? 0, times[Math.floor(CALLS * 0.99)] ?? 0]
}

async function call(port: number, agent: Agent, times: number[]): Promise<void> {
  const startedAt = performance.now()
  const response = await post(port, 'tools/call', { name: 'echo', arguments: {} }, agent)
  if (response.statusCode !== 200) throw new Error(`a call got ${response.statusCode}`)
  response.resume()
  await once(response, 'end')
  times.push(performance.now() - startedAt)
}

console.log(`Node ${process.version}, ${availableParallelism()} cores, ${cpus()[0]?.model}`)
console.log('\nKiB per listener that hears nothing: held by JavaScript, and of resident memory')
for (const [name, script] of [
  ['bare node:http', 'serve-node-streams'],
  ['bare Fastify', 'serve-fastify-streams'],
  ['this plugin', 'serve-listeners'],
] as const) {
  for (const count of COUNTS) {
    const { held, rss } = await measure(script, count)
    console.log(
      `${name}, ${count} listeners: ${(held / KIB).toFixed(1)} held, ${(rss / KIB).toFixed(1)} resident`,
    )
  }
}

console.log(`\n${CALLS_PER_SECOND} calls a second: median and 99th percentile in ms`)
for (const count of [0, 1_000]) {
  const server = await startServer('serve-listeners', [], ['--expose-gc'])
  let messages = 0
  const streams = await listenMany(server.port, count, () => {
    messages += 1
  })
  const before = messages
  const timer = setInterval(
    () => void post(server.port, 'tools/call', { name: 'change', arguments: {} }),
    1_000 / CHANGES_PER_SECOND,
  )
  const [median, slow] = await callBeside(server)
  clearInterval(timer)
  console.log(
    `beside ${count} listeners, ${CHANGES_PER_SECOND} changes a second: ${median.toFixed(2)}, ${slow.toFixed(2)}; ${messages - before} messages heard`,
  )
  for (const stream of streams) stream.destroy()
  server.stop()
}
