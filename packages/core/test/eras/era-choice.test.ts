// SPDX-License-Identifier: Apache-2.0
import { createCatalog, defineTool } from '@beam-mcp/core'
import type { ProtocolVersion } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { createApp } from '../support/app.ts'
import { META, VERSION } from '../support/messages.ts'
import { BOTH, bare, OLDER, postOld, VERSION_KEY } from '../support/older-client.ts'
import { createCheckedServer } from '../support/server.ts'
import { buildProgram, startProgram } from '../support/stdio-child.ts'

const CATALOG = createCatalog({ tools: [defineTool({ name: 'say', handler: () => 'said' })] })

/** What a message may carry in `params._meta`. */
const METAS = {
  'no _meta': undefined,
  'a _meta of others': { progressToken: 7, 'com.example/x': 1 },
  'a _meta that lacks its version': { 'io.modelcontextprotocol/clientCapabilities': {} },
  '2026-07-28': META,
  '2025-11-25': { [VERSION_KEY]: OLDER },
  'v999.0.0': { ...META, [VERSION_KEY]: 'v999.0.0' },
  'a number': { ...META, [VERSION_KEY]: 20260728 },
} as const
type MetaName = keyof typeof METAS

/** What the `MCP-Protocol-Version` header may say; two are two lines. */
const HEADERS = {
  'no header': undefined,
  '2026-07-28': VERSION,
  '2025-11-25': OLDER,
  '2025-06-18': '2025-06-18',
  'v999.0.0': 'v999.0.0',
  'two headers': [OLDER, VERSION],
} as const
type HeaderName = keyof typeof HEADERS

const METHODS = [
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'tools/call',
  'subscriptions/listen',
  'nope',
] as const
type MethodName = (typeof METHODS)[number]

const MODERN_METHODS = new Set<string>(['server/discover', 'tools/list', 'tools/call'])
const LEGACY_METHODS = new Set<string>(['initialize', 'ping', 'tools/list', 'tools/call'])

function messageOf(method: MethodName, meta: MetaName, tool = 'say'): Record<string, unknown> {
  const named = method === 'tools/call' ? { name: tool } : {}
  const opening = method === 'initialize' ? { protocolVersion: OLDER, capabilities: {} } : {}
  const read = METAS[meta]
  return bare(method, { ...named, ...opening, ...(read !== undefined && { _meta: read }) })
}

/** The version that a body names by a string. */
function namedBy(meta: MetaName): string | undefined {
  const named = (METAS[meta] as Record<string, unknown> | undefined)?.[VERSION_KEY]
  return typeof named === 'string' ? named : undefined
}

function isBroken(meta: MetaName): boolean {
  return meta === 'a _meta that lacks its version' || meta === 'a number'
}

/** Sums an answer up: its era where it is a result, its code where it is an error. */
function sumUp(answer: unknown): string {
  const { result, error } = answer as {
    readonly result?: Readonly<Record<string, unknown>>
    readonly error?: { readonly code: number }
  }
  if (error !== undefined) return String(error.code)
  if (result?.['protocolVersion'] !== undefined) return `handshake ${result['protocolVersion']}`
  return result?.['resultType'] === undefined ? 'older result' : 'newer result'
}

/** What the table of docs/eras.md says of HTTP with both revisions. */
function expectedOverHttp(method: MethodName, meta: MetaName, header: HeaderName): string {
  const isModernMethod = method === 'server/discover' || method === 'subscriptions/listen'
  const isModernHeader = !['no header', '2025-11-25', '2025-06-18'].includes(header)
  const named = namedBy(meta)
  if (!isModernMethod && !isModernHeader && (named === undefined || named === OLDER)) {
    if (method === 'initialize') return `200 handshake ${OLDER}`
    if (header === '2025-06-18') return '400 -32600'
    if (isBroken(meta)) return '400 -32602'
    return LEGACY_METHODS.has(method) ? '200 older result' : '200 -32601'
  }
  if (named === undefined) return '400 -32602'
  if (HEADERS[header] !== named) return '400 -32020'
  if (named !== VERSION) return '400 -32022'
  return MODERN_METHODS.has(method) ? '200 newer result' : '404 -32601'
}

/** The same of a transport without headers. */
function expectedInProcess(method: MethodName, meta: MetaName): string {
  const named = namedBy(meta)
  if (method === 'initialize') return `handshake ${OLDER}`
  if (method === 'server/discover') {
    if (meta === 'a number') return '-32602'
    return meta === 'v999.0.0' ? '-32022' : 'newer result'
  }
  if (isBroken(meta)) return '-32602'
  if (named === undefined || named === OLDER) {
    return LEGACY_METHODS.has(method) ? 'older result' : '-32601'
  }
  if (named !== VERSION) return '-32022'
  return MODERN_METHODS.has(method) ? 'newer result' : '-32601'
}

const metas = Object.keys(METAS) as MetaName[]
const headers = Object.keys(HEADERS) as HeaderName[]

describe('the era of a request over HTTP, with both revisions', () => {
  const cases = METHODS.flatMap((method) => metas.map((meta) => [method, meta] as const))

  test.each(cases)(
    '[VER-05, L-HTTP-17] of %s with %s goes by the body and by every header',
    async (method, meta) => {
      const app = await createApp({ ...CATALOG, revisions: BOTH })
      const seen: Record<string, string> = {}
      for (const header of headers) {
        const version = HEADERS[header]
        const response = await postOld(app, messageOf(method, meta), {
          'mcp-protocol-version': version,
          'mcp-method': method,
          ...(method === 'tools/call' && { 'mcp-name': 'say' }),
        })
        seen[header] = `${response.statusCode} ${sumUp(response.json())}`
      }
      const expected = headers.map((header) => [header, expectedOverHttp(method, meta, header)])
      expect(seen).toEqual(Object.fromEntries(expected))
    },
  )

  test('[L-HTTP-15] is never decided by Mcp-Method', async () => {
    const app = await createApp({ ...CATALOG, revisions: BOTH })
    for (const named of ['server/discover', 'initialize', 'nope', undefined]) {
      const older = await postOld(app, bare('tools/list'), { 'mcp-method': named })
      expect([older.statusCode, sumUp(older.json())]).toEqual([200, 'older result'])
      const newer = await postOld(app, messageOf('tools/list', '2026-07-28'), {
        'mcp-protocol-version': VERSION,
        'mcp-method': named,
      })
      expect([newer.statusCode, sumUp(newer.json())]).toEqual([400, '-32020'])
    }
  })
})

describe('the era of a request without headers, with both revisions', () => {
  const server = createCheckedServer({ ...CATALOG, revisions: BOTH })
  const cases = METHODS.flatMap((method) => metas.map((meta) => [method, meta] as const))

  test.each(cases)('[L-IO-10, L-IO-11] of %s with %s goes by the body', async (method, meta) => {
    const answer = await server.handle(messageOf(method, meta))
    expect(sumUp(answer)).toBe(expectedInProcess(method, meta))
  })

  test('[L-IO-11] of server/discover is the newer one whatever its params are', async () => {
    for (const params of [undefined, null, [], 'x', { _meta: null }, { _meta: 5 }]) {
      const answer = await server.handle(bare('server/discover', params))
      expect(answer?.result).toMatchObject({ supportedVersions: BOTH, resultType: 'complete' })
    }
  })

  test('[VER-02] that names none of both is told both', async () => {
    for (const method of ['tools/list', 'server/discover'] as const) {
      const answer = await server.handle(messageOf(method, 'v999.0.0'))
      expect(answer?.error).toEqual({
        code: -32022,
        message: 'Unsupported protocol version',
        data: { supported: BOTH, requested: 'v999.0.0' },
      })
    }
  })
})

describe('the era of a request to a process', () => {
  test('[L-IO-10, IO-05] goes by the body, whatever came before on the pipe', async () => {
    const child = startProgram(await buildProgram('atlas'))
    const cases = METHODS.flatMap((method) => metas.map((meta) => [method, meta] as const))
    // Forwards and back: nothing depends on what a request follows.
    for (const [method, meta] of [...cases, ...cases.toReversed()]) {
      child.send(messageOf(method, meta, 'demolish'))
      const answer = await child.next()
      expect(sumUp(answer), `${method}, ${meta}`).toBe(expectedInProcess(method, meta))
    }
    child.end()
    expect(await child.exit).toEqual({ code: 0, signal: null })
  })
})

describe('the era of a request, with 2025-11-25 alone', () => {
  const revisions: readonly ProtocolVersion[] = [OLDER]

  /** There is no newer era: what names one is refused, everything else is older. */
  function expected(method: MethodName, meta: MetaName, header: HeaderName | undefined): string {
    const named = namedBy(meta)
    const isKnown = LEGACY_METHODS.has(method)
    if (header === undefined && method === 'initialize') return `handshake ${OLDER}`
    if (method !== 'server/discover' && named !== undefined && named !== OLDER) return 'refused'
    if (method === 'initialize') return `handshake ${OLDER}`
    if (header !== undefined && header !== 'no header' && header !== '2025-11-25') return 'refused'
    if (isBroken(meta)) return '-32602'
    return isKnown ? 'older result' : '-32601'
  }

  test.each(METHODS)('of %s is the older one, or it is refused', async (method) => {
    const server = createCheckedServer({ ...CATALOG, revisions })
    const app = await createApp({ ...CATALOG, revisions })
    for (const meta of metas) {
      const answer = sumUp(await server.handle(messageOf(method, meta)))
      const wanted = expected(method, meta, undefined)
      expect(answer, meta).toBe(wanted === 'refused' ? '-32022' : wanted)
      for (const header of headers) {
        const given = { 'mcp-protocol-version': HEADERS[header], 'mcp-method': method }
        const response = await postOld(app, messageOf(method, meta), given)
        const seen = sumUp(response.json())
        const isRefused = response.statusCode === 400 && seen !== '-32602'
        expect(isRefused ? 'refused' : seen, `${meta}, ${header}`).toBe(
          expected(method, meta, header),
        )
      }
    }
  })
})
