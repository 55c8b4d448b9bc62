// SPDX-License-Identifier: Apache-2.0
import { createCatalog, defineTool } from '@beam-mcp/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createHeaderMirror } from '../../src/http/header-mirror.ts'
import { encodeSentinel } from '../../src/http/sentinel.ts'
import { kept, mismatch, see } from '../support/answers.ts'
import { createApp, listen, post, watched } from '../support/app.ts'
import { call, headersFor } from '../support/messages.ts'
import { type Line, rawPost } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const FIND = defineTool({
  name: 'find',
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      count: { type: 'integer', 'x-mcp-header': 'Count' },
      exact: { type: 'boolean', 'x-mcp-header': 'Exact' },
      opts: {
        type: 'object',
        properties: { limit: { type: 'integer', 'x-mcp-header': 'Limit' } },
      },
      toString: { type: 'string', 'x-mcp-header': 'constructor' },
      free: {},
    },
  },
  handler: (args) => args,
})

/** Calls the tool with these arguments and headers; gives the answer and how often it ran. */
async function find(args: unknown, headers: Record<string, string | readonly string[]> = {}) {
  const { options, seen } = watched(createCatalog({ tools: [FIND] }))
  const app = await createApp(options)
  return { answer: see(await post(app, call('find', args), headers)), ran: seen.length }
}

const required = (name: string) => ({
  answer: kept(
    400,
    mismatch(`Mcp-Param-${name} header is required: the body carries a value to mirror`),
  ),
  ran: 0,
})
const differs = (name: string) => ({
  answer: kept(
    400,
    mismatch(`Mcp-Param-${name} header does not match the corresponding request body value`),
  ),
  ran: 0,
})
const uncalledFor = (name: string) => ({
  answer: kept(
    400,
    mismatch(`Mcp-Param-${name} header was sent, but the body carries no such value`),
  ),
  ran: 0,
})

describe('Mcp-Param headers', () => {
  test.each([
    ['Region', { region: 'north' }],
    ['Region', { region: '' }],
    ['Count', { count: 0 }],
    ['Exact', { exact: false }],
    ['Limit', { opts: { limit: 3 } }],
    ['constructor', { toString: 'x' }],
  ])('[HDR-10] Mcp-Param-%s is required beside %j', async (name, args) => {
    expect(await find(args)).toEqual(required(name))
  })

  test.each([
    [{}],
    [{ region: null }],
    [{ opts: {} }],
    [{ opts: { limit: null } }],
    [{ opts: null }],
    [{ opts: 5 }],
  ])('[HDR-11] nothing is expected beside %j', async (args) => {
    const { answer } = await find(args)
    expect(answer.status).toBe(200)
  })

  test.each([
    ['Region', {}],
    ['Region', { region: null }],
    ['Limit', { opts: {} }],
    ['constructor', {}],
  ])('[A-09] Mcp-Param-%s is refused beside %j', async (name, args) => {
    expect(await find(args, { [`mcp-param-${name.toLowerCase()}`]: '' })).toEqual(uncalledFor(name))
  })

  test('[A-09] is refused where there are no arguments at all', async () => {
    expect(await find(undefined, { 'mcp-param-region': 'north' })).toEqual(uncalledFor('Region'))
  })

  test.each([
    ['a string as it is', { region: 'north' }, 'region', 'north'],
    ['a string without the space around it', { region: 'north' }, 'region', '  north\t'],
    ['a string in a sentinel', { region: 'zürich' }, 'region', encodeSentinel('zürich')],
    ['an empty string', { region: '' }, 'region', ''],
    ['an empty sentinel', { region: '' }, 'region', '=?base64??='],
    ['true', { exact: true }, 'exact', 'true'],
    ['false', { exact: false }, 'exact', 'false'],
    ['an integer', { count: 42 }, 'count', '42'],
    ['an integer as a decimal', { count: 42 }, 'count', '42.0'],
    ['an integer in a sentinel', { count: 42 }, 'count', '=?base64?NDI=?='],
    ['a negative integer', { count: -7 }, 'count', '-7.00'],
    ['zero', { count: 0 }, 'count', '-0'],
    ['the largest exact integer', { count: 9007199254740991 }, 'count', '9007199254740991'],
    ['a nested integer', { opts: { limit: 3 } }, 'limit', '3'],
    ['a key of the prototype', { toString: 'x' }, 'constructor', 'x'],
  ])('[HDR-12] [HDR-14] [HDR-15] match %s', async (_, args, name, value) => {
    const { answer, ran } = await find(args, { [`mcp-param-${name}`]: value })
    expect([answer.status, ran, answer.body]).toEqual([
      200,
      1,
      expect.objectContaining({ result: expect.objectContaining({ isError: false }) }),
    ])
  })

  test.each([
    ['042'],
    ['+42'],
    ['4.2e1'],
    ['42e0'],
    ['0x2a'],
    ['42.'],
    ['42.10'],
    ['42,0'],
    ['4 2'],
    ['42n'],
    ['43'],
    ['-42'],
    [''],
    ['９'],
  ])('[HDR-13] do not take %j for 42', async (value) => {
    const { answer, ran } = await find({ count: 42 }, { 'mcp-param-count': value })
    expect([answer.status, ran]).toEqual([400, 0])
  })

  test.each([
    ['another case', { region: 'north' }, 'Region', 'North'],
    ['another boolean', { exact: true }, 'Exact', 'True'],
    ['a number for a boolean', { exact: true }, 'Exact', '1'],
    ['a list', { region: 'north' }, 'Region', 'north, north'],
    ['an object in place of a string', { region: {} }, 'Region', '[object Object]'],
    ['an array in place of a string', { region: ['north'] }, 'Region', 'north'],
    ['a fraction in place of an integer', { count: 4.5 }, 'Count', '4.5'],
  ])('[HDR-12] refuse %s', async (_, args, name, value) => {
    expect(await find(args, { [`mcp-param-${name.toLowerCase()}`]: value })).toEqual(differs(name))
  })

  test('[HDR-13] compare an integer of any size exactly', async () => {
    const { options } = watched(createCatalog({ tools: [FIND] }))
    const app = await createApp(options)
    const digits = '123456789012345678901234567890'
    const message = call('find', { count: 'DIGITS' })
    const payload = JSON.stringify(message).replace('"DIGITS"', digits)
    const sendWith = async (value: string) => {
      const headers = { ...headersFor(message), 'mcp-param-count': value }
      return see(await app.inject({ method: 'POST', url: '/mcp', headers, payload }))
    }
    expect(await sendWith(`${digits}1`)).toEqual(differs('Count').answer)
    expect(await sendWith(String(Number(digits)))).toEqual(differs('Count').answer)
    expect((await sendWith(digits)).status).toBe(200)
  })

  test('[HDR-08] refuse a sentinel that is malformed', async () => {
    expect(await find({ region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' })).toEqual({
      answer: kept(400, mismatch('Mcp-Param-Region header value is not canonical base64')),
      ran: 0,
    })
    expect(await find({ region: 'x' }, { 'mcp-param-region': '=?base64?/w==?=' })).toEqual({
      answer: kept(400, mismatch('Mcp-Param-Region header value is not valid UTF-8')),
      ran: 0,
    })
  })

  test('[HDR-09] refuse bytes outside ASCII', async () => {
    expect(await find({ region: 'zürich' }, { 'mcp-param-region': 'zürich' })).toEqual({
      answer: kept(
        400,
        mismatch('Mcp-Param-Region header value has characters outside visible ASCII'),
      ),
      ran: 0,
    })
  })

  test('[HDR-16] are ignored where the tool names none', async () => {
    const { answer } = await find({ free: 'x' }, { 'mcp-param-free': 'y', 'mcp-param-other': 'z' })
    expect(answer.status).toBe(200)
  })

  test('[A-08] leave a missing argument to the schema', async () => {
    const need = defineTool({
      name: 'need',
      inputSchema: {
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
        required: ['region'],
      },
      handler: () => 'ran',
    })
    const { options, seen } = watched(createCatalog({ tools: [need] }))
    const response = await post(await createApp(options), call('need', {}))
    expect([response.statusCode, response.json().result.isError]).toEqual([200, true])
    expect(seen).toHaveLength(0)
  })

  test.each([
    ['two that differ', ['north', 'south'], 400],
    ['two that differ, turned round', ['south', 'north'], 400],
    ['two that agree', ['north', encodeSentinel('north')], 200],
  ])('[A-40] count in every line: %s', async (_, values, status) => {
    const { options, seen } = watched(createCatalog({ tools: [FIND] }))
    const socket = await openRawSocket(await listen(await createApp(options)))
    const lines = values.map((value): Line => ['Mcp-Param-Region', value])
    socket.send(rawPost(call('find', { region: 'north' }), lines))
    expect((await socket.read()).status).toBe(status)
    expect(seen).toHaveLength(status === 200 ? 1 : 0)
  })
})

describe('a header and the value it mirrors', () => {
  const mirrored = (type: 'string' | 'integer' | 'boolean') =>
    [{ path: ['value'], name: 'Value', field: 'mcp-param-value', type }] as const
  const check = (type: 'string' | 'integer' | 'boolean', header: string, value: unknown) =>
    createHeaderMirror(['Mcp-Param-Value', header], () => undefined).checkParams(mirrored(type), {
      value,
    })

  test('[HDR-12] agree for every text that encodeSentinel wrote', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(check('string', encodeSentinel(text), text)).toBeUndefined()
      }),
    )
  })

  test('[HDR-12] disagree for every two different texts', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, other) => {
        fc.pre(one !== other)
        expect(check('string', encodeSentinel(one), other)?.code).toBe(-32020)
      }),
    )
  })

  test('[HDR-13] agree for every integer, and for no other', () => {
    const zeros = fc.nat({ max: 4 })
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), zeros, (one, other, count) => {
        const header = count === 0 ? String(one) : `${one}.${'0'.repeat(count)}`
        expect(check('integer', header, one)).toBeUndefined()
        expect(check('integer', header, other) === undefined).toBe(one === other)
      }),
    )
  })
})
