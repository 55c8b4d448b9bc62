// SPDX-License-Identifier: Apache-2.0
import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { createCatalog, defineTool } from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { type BodyReading, collectBody } from '../../src/http/collect-body.ts'
import { createApp, listen } from '../support/app.ts'
import { call } from '../support/messages.ts'
import { rawPost } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const BOUNDS = { limit: 100, timeoutMs: 10_000 }

describe('the collection of a body', () => {
  test('tells one reading, whatever the stream does afterwards', async () => {
    const readings: BodyReading[] = []
    const stream = new PassThrough()
    const read = new Promise<void>((resolve) => {
      collectBody(stream, BOUNDS, (reading) => resolve(void readings.push(reading)))
    })
    stream.end('{}')
    await read
    stream.emit('error', new Error('late'))
    stream.emit('close')
    expect(readings).toEqual([{ ok: true, bytes: Buffer.from('{}') }])
  })

  test('tells at once of a stream that is gone already', () => {
    const readings: BodyReading[] = []
    const stream = new PassThrough()
    stream.destroy()
    collectBody(stream, BOUNDS, (reading) => void readings.push(reading))
    expect(readings).toEqual([{ ok: false, why: 'gone' }])
  })

  test("goes on in the context that the host's hook began", async () => {
    const storage = new AsyncLocalStorage<string>()
    const tell = defineTool({ name: 'tell', handler: () => storage.getStore() ?? 'none' })
    const app = await createApp(createCatalog({ tools: [tell] }))
    app.addHook('onRequest', (request, _reply, done) => {
      storage.run(`context of ${String(request.headers['x-name'])}`, done)
    })
    const socket = await openRawSocket(await listen(app))
    const bytes = rawPost(call('tell'), [['x-name', 'one']])
    const half = bytes.length - 10
    const asked = once(app.server, 'request')
    socket.send(bytes.subarray(0, half))
    await asked
    socket.send(bytes.subarray(half))
    const { body } = await socket.read()
    expect(JSON.parse(body)).toMatchObject({
      result: { content: [{ type: 'text', text: 'context of one' }] },
    })
  })
})
