// SPDX-License-Identifier: Apache-2.0
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestClient } from '@beam-mcp/core/testing'
import type { FastifyInstance } from 'fastify'
import {
  type CryptoKey,
  createLocalJWKSet,
  createRemoteJWKSet,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { INTERNAL, UNAUTHORIZED } from '../support/answers.ts'
import { type BearerConfig, createApp } from './bearer.ts'

const PUBLIC_URL = 'https://api.example/public/mcp'
const METADATA_URL = 'https://api.example/.well-known/oauth-protected-resource/public/mcp'
const ISSUER = 'https://login.example'
const NO_TOKEN = `Bearer scope="tools:read tools:call", resource_metadata="${METADATA_URL}"`
const BAD_TOKEN = NO_TOKEN.replace('Bearer ', 'Bearer error="invalid_token", ')
const METADATA = {
  resource: PUBLIC_URL,
  authorization_servers: [ISSUER],
  bearer_methods_supported: ['header'],
  scopes_supported: ['tools:read', 'tools:call'],
}

let signer: CryptoKey
let stranger: CryptoKey
let published: string
let jwks: { keys: Awaited<ReturnType<typeof exportJWK>>[] }

beforeAll(async () => {
  const pair = await generateKeyPair('ES256', { extractable: true })
  signer = pair.privateKey
  published = await exportSPKI(pair.publicKey)
  stranger = (await generateKeyPair('ES256')).privateKey
  jwks = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' }] }
})

function configured(more: Partial<BearerConfig> = {}): BearerConfig {
  return {
    publicUrl: PUBLIC_URL,
    issuer: ISSUER,
    keys: createLocalJWKSet(jwks),
    scopes: 'tools:read tools:call',
    ...more,
  }
}

/** A token that is right in everything, but for what is given. */
function token(
  claims: Readonly<Record<string, unknown>> = {},
  key = signer,
  header: object = {},
): Promise<string> {
  const seconds = Math.floor(Date.now() / 1000)
  const payload = { iss: ISSUER, aud: PUBLIC_URL, sub: 'ada', exp: seconds + 60, ...claims }
  const given = Object.entries(payload).filter(([, value]) => value !== undefined)
  return new SignJWT(Object.fromEntries(given))
    .setProtectedHeader({ alg: 'ES256', kid: 'one', ...header })
    .sign(key)
}

function whoami(app: FastifyInstance, authorization: string | undefined, path = '/mcp') {
  const headers = authorization === undefined ? {} : { authorization }
  return createTestClient(app, { path, headers }).callTool('whoami')
}

describe('bearer tokens', () => {
  test('[AUTH-05] admits a token of this issuer for this endpoint, as its subject', async () => {
    const app = await createApp(configured())
    for (const scheme of ['Bearer', 'bearer']) {
      const answer = await whoami(app, `${scheme} ${await token()}`)
      expect(answer).toMatchObject({
        status: 200,
        result: { structuredContent: { subject: 'ada' }, isError: false },
      })
    }
  })

  test.each([
    ['no token', undefined],
    ['another scheme', 'Basic YWRhOnMzY3JldA=='],
    ['a scheme without a token', 'Bearer '],
  ])('[AUTH-07] answers 401 and where to go, without an error, to %s', async (_, value) => {
    const { status, headers, error } = await whoami(await createApp(configured()), value)
    expect([status, headers['www-authenticate'], error]).toEqual([
      401,
      NO_TOKEN,
      UNAUTHORIZED['error'],
    ])
  })

  const seconds = (offset: number): number => Math.floor(Date.now() / 1000) + offset

  test.each<[string, () => string | Promise<string>]>([
    ['no token at all but a word', () => 'garbage'],
    ['another key', () => token({}, stranger)],
    ['a key that is not published', () => token({}, signer, { kid: 'two' })],
    ['another issuer', () => token({ iss: 'https://evil.test' })],
    ['another audience', () => token({ aud: 'https://api.example/other' })],
    ['no audience', () => token({ aud: undefined })],
    ['a time that has run out', () => token({ exp: seconds(-1) })],
    ['a time that has not begun', () => token({ nbf: seconds(60) })],
    ['no end of its time', () => token({ exp: undefined })],
    ['no subject', () => token({ sub: undefined })],
    ['a changed payload', async () => (await token()).replace(/\.(.{9})/, '.AAAAAAAAA')],
    [
      'no signature',
      () =>
        new UnsecuredJWT({ sub: 'ada' })
          .setIssuer(ISSUER)
          .setAudience(PUBLIC_URL)
          .setExpirationTime(seconds(60))
          .encode(),
    ],
    [
      'the public key taken for a secret',
      () =>
        new SignJWT({ sub: 'ada' })
          .setProtectedHeader({ alg: 'HS256', kid: 'one' })
          .setIssuer(ISSUER)
          .setAudience(PUBLIC_URL)
          .setExpirationTime(seconds(60))
          .sign(Buffer.from(published)),
    ],
  ])('[AUTH-05] [AUTH-07] answers 401 and invalid_token to a token of %s', async (_, make) => {
    const { status, headers } = await whoami(
      await createApp(configured()),
      `Bearer ${await make()}`,
    )
    expect([status, headers['www-authenticate']]).toEqual([401, BAD_TOKEN])
  })

  test('[AUTH-04] takes no token from the query string', async () => {
    const app = await createApp(configured())
    const path = `/mcp?access_token=${await token()}`
    expect((await whoami(app, undefined, path)).status).toBe(401)
  })

  test('fetches the keys it is told of, and answers 500 where it cannot', async () => {
    const state = { status: 200 }
    const issuer = createServer((_, response) => {
      response.writeHead(state.status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(jwks))
    })
    issuer.listen(0, '127.0.0.1')
    onTestFinished(() => {
      issuer.closeAllConnections()
      issuer.close()
    })
    await new Promise((resolve) => issuer.once('listening', resolve))
    const url = new URL(`http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks`)
    const good = `Bearer ${await token()}`
    const app = await createApp(configured({ keys: createRemoteJWKSet(url) }))
    expect((await whoami(app, good)).status).toBe(200)
    state.status = 503
    const other = await createApp(configured({ keys: createRemoteJWKSet(url) }))
    const { status, error, headers } = await whoami(other, good)
    expect([status, error, headers['www-authenticate']]).toEqual([
      500,
      INTERNAL['error'],
      undefined,
    ])
  })
})

describe('protected-resource metadata', () => {
  const get = async (app: FastifyInstance, url: string) => {
    const response = await app.inject({ url })
    return { status: response.statusCode, body: response.json() }
  }

  test.each([
    ['the path of the endpoint', '/.well-known/oauth-protected-resource/public/mcp'],
    ['the root', '/.well-known/oauth-protected-resource'],
  ])('[AUTH-02] [AUTH-03] is served without a token at %s', async (_, url) => {
    expect(await get(await createApp(configured()), url)).toEqual({ status: 200, body: METADATA })
  })

  test('[AUTH-03] is where the challenge says', async () => {
    const app = await createApp(configured())
    const { headers } = await whoami(app, undefined)
    const [, url = ''] =
      /resource_metadata="([^"]+)"/.exec(String(headers['www-authenticate'])) ?? []
    expect(await get(app, new URL(url).pathname)).toEqual({ status: 200, body: METADATA })
  })

  test.each([
    ['under a prefix', '/v1', '/v1/mcp'],
    ['behind a proxy that takes the front of the path away', '', '/mcp'],
    ['behind a proxy that adds to it', '/internal/a', '/internal/a/mcp'],
  ])('[AUTH-02] names the public url %s', async (_, prefix, path) => {
    const app = await createApp(configured(), prefix)
    const refused = await whoami(app, undefined, path)
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, NO_TOKEN])
    const url = '/.well-known/oauth-protected-resource/public/mcp'
    expect(await get(app, url)).toEqual({ status: 200, body: METADATA })
    expect((await whoami(app, `Bearer ${await token()}`, path)).status).toBe(200)
  })

  test('has one path where the public url is the root', async () => {
    const app = await createApp(configured({ publicUrl: 'https://api.example' }))
    const url = '/.well-known/oauth-protected-resource'
    expect(await get(app, url)).toMatchObject({
      status: 200,
      body: { resource: 'https://api.example' },
    })
    const { headers } = await whoami(app, undefined)
    expect(headers['www-authenticate']).toContain(`"https://api.example${url}"`)
  })

  test('[AUTH-13] names nothing that a request says of itself', async () => {
    const app = await createApp(configured())
    const headers = {
      host: 'evil.test',
      forwarded: 'host=evil.test;proto=http',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-proto': 'http',
      'x-forwarded-prefix': '/evil',
      ':authority': 'evil.test',
    }
    const refused = await createTestClient(app, { headers }).callTool('whoami')
    expect(refused.headers['www-authenticate']).toBe(NO_TOKEN)
    const url = '/.well-known/oauth-protected-resource/public/mcp'
    expect((await app.inject({ url, headers })).json()).toEqual(METADATA)
  })
})
