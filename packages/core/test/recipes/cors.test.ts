// SPDX-License-Identifier: Apache-2.0
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestClient } from '@beam-mcp/core/testing'
import { chromium } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen } from '../support/app.ts'
import { call, headersFor } from '../support/messages.ts'
import { createApp } from './cors.ts'

const PAGE = 'https://app.example'
const FOREIGN = 'https://evil.test'
const CALL = call('add', { a: 40, b: 2 })
const SENT = {
  ...headersFor(CALL),
  'mcp-param-a': '40',
  authorization: 'Bearer s3cret',
}

async function preflight(origin: string) {
  const app = await createApp([PAGE])
  const { statusCode, headers } = await app.inject({
    method: 'OPTIONS',
    url: '/mcp',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': Object.keys(SENT).sort().join(','),
    },
  })
  return { statusCode, headers }
}

describe('a page of an origin that is listed', () => {
  test('[HTTP-03] may ask first, without a token, for every header that it will send', async () => {
    const { statusCode, headers } = await preflight(PAGE)
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([204, PAGE])
    expect(headers['access-control-allow-methods']).toBe('POST')
    expect(String(headers['access-control-allow-headers']).split(',')).toEqual(
      Object.keys(SENT).sort(),
    )
  })

  test.each([
    ['an answer', {}, 200],
    ['a refusal before the body', { authorization: 'Bearer other' }, 401],
    ['a refusal after it', { 'mcp-name': 'other' }, 400],
  ])('may read %s, and the headers that it needs', async (_, changed, status) => {
    const app = await createApp([PAGE])
    const { statusCode, headers } = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { ...SENT, origin: PAGE, ...changed },
      payload: JSON.stringify(CALL),
    })
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([status, PAGE])
    expect(headers['access-control-expose-headers']).toBe('WWW-Authenticate, Retry-After')
    expect(headers['vary']).toBe('Origin')
  })
})

describe('a page of another origin', () => {
  test('[HTTP-03] is refused as soon as it asks', async () => {
    const { statusCode, headers } = await preflight(FOREIGN)
    expect([statusCode, headers['access-control-allow-origin']]).toEqual([403, undefined])
  })

  test('[HTTP-03] is refused when it does not ask', async () => {
    const client = createTestClient(await createApp([PAGE]), {
      headers: { origin: FOREIGN, authorization: 'Bearer s3cret' },
    })
    const { status, headers } = await client.discover()
    expect([status, headers['access-control-allow-origin']]).toEqual([403, undefined])
  })
})

const CHROMIUM = '/usr/bin/chromium'

/** Serves an empty page of an origin of its own. */
async function servePage(): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>page</title>')
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe.skipIf(!existsSync(CHROMIUM))('a page in Chromium', () => {
  test('[HTTP-03] calls a tool from a listed origin, and cannot from another', async () => {
    const [listed, foreign] = [await servePage(), await servePage()]
    const app = await createApp([listed])
    const answers: string[] = []
    app.addHook('onResponse', async ({ method, headers }, { statusCode }) => {
      answers.push(`${method} ${headers.origin === listed ? 'listed' : 'foreign'} ${statusCode}`)
    })
    const endpoint = `http://127.0.0.1:${await listen(app)}/mcp`
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
    onTestFinished(() => browser.close())
    const callFrom = async (origin: string, headers: Record<string, string>) => {
      const page = await browser.newPage()
      await page.goto(origin)
      const sent = { endpoint, headers, body: JSON.stringify(CALL) }
      return page.evaluate(async (given) => {
        const asked = { method: 'POST', headers: given.headers, body: given.body }
        try {
          const answer = await fetch(given.endpoint, asked)
          const challenge = answer.headers.get('www-authenticate')
          return { status: answer.status, challenge, body: await answer.json() }
        } catch (error) {
          return { failure: (error as Error).name }
        }
      }, sent)
    }
    expect(await callFrom(listed, SENT)).toMatchObject({
      status: 200,
      body: { result: { structuredContent: { sum: 42 } } },
    })
    expect(await callFrom(listed, { ...SENT, authorization: 'Bearer other' })).toMatchObject({
      status: 401,
      challenge: 'Bearer',
    })
    expect(await callFrom(foreign, SENT)).toEqual({ failure: 'TypeError' })
    // Headers that need no preflight: the call itself goes out, and is refused.
    expect(await callFrom(foreign, { 'content-type': 'text/plain' })).toEqual({
      failure: 'TypeError',
    })
    // How often the browser asks first is its own matter.
    expect([...new Set(answers)]).toEqual([
      'OPTIONS listed 204',
      'POST listed 200',
      'POST listed 401',
      'OPTIONS foreign 403',
      'POST foreign 403',
    ])
  }, 60_000)
})
