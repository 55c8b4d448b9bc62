// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  errorAnswer,
  FORBIDDEN,
  mismatch,
  ORIGIN_REFUSED,
  valueResult,
} from '../support/answers.ts'
import { listen } from '../support/app.ts'
import { call, headersFor } from '../support/messages.ts'
import { findFreePort, startNginx } from '../support/nginx.ts'
import { createApp } from './behind-proxy.ts'

const CALL = call('whence')
const GOOD = { host: 'api.example', authorization: 'Bearer s3cret' }
const KIB = 1024

interface Given {
  readonly headers?: Record<string, string | readonly string[]>
  readonly body?: string
  /** Sends the body without a declared length. */
  readonly isChunked?: boolean
}

interface Got {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
  /** The port that the client's connection has, by which it is told from others. */
  readonly from: number | undefined
}

/** The application, nginx in front of it, and a client of either with another address. */
async function start() {
  const app = await createApp(['api.example'])
  const port = await listen(app)
  const proxyPort = await findFreePort()
  const site = readFileSync(new URL('nginx.conf', import.meta.url), 'utf8')
    .replace('127.0.0.1:3000', `127.0.0.1:${port}`)
    .replace('127.0.0.1:8080', `127.0.0.1:${proxyPort}`)
  await startNginx(site)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const send = async (to: number, { headers = {}, body, isChunked }: Given): Promise<Got> => {
    const payload = body ?? JSON.stringify(CALL)
    const length = isChunked === true ? {} : { 'content-length': Buffer.byteLength(payload) }
    const asked = request({
      host: '127.0.0.1',
      port: to,
      localAddress: '127.0.0.5',
      agent,
      method: 'POST',
      path: '/mcp',
      headers: { ...headersFor(CALL), ...GOOD, ...length, ...headers },
    })
    asked.end(payload)
    const [response] = await once(asked, 'response')
    const from = response.socket.localPort
    let text = ''
    for await (const chunk of response) text += chunk
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    const read: unknown = isJson ? JSON.parse(text) : text
    return { status: response.statusCode, headers: response.headers, body: read, from }
  }
  const throughProxy = (given: Given = {}): Promise<Got> => send(proxyPort, given)
  const pastProxy = (given: Given = {}): Promise<Got> => send(port, given)
  return { throughProxy, pastProxy }
}

const whence = (ip: string) => valueResult({ ip, protocol: 'http' })

describe('an endpoint behind nginx', () => {
  test('is told the address of the client, whatever the client says of it', async () => {
    const { throughProxy } = await start()
    expect((await throughProxy()).body).toEqual(whence('127.0.0.5'))
    const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
    expect((await throughProxy({ headers })).body).toEqual(whence('127.0.0.5'))
  })

  test('believes nobody else that comes past nginx', async () => {
    const { pastProxy } = await start()
    const headers = { 'x-forwarded-for': '203.0.113.9' }
    expect((await pastProxy({ headers })).body).toEqual(whence('127.0.0.5'))
  })

  test('[HTTP-04] sees the host that the client named', async () => {
    const { throughProxy } = await start()
    const { status, body } = await throughProxy({ headers: { host: 'evil.test' } })
    expect([status, body]).toEqual([403, errorAnswer(-32600, 'Host not allowed')])
  })

  test('sees every line of a header', async () => {
    const { throughProxy } = await start()
    const { status, body } = await throughProxy({ headers: { 'mcp-name': ['whence', 'other'] } })
    const why = 'mcp-name header does not match the corresponding request body value'
    expect([status, body]).toEqual([400, mismatch(why)])
  })

  test('is given a declared length where the client declared none', async () => {
    const { throughProxy } = await start()
    const { status, body } = await throughProxy({ isChunked: true })
    expect([status, body]).toEqual([200, whence('127.0.0.5')])
  })

  test('is spared what is larger than its limit, in its own words', async () => {
    const { throughProxy } = await start()
    const most = JSON.stringify(CALL).padEnd(KIB * KIB)
    expect((await throughProxy({ body: most })).status).toBe(200)
    for (const isChunked of [false, true]) {
      const { status, headers, body } = await throughProxy({ body: `${most} `, isChunked })
      expect([status, headers['content-type'], body]).toEqual([
        413,
        'application/json',
        errorAnswer(-32600, `Request body exceeds ${KIB * KIB} bytes`),
      ])
    }
  })

  test("keeps the client's connection where its own with nginx ends", async () => {
    const { throughProxy } = await start()
    const refused = await throughProxy({ headers: { origin: 'https://evil.test' } })
    expect([refused.status, refused.body]).toEqual([403, ORIGIN_REFUSED])
    expect(refused.headers['connection']).toBe('keep-alive')
    const again = await throughProxy({ headers: { authorization: 'Bearer other' } })
    expect([again.status, again.body, again.from]).toEqual([403, FORBIDDEN, refused.from])
    const served = await throughProxy()
    expect([served.status, served.from]).toEqual([200, refused.from])
  })
})
