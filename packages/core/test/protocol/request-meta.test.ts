// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { readJson } from '../../src/json/read-json.ts'
import { readRequestMeta } from '../../src/protocol/request-meta.ts'
import { META, request, VERSION } from '../support/messages.ts'
import { errorAnswer, serve } from '../support/server.ts'

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
const { server } = serve({})

const ask = (params: unknown, method = 'tools/list') =>
  server.handle({ jsonrpc: '2.0', id: 1, method, params })
const askMeta = (meta: unknown, method?: string) => ask({ _meta: meta }, method)

const NO_VERSION = errorAnswer(
  -32602,
  `Invalid params: params._meta with ${VERSION_KEY} is required on every request`,
)
const NO_OBJECT = errorAnswer(-32602, 'Invalid params: params._meta must be an object')
const unsupported = (requested: string) =>
  errorAnswer(-32022, 'Unsupported protocol version', { supported: [VERSION], requested })

describe('params._meta', () => {
  test.each([undefined, null, [], 'x', 5, {}, { _meta: undefined }])(
    '[META-01] is missed where params are %j',
    async (params) => {
      expect(await ask(params)).toEqual(NO_VERSION)
    },
  )

  test.each([null, [], 'x', 5, true])('[META-01] is no object where it is %j', async (meta) => {
    expect(await askMeta(meta)).toEqual(NO_OBJECT)
  })

  test.each([undefined, null, 5, {}, [], ['2026-07-28'], true])(
    '[META-01] has no version where it is %j',
    async (version) => {
      expect(await askMeta({ ...META, [VERSION_KEY]: version })).toEqual(NO_VERSION)
    },
  )

  test('[META-01] lacks the capabilities where there are none', async () => {
    expect(await askMeta({ [VERSION_KEY]: VERSION })).toEqual(
      errorAnswer(
        -32602,
        `Invalid params: params._meta lacks ${CAPABILITIES_KEY}, which 2026-07-28 requires on every request`,
      ),
    )
  })

  test.each([null, [], 'x', 5, true])(
    '[META-01] has capabilities of the wrong shape where they are %j',
    async (capabilities) => {
      expect(await askMeta({ ...META, [CAPABILITIES_KEY]: capabilities })).toEqual(
        errorAnswer(-32602, `Invalid params: ${CAPABILITIES_KEY} must be an object`),
      )
    },
  )

  test('[META-01] is read by own members alone', async () => {
    const inherited = JSON.parse(`{"__proto__":${JSON.stringify(META)}}`)
    expect(await askMeta(inherited)).toEqual(NO_VERSION)
    const params = JSON.parse(`{"__proto__":{"_meta":${JSON.stringify(META)}}}`)
    expect(await ask(params)).toEqual(NO_VERSION)
  })

  test.each<object>([
    { 'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' } },
    { 'io.modelcontextprotocol/clientInfo': 'c' },
    { 'io.modelcontextprotocol/logLevel': 'debug' },
    { 'io.modelcontextprotocol/logLevel': 'emergency' },
    { progressToken: 'p' },
    { progressToken: '' },
    { progressToken: 0 },
    { 'com.example/unknown': [{ deep: null }] },
    { 'io.modelcontextprotocol/unheard-of': 5 },
    { traceparent: 'x', tracestate: 5 },
    { ['constructor']: 1 },
  ])('[META-02] [META-04] [META-07] may carry %j', async (extra) => {
    expect(await askMeta({ ...META, ...extra })).toMatchObject({ result: { tools: [] } })
  })

  test('[A-35] may carry a progress token of more digits than a number keeps', async () => {
    expect(await askMeta({ ...META, progressToken: 10n ** 20n })).toMatchObject({
      result: { tools: [] },
    })
  })

  test.each(['loud', 'DEBUG', '', 5, null, {}, 'constructor'])(
    '[META-04] [A-26] has no log level %j',
    async (level) => {
      expect(await askMeta({ ...META, 'io.modelcontextprotocol/logLevel': level })).toEqual(
        errorAnswer(
          -32602,
          'Invalid params: io.modelcontextprotocol/logLevel must be one of debug, info, notice, warning, error, critical, alert, emergency',
        ),
      )
    },
  )

  test.each([null, 1.5, true, {}, []])(
    '[META-04] [A-26] [A-35] has no progress token %j',
    async (progressToken) => {
      expect(await askMeta({ ...META, progressToken })).toEqual(
        errorAnswer(-32602, 'Invalid params: progressToken must be a string or an integer'),
      )
    },
  )

  test.each([
    ['1', true],
    ['"1"', true],
    ['12345678901234567890', true],
    ['1.0', false],
    ['1e0', false],
    ['1e400', false],
  ])('[A-35] the text %s of a progress token is admitted: %s', (text, isAdmitted) => {
    const params = `{"_meta":{"${CAPABILITIES_KEY}":{},"progressToken":${text}}}`
    const reading = readJson(Buffer.from(`{"params":${params}}`))
    if (!reading.ok) throw new Error('unreadable')
    const { _meta: meta } = (reading.value as { params: { _meta: Record<string, unknown> } }).params
    const path = ['params', '_meta', 'progressToken']
    const read = readRequestMeta(meta, () => reading.isIntegerLexeme(path))
    expect('code' in read).toBe(!isAdmitted)
  })
})

describe('a top-level _meta', () => {
  const PLACE = errorAnswer(
    -32602,
    'Invalid params: _meta belongs in params._meta (2026-07-28 RequestParams), not at the top level of the request',
  )

  test.each(['tools/list', 'server/discover', 'initialize', 'nothing'])(
    'is refused on %s, whether or not params have one',
    async (method) => {
      expect(await server.handle({ jsonrpc: '2.0', id: 1, method, _meta: META })).toEqual(PLACE)
      expect(await server.handle({ ...request(method), _meta: {} })).toEqual(PLACE)
      expect(await server.handle({ ...request(method), _meta: null })).toEqual(PLACE)
    },
  )
})

describe('the revision', () => {
  test.each(['2025-11-25', '2026-07-29', '', ' 2026-07-28', '2026-07-28 ', '1.0', '__proto__'])(
    '[VER-01] [VER-02] [A-25] %j is not served, on any method',
    async (version) => {
      for (const method of ['server/discover', 'tools/list', 'initialize', 'nothing']) {
        expect(await askMeta({ ...META, [VERSION_KEY]: version }, method)).toEqual(
          unsupported(version),
        )
      }
    },
  )

  test('[VER-02] [A-02] is decided before the rest of _meta is looked at', async () => {
    expect(await askMeta({ [VERSION_KEY]: '2025-11-25', progressToken: {} })).toEqual(
      unsupported('2025-11-25'),
    )
  })

  test('[VER-03] [VER-04] is one of those that discover names', async () => {
    const discovered = await askMeta(META, 'server/discover')
    expect(discovered?.result?.['supportedVersions']).toEqual([VERSION])
  })

  test('[VER-01] [ENV-11] is asked for on every request, whatever came before', async () => {
    expect(await askMeta(META)).toMatchObject({ result: { tools: [] } })
    expect(await ask({})).toEqual(NO_VERSION)
  })
})

describe('initialize', () => {
  const handshake = (requested: string) =>
    errorAnswer(
      -32022,
      'Unsupported protocol version: this server has no initialize handshake; it serves 2026-07-28',
      { supported: [VERSION], requested },
    )

  test.each([
    [{ protocolVersion: '2025-11-25' }, '2025-11-25'],
    [{ protocolVersion: '2024-11-05', capabilities: {}, clientInfo: {} }, '2024-11-05'],
    [{ protocolVersion: VERSION }, VERSION],
    [{ protocolVersion: '2025-11-25', _meta: { progressToken: 1 } }, '2025-11-25'],
    [{ protocolVersion: '2025-11-25', _meta: { [VERSION_KEY]: 5 } }, '2025-11-25'],
    [{ protocolVersion: 5 }, 'a number'],
    [{ protocolVersion: null }, 'null'],
    [{ protocolVersion: ['x'] }, 'an array'],
    [{}, 'none'],
    [undefined, 'none'],
    [null, 'none'],
    [[], 'none'],
    ['x', 'none'],
  ])('[VER-07] [A-04] with the params %j is told what is served', async (params, requested) => {
    expect(await ask(params, 'initialize')).toEqual(handshake(requested))
  })

  test('[VER-06] with modern metadata is an unknown method', async () => {
    expect(await askMeta(META, 'initialize')).toEqual(
      errorAnswer(-32601, 'Method not found: initialize'),
    )
  })

  test('[VER-06] with modern metadata that is not whole is told what it lacks', async () => {
    expect(await askMeta({ [VERSION_KEY]: VERSION }, 'initialize')).toMatchObject({
      error: { code: -32602 },
    })
  })
})
