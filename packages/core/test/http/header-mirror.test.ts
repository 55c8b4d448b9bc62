// SPDX-License-Identifier: Apache-2.0
import { createCatalog, definePrompt, defineResource, defineTool } from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { createHeaderMirror } from '../../src/http/header-mirror.ts'
import { encodeSentinel } from '../../src/http/sentinel.ts'
import { errorAnswer, kept, mismatch, type Seen, see } from '../support/answers.ts'
import { collectLog, createApp, echoCatalog, listen, post, watched } from '../support/app.ts'
import { call, META, request } from '../support/messages.ts'
import { type Line, linesFor, rawRequest, without } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CALL = call('echo', { text: 'hi' })
const differs = (name: string) =>
  kept(400, mismatch(`${name} header does not match the corresponding request body value`))
const VERSION_DIFFERS = kept(
  400,
  mismatch('mcp-protocol-version header does not match the body value'),
)

/** Posts one call of echo with these headers and gives the answer and how often a tool ran. */
async function postEcho(headers: Record<string, string | readonly string[] | undefined>) {
  const { options, seen } = echoCatalog()
  const app = await createApp(options)
  return { answer: see(await post(app, CALL, headers)), ran: seen.length }
}

describe('MCP-Protocol-Version', () => {
  test('[HDR-01] is required on every request', async () => {
    expect(await postEcho({ 'mcp-protocol-version': undefined })).toEqual({
      answer: kept(
        400,
        mismatch('Missing mcp-protocol-version header; it is required on every request'),
      ),
      ran: 0,
    })
  })

  test.each([
    ['a legacy version', '2025-11-25'],
    ['an unknown version', '2031-01-01'],
    ['an empty value', ''],
    ['the version in a sentinel', `=?base64?${Buffer.from('2026-07-28').toString('base64')}?=`],
    ['the version twice in one value', '2026-07-28, 2026-07-28'],
  ])('[HDR-01] is never answered with -32022 where it differs: %s', async (_, version) => {
    const { answer, ran } = await postEcho({ 'mcp-protocol-version': version })
    expect([answer, ran]).toEqual([VERSION_DIFFERS, 0])
  })

  test('[HDR-05] is compared without the white space around it', async () => {
    const { answer } = await postEcho({ 'mcp-protocol-version': ' \t2026-07-28 ' })
    expect(answer.status).toBe(200)
  })

  test('writes one warning to the log where header and body disagree, and no value', async () => {
    const { lines, logger } = collectLog('warn')
    const app = await createApp(echoCatalog().options, { logger })
    await post(app, CALL, { 'mcp-protocol-version': '2025-11-25' })
    expect(lines).toEqual([
      expect.objectContaining({
        level: 40,
        reqId: expect.any(String),
        msg: 'A client names one protocol version in the MCP-Protocol-Version header and another in the body; some hosted clients are known to: the request is refused',
      }),
    ])
  })

  test('writes that warning for a notification too', async () => {
    const { lines, logger } = collectLog('warn')
    const app = await createApp(echoCatalog().options, { logger })
    const message = { jsonrpc: '2.0', method: 'notifications/x', params: { _meta: META } }
    const response = await post(app, message, { 'mcp-protocol-version': '2025-11-25' })
    expect(see(response)).toEqual(
      kept(
        400,
        errorAnswer(
          -32020,
          'Header mismatch: mcp-protocol-version header does not match the body value',
        ),
      ),
    )
    expect(lines.map(({ level }) => level)).toEqual([40])
  })

  test('writes no warning where it is missing or agrees', async () => {
    const { lines, logger } = collectLog('warn')
    const app = await createApp(echoCatalog().options, { logger })
    await post(app, CALL, { 'mcp-protocol-version': undefined })
    await post(app, CALL)
    expect(lines).toEqual([])
  })
})

describe('Mcp-Method', () => {
  test('[HDR-02] is required on every request', async () => {
    expect(await postEcho({ 'mcp-method': undefined })).toEqual({
      answer: kept(400, mismatch('Missing mcp-method header; it is required')),
      ran: 0,
    })
  })

  test.each([
    ['another method', 'tools/list'],
    ['another case', 'TOOLS/CALL'],
    ['an empty value', ''],
    ['the method in a sentinel', `=?base64?${Buffer.from('tools/call').toString('base64')}?=`],
    ['the method twice in one value', 'tools/call, tools/call'],
  ])('[HDR-02] refuses %s', async (_, method) => {
    expect(await postEcho({ 'mcp-method': method })).toEqual({
      answer: differs('mcp-method'),
      ran: 0,
    })
  })

  test('[HDR-02] is required of an unknown method too', async () => {
    const app = await createApp(echoCatalog().options)
    const response = await post(app, request('tools/none'), { 'mcp-method': undefined })
    expect(see(response)).toEqual(kept(400, mismatch('Missing mcp-method header; it is required')))
  })
})

describe('Mcp-Name', () => {
  const URI = 'note://zürich/1'
  const { options } = watched(
    createCatalog({
      tools: [
        defineTool({ name: 'echo', handler: () => 'ran' }),
        defineTool({ name: 'grüße', handler: () => 'ran' }),
        defineTool({ name: '=?base64?SGk=?=', handler: () => 'ran' }),
      ],
      resources: [defineResource({ uri: URI, name: 'note', read: () => 'read' })],
      prompts: [definePrompt({ name: 'ask', render: () => 'rendered' })],
    }),
  )

  const TARGETS: [string, Record<string, unknown>, string][] = [
    ['tools/call', call('grüße'), 'grüße'],
    ['tools/call', call('=?base64?SGk=?='), '=?base64?SGk=?='],
    ['prompts/get', request('prompts/get', { name: 'ask' }), 'ask'],
    ['resources/read', request('resources/read', { uri: URI }), URI],
  ]

  test.each(TARGETS)('[HDR-03] repeats the target of %s', async (_, message, name) => {
    const app = await createApp(options)
    const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`
    const right = await post(app, message, { 'mcp-name': encoded })
    expect(right.json()).toHaveProperty('result.resultType', 'complete')
    const wrong = await post(app, message, { 'mcp-name': 'other' })
    expect(see(wrong)).toEqual(differs('mcp-name'))
    const missing = await post(app, message, { 'mcp-name': undefined })
    expect(see(missing)).toEqual(kept(400, mismatch('Missing mcp-name header; it is required')))
  })

  test('[HDR-06] takes what encodeSentinel writes', async () => {
    const app = await createApp(options)
    for (const [, message, name] of TARGETS) {
      const response = await post(app, message, { 'mcp-name': encodeSentinel(name) })
      expect(response.json()).toHaveProperty('result.resultType', 'complete')
    }
  })

  test('[HDR-06] reads a name that looks like a sentinel as one', async () => {
    const app = await createApp(options)
    const response = await post(app, call('=?base64?SGk=?='), { 'mcp-name': '=?base64?SGk=?=' })
    expect(see(response)).toEqual(differs('mcp-name'))
  })

  const REFUSED: [string, string, Seen][] = [
    ['another case', 'ECHO', differs('mcp-name')],
    ['an empty value', '', differs('mcp-name')],
    ['a list', 'echo, echo', differs('mcp-name')],
    ['a marker in upper case', '=?BASE64?ZWNobw==?=', differs('mcp-name')],
    ['a marker that is not closed', '=?base64?ZWNobw==', differs('mcp-name')],
    ['bare base64', 'ZWNobw==', differs('mcp-name')],
    [
      'missing padding',
      '=?base64?ZWNobw?=',
      kept(400, mismatch('mcp-name header value is not canonical base64')),
    ],
    [
      'stray characters',
      '=?base64?ZWN!obw==?=',
      kept(400, mismatch('mcp-name header value is not canonical base64')),
    ],
    [
      'bytes that are no UTF-8',
      '=?base64?/w==?=',
      kept(400, mismatch('mcp-name header value is not valid UTF-8')),
    ],
  ]

  test.each(REFUSED)('[HDR-07] [HDR-08] refuses %s', async (_, value, expected) => {
    expect(await postEcho({ 'mcp-name': value })).toEqual({ answer: expected, ran: 0 })
  })

  test('[HDR-03] leaves a target that is missing or no string to the method', async () => {
    const app = await createApp(options)
    for (const name of [undefined, 7, null]) {
      const message = request('tools/call', { ...(name !== undefined && { name }) })
      expect(see(await post(app, message))).toEqual(
        kept(
          200,
          errorAnswer(-32602, 'Invalid params: tools/call requires a string name', { id: 1 }),
        ),
      )
    }
  })

  test('[HDR-03] is ignored on a method without a target', async () => {
    const app = await createApp(options)
    for (const method of ['tools/list', 'server/discover', 'resources/list', 'prompts/list']) {
      const response = await post(app, request(method), { 'mcp-name': 'whatever' })
      expect(response.statusCode).toBe(200)
    }
  })
})

describe('values outside visible ASCII', () => {
  const invisible = (name: string) =>
    mismatch(`${name} header value has characters outside visible ASCII`)

  test.each([
    ['MCP-Protocol-Version', 'mcp-protocol-version', '2026-07-28\u00e9'],
    ['Mcp-Method', 'mcp-method', 'tools/call\u00e9'],
    ['Mcp-Name', 'mcp-name', 'gr\u00fc\u00dfe'],
    ['Mcp-Name in UTF-8', 'mcp-name', Buffer.from('grüße').toString('latin1')],
  ])('[HDR-09] are refused on the wire: %s', async (_, name, value) => {
    const { options, seen } = echoCatalog()
    const socket = await openRawSocket(await listen(await createApp(options)))
    const lines: Line[] = [...without(linesFor(CALL), name), [name, value]]
    socket.send(rawRequest(lines, JSON.stringify(CALL)))
    expect(see(await socket.read())).toEqual(kept(400, invisible(name)))
    expect(seen).toHaveLength(0)
  })

  test.each([
    ['a control character', 'ech\u0001o'],
    ['a delete character', 'echo\u007f'],
    ['a line feed', 'ec\nho'],
    ['a character beyond Latin-1', 'ech\u2603'],
  ])('[HDR-09] are refused where Node lets them through: %s', (_, value) => {
    const mirror = createHeaderMirror(['Mcp-Name', value], () => undefined)
    expect(mirror.checkName(value)).toEqual({
      code: -32020,
      message: 'Header mismatch: mcp-name header value has characters outside visible ASCII',
      status: 400,
    })
  })

  test('[HDR-09] admits spaces and tabs inside a value', () => {
    const mirror = createHeaderMirror(['Mcp-Name', 'a \tb'], () => undefined)
    expect(mirror.checkName('a \tb')).toBeUndefined()
  })
})

describe('repeated header lines', () => {
  const REPEATED: [string, string, string[], Seen][] = [
    ['two versions', 'MCP-Protocol-Version', ['2026-07-28', '2025-11-25'], VERSION_DIFFERS],
    [
      'two versions, turned round',
      'MCP-Protocol-Version',
      ['2025-11-25', '2026-07-28'],
      VERSION_DIFFERS,
    ],
    ['two methods', 'Mcp-Method', ['tools/call', 'tools/list'], differs('mcp-method')],
    [
      'two methods, turned round',
      'Mcp-Method',
      ['tools/list', 'tools/call'],
      differs('mcp-method'),
    ],
    ['two names', 'Mcp-Name', ['echo', 'wipe'], differs('mcp-name')],
    ['two names, turned round', 'Mcp-Name', ['wipe', 'echo'], differs('mcp-name')],
    ['a name and an empty line', 'Mcp-Name', ['echo', ''], differs('mcp-name')],
    [
      'a name and a sentinel of another',
      'Mcp-Name',
      ['echo', '=?base64?d2lwZQ==?='],
      differs('mcp-name'),
    ],
  ]

  test.each(REPEATED)('[A-40] all count: %s', async (_, name, values, expected) => {
    const { options, seen } = echoCatalog()
    const socket = await openRawSocket(await listen(await createApp(options)))
    const further = values.map((value): Line => [name, value])
    socket.send(rawRequest([...without(linesFor(CALL), name), ...further], JSON.stringify(CALL)))
    expect(see(await socket.read())).toEqual(expected)
    expect(seen).toHaveLength(0)
  })

  test.each([
    ['MCP-Protocol-Version', ['2026-07-28', '2026-07-28']],
    ['Mcp-Method', ['tools/call', 'tools/call']],
    ['Mcp-Name', ['echo', '=?base64?ZWNobw==?=']],
  ])('[A-40] are served where all of them agree: %s', async (name, values) => {
    const { options, seen } = echoCatalog()
    const socket = await openRawSocket(await listen(await createApp(options)))
    const further = values.map((value): Line => [name.toUpperCase(), value])
    socket.send(rawRequest([...without(linesFor(CALL), name), ...further], JSON.stringify(CALL)))
    expect((await socket.read()).status).toBe(200)
    expect(seen).toHaveLength(1)
  })
})

describe('headers that decide nothing', () => {
  test('[HTTP-11] [HTTP-12] a session id and a last event id are neither read nor sent back', async () => {
    const app = await createApp(echoCatalog().options)
    const response = await post(app, CALL, { 'mcp-session-id': 'abc', 'last-event-id': '7' })
    expect(response.statusCode).toBe(200)
    expect(Object.keys(response.headers)).not.toContain('mcp-session-id')
  })

  test('[HDR-17] the body alone decides what runs', async () => {
    const { options, seen } = echoCatalog()
    const app = await createApp(options)
    await post(app, CALL, { 'mcp-name': 'wipe' })
    expect(seen).toEqual([])
    await post(app, CALL, { 'x-mcp-name': 'wipe' })
    expect(seen).toEqual([{ tool: 'echo', args: { text: 'hi' } }])
  })
})
