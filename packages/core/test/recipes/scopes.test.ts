// SPDX-License-Identifier: Apache-2.0
import { createTestClient } from '@beam-mcp/core/testing'
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { errorAnswer } from '../support/answers.ts'
import { createApp } from './scopes.ts'

const PUBLIC_URL = 'https://api.example/mcp'
const ISSUER = 'https://login.example'
const METADATA = 'https://api.example/.well-known/oauth-protected-resource/mcp'

/** A client whose token was given these scopes. */
async function clientWith(scope: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] })
  const app = await createApp({ publicUrl: PUBLIC_URL, issuer: ISSUER, keys, scopes: 'notes:read' })
  const token = await new SignJWT({ scope, sub: 'ada' })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuer(ISSUER)
    .setAudience(PUBLIC_URL)
    .setExpirationTime('1 minute')
    .sign(privateKey)
  return createTestClient(app, { headers: { authorization: `Bearer ${token}` } })
}

const NARROW = 'notes:read'
const challenge = (scope: string): string =>
  `Bearer error="insufficient_scope", scope="${scope}", resource_metadata="${METADATA}"`

describe('a scope for each tool', () => {
  test.each([
    ['its own scope', NARROW, 'read_note'],
    ['its own scope among others', 'email notes:write profile', 'write_note'],
    ['a broader one', 'notes', 'write_note'],
  ])('[AUTH-10] admits a call with %s', async (_, scope, tool) => {
    const { status, result } = await (await clientWith(scope)).callTool(tool)
    expect([status, result?.['isError']]).toEqual([200, false])
  })

  test.each([
    ['a narrower one', NARROW, 'write_note', 'notes:write'],
    ['none', '', 'read_note', NARROW],
    ['one that only begins alike', 'notes:readonly note', 'read_note', NARROW],
    ['all that there are, for a tool that nobody listed', 'notes', 'forgotten', 'nobody'],
    ['all that there are, for a tool that does not exist', 'notes', 'none', 'nobody'],
  ])('[AUTH-08] answers 403 with a challenge to a call with %s', async (_, scope, tool, needed) => {
    const { status, headers, id, error } = await (await clientWith(scope)).callTool(tool)
    expect([status, headers['www-authenticate']]).toEqual([403, challenge(needed)])
    expect({ jsonrpc: '2.0', id, error }).toEqual(errorAnswer(-32600, 'Forbidden', { id }))
  })

  test('asks nothing of a list', async () => {
    const { status, result } = await (await clientWith('')).listTools()
    expect(status).toBe(200)
    expect(result?.['tools']).toHaveLength(3)
  })
})
