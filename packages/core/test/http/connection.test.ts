// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { createCatalog, defineTool } from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import {
  closed,
  FORBIDDEN,
  kept,
  NO_JSON,
  ORIGIN_REFUSED,
  see,
  valueResult,
  WRONG_TYPE,
} from '../support/answers.ts'
import { createApp, echoCatalog, listen, watched } from '../support/app.ts'
import { call } from '../support/messages.ts'
import { linesFor, rawPost, rawRequest, without } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CALL = call('echo', { text: 'hi' })
const served = (id: unknown) => kept(200, valueResult({ text: 'hi' }, id))

/** A tool that waits until the test lets it go on. */
function heldTool() {
  const gate: { open: () => void } = { open: () => undefined }
  const entered: { tell: () => void } = { tell: () => undefined }
  const isEntered = new Promise<void>((resolve) => (entered.tell = resolve))
  const opened = new Promise<void>((resolve) => (gate.open = resolve))
  const hold = defineTool({
    name: 'hold',
    handler: async () => {
      entered.tell()
      await opened
      return { held: true }
    },
  })
  return { hold, isEntered, open: () => gate.open() }
}

describe('a connection after a refusal', () => {
  test.each([
    ['another content type', [['content-type', 'text/plain']] as const, kept(415, WRONG_TYPE)],
    ['two content types', [['content-type', 'application/json']] as const, undefined],
  ])('goes on after %s', async (_, lines, expected) => {
    const { options, seen } = echoCatalog()
    const socket = await openRawSocket(await listen(await createApp(options)))
    const base = linesFor(CALL)
    const sent = expected === undefined ? base : without(base, 'content-type')
    socket.send(rawRequest([...sent, ...lines], JSON.stringify(CALL)))
    expect(see(await socket.read())).toEqual(kept(415, WRONG_TYPE))
    socket.send(rawPost(CALL))
    expect(see(await socket.read())).toEqual(served(1))
    expect(seen).toHaveLength(1)
  })

  test('goes on after a body that is no JSON, and after a refusal by authorizeBody', async () => {
    const { options } = echoCatalog()
    const authorizeBody = (_: unknown, bytes: Buffer) =>
      bytes.includes('forbidden') ? ({ ok: false } as const) : ({ ok: true } as const)
    const app = await createApp({ ...options, authorizeBody })
    const socket = await openRawSocket(await listen(app))
    socket.send(rawRequest(linesFor(CALL), '{"jsonrpc":'))
    expect(see(await socket.read())).toEqual(kept(400, NO_JSON))
    socket.send(rawRequest(linesFor(CALL), '"forbidden"'))
    expect(see(await socket.read())).toEqual(kept(403, FORBIDDEN))
    socket.send(rawPost(CALL))
    expect(see(await socket.read())).toEqual(served(1))
  })

  test('carries pipelined requests, answered in their order', async () => {
    const { options } = echoCatalog()
    const socket = await openRawSocket(await listen(await createApp(options)))
    const bad = rawRequest(linesFor(CALL), 'no')
    const one = rawPost(call('echo', { text: 'hi' }, 'one'))
    const two = rawPost(call('echo', { text: 'hi' }, 'two'))
    socket.send(Buffer.concat([one, bad, two]))
    expect(see(await socket.read())).toEqual(served('one'))
    expect(see(await socket.read())).toEqual(kept(400, NO_JSON))
    expect(see(await socket.read())).toEqual(served('two'))
  })

  test('serves nothing that was pipelined behind a refusal before the body', async () => {
    const { options, seen } = echoCatalog()
    const socket = await openRawSocket(await listen(await createApp(options)))
    const refused = rawPost(CALL, [['origin', 'https://evil.test']])
    socket.send(Buffer.concat([refused, rawPost(CALL)]))
    expect(see(await socket.read())).toEqual(closed(403, ORIGIN_REFUSED))
    expect(await socket.ended()).toEqual([])
    expect(seen).toHaveLength(0)
  })

  test('takes no refused body for a request', async () => {
    const { options, seen } = echoCatalog()
    const socket = await openRawSocket(await listen(await createApp(options)))
    socket.send(rawRequest([...linesFor(CALL), ['origin', 'https://evil.test']], rawPost(CALL)))
    expect(see(await socket.read())).toEqual(closed(403, ORIGIN_REFUSED))
    expect(await socket.ended()).toEqual([])
    expect(seen).toHaveLength(0)
  })

  test('leaves the server to the next connection', async () => {
    const { options } = echoCatalog()
    const port = await listen(await createApp(options))
    const first = await openRawSocket(port)
    first.send(rawRequest([...linesFor(CALL), ['content-length', '33554432']]))
    expect((await first.read()).status).toBe(413)
    const second = await openRawSocket(port)
    second.send(rawPost(CALL))
    expect(see(await second.read())).toEqual(served(1))
  })
})

describe('interleaved callers', () => {
  test('[ENV-10] share an id and get their own answers', async () => {
    const { hold, isEntered, open } = heldTool()
    const { options } = watched(createCatalog({ tools: [hold, echoTool()] }))
    const port = await listen(await createApp(options))
    const slow = await openRawSocket(port)
    const quick = await openRawSocket(port)
    slow.send(rawPost(call('hold', {}, 7)))
    await isEntered
    quick.send(rawPost(call('echo', { text: 'hi' }, 7)))
    expect(see(await quick.read())).toEqual(served(7))
    open()
    expect(see(await slow.read())).toEqual(kept(200, valueResult({ held: true }, 7)))
  })

  test('[ENV-11] remembers nothing of an earlier request on the same connection', async () => {
    const { options } = echoCatalog()
    const authorize = ({ headers }: { headers: Record<string, unknown> }) =>
      headers['authorization'] === 'Bearer good' ? { ok: true as const } : { ok: false as const }
    const port = await listen(await createApp({ ...options, authorize: authorize as never }))
    const socket = await openRawSocket(port)
    socket.send(rawPost(CALL, [['authorization', 'Bearer good']]))
    expect((await socket.read()).status).toBe(200)
    socket.send(rawPost(CALL))
    expect(see(await socket.read())).toEqual(closed(403, FORBIDDEN))
  })
})

describe('a caller that vanishes', () => {
  test('in the middle of its body costs nothing: the next one is served', async () => {
    const { options, seen } = echoCatalog()
    const app = await createApp(options)
    const port = await listen(app)
    const gone = new Promise<void>((resolve) => {
      app.server.once('request', (request) => request.once('close', resolve))
    })
    const first = await openRawSocket(port)
    first.send(rawRequest([...linesFor(CALL), ['content-length', '500']], '{"jsonrpc"'))
    await once(app.server, 'request')
    first.vanish()
    await gone
    const second = await openRawSocket(port)
    second.send(rawPost(CALL))
    expect(see(await second.read())).toEqual(served(1))
    expect(seen).toHaveLength(1)
  })

  test('while its tool runs costs nothing: the next one is served', async () => {
    const { hold, isEntered, open } = heldTool()
    const { options } = watched(createCatalog({ tools: [hold, echoTool()] }))
    const app = await createApp(options)
    const port = await listen(app)
    const gone = new Promise<void>((resolve) => {
      app.server.once('request', (_, response) => response.once('close', resolve))
    })
    const first = await openRawSocket(port)
    first.send(rawPost(call('hold')))
    await isEntered
    first.vanish()
    await gone
    open()
    const second = await openRawSocket(port)
    second.send(rawPost(CALL))
    expect(see(await second.read())).toEqual(served(1))
  })
})

describe('closing the application', () => {
  test('waits for a request in flight, and answers it', async () => {
    const { hold, isEntered, open } = heldTool()
    const { options } = watched(createCatalog({ tools: [hold] }))
    const app = await createApp(options)
    const socket = await openRawSocket(await listen(app))
    socket.send(rawPost(call('hold')))
    await isEntered
    const closing = app.close()
    open()
    expect(see(await socket.read())).toMatchObject({
      status: 200,
      body: valueResult({ held: true }),
    })
    await closing
    expect(app.server.listening).toBe(false)
  })
})

function echoTool() {
  return defineTool({
    name: 'echo',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    handler: (args) => args,
  })
}
