// SPDX-License-Identifier: Apache-2.0
import { tracingChannel } from 'node:diagnostics_channel'
import {
  type CallEvent,
  CHANNEL_NAMES,
  createCatalog,
  defineTool,
  type TraceContext,
} from '@beam-mcp/core/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readTraceContext } from '../../src/protocol/trace-context.ts'
import { costRatio } from '../support/cost.ts'
import { META, request } from '../support/messages.ts'
import { BOTH, bare } from '../support/older-client.ts'
import { createTestServer } from '../support/server.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const PARENT = `00-${TRACE}-${SPAN}-01`

/** `a0=1,a1=1,…` */
const list = (count: number): string =>
  Array.from({ length: count }, (_, index) => `a${index}=1`).join(',')

describe('traceparent', () => {
  test.each([
    ['a sampled parent', PARENT, PARENT],
    ['a parent that is not sampled', `00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
    ['flags that nobody knows yet', `00-${TRACE}-${SPAN}-ff`, `00-${TRACE}-${SPAN}-ff`],
    ['a later version', `cc-${TRACE}-${SPAN}-01`, PARENT],
    ['a later version with more to say', `01-${TRACE}-${SPAN}-ff-what-is-this`, PARENT],
    ['a later version that is not sampled', `fe-${TRACE}-${SPAN}-02`, `00-${TRACE}-${SPAN}-00`],
  ])('is read from %s', (_what, traceparent, read) => {
    expect(readTraceContext({ traceparent })).toEqual({ traceparent: read })
  })

  test.each<readonly [string, unknown]>([
    ['no text', 7],
    ['a list', [PARENT]],
    ['empty text', ''],
    ['version ff', `ff-${TRACE}-${SPAN}-01`],
    ['a version of one digit', `0-${TRACE}-${SPAN}-01`],
    ['a version that is no number', `0x-${TRACE}-${SPAN}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a later version with ids of zeros', `01-${'0'.repeat(32)}-${SPAN}-01`],
    ['a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['a long span id', `00-${TRACE}-${SPAN}0-01`],
    ['upper case', PARENT.toUpperCase()],
    ['flags of one digit', `00-${TRACE}-${SPAN}-1`],
    ['a later version with flags of three digits', `01-${TRACE}-${SPAN}-011`],
    ['version 00 with more to say', `${PARENT}-x`],
    ['version 00 that ends in a dash', `${PARENT}-`],
    ['a blank before it', ` ${PARENT}`],
    ['a line break after it', `${PARENT}\n`],
    ['other separators', PARENT.replaceAll('-', '.')],
  ])('is not read from %s', (_what, traceparent) => {
    expect(readTraceContext({ traceparent })).toBeUndefined()
  })

  test('is not inherited', () => {
    expect(readTraceContext(Object.create({ traceparent: PARENT }))).toBeUndefined()
  })
})

describe('tracestate', () => {
  const read = (tracestate: unknown): string | undefined =>
    readTraceContext({ traceparent: PARENT, tracestate })?.tracestate

  test.each([
    ['one member', 'rojo=00f067aa0ba902b7'],
    ['members with blanks around them', 'rojo=1 , \tcongo=2\t'],
    ['empty members', 'rojo=1,, ,\t,congo=2,'],
    ['nothing at all', ''],
    ['a key of a tenant', 'fw529a3039@dt=FfffffCJAAAA'],
    ['a key that begins with a digit', '0=1'],
    ['every sign of a key', 'a0_-*/=1'],
    ['the longest key', `${'k'.repeat(256)}=1`],
    ['the longest value', `a=${'v'.repeat(256)}`],
    ['blanks inside a value', 'a=one two'],
    ['blanks at the start of a value', 'a= b'],
    ['every sign of a value', 'a=!"#$%&\'()*+-./09:;<>?@AZ[\\]^_`az{|}~'],
    ['32 members', list(32)],
    ['32 of the longest members', list(32).replaceAll('=1', `=${'v'.repeat(256)}`)],
  ])('is read: %s', (_what, tracestate) => {
    expect(read(tracestate)).toBe(tracestate)
  })

  test.each<readonly [string, unknown]>([
    ['no text', { rojo: '1' }],
    ['a key without a value', 'rojo'],
    ['an empty value', 'rojo='],
    ['a value of blanks', 'rojo=  ,congo=1'],
    ['no key', '=1'],
    ['a blank before the equals sign', 'rojo =1'],
    ['a key in upper case', 'Rojo=1'],
    ['a key that begins with a sign', '_a=1'],
    ['a key that begins with an at sign', '@a=1'],
    ['a key that is too long', `${'k'.repeat(257)}=1`],
    ['a value that is too long', `a=${'v'.repeat(257)}`],
    ['a second equals sign', 'a=1=2'],
    ['a tab inside a value', 'a=1\t2'],
    ['a sign beyond ASCII', 'a=é'],
    ['a line break', 'a=1\n'],
    ['another separator', 'a=1;b=\u00a0'],
    ['a key twice', 'a=1,b=2,a=3'],
    ['33 members', list(33)],
    ['32 members and an empty one', `${list(32)},`],
    ['more blanks than all that can be said', `a=1${' '.repeat(20_000)}`],
  ])('is dropped, and the parent kept: %s', (_what, tracestate) => {
    expect(readTraceContext({ traceparent: PARENT, tracestate })).toEqual({ traceparent: PARENT })
  })

  test('means nothing without a parent', () => {
    expect(readTraceContext({ tracestate: 'a=1' })).toBeUndefined()
    expect(readTraceContext({ traceparent: 'x', tracestate: 'a=1' })).toBeUndefined()
  })
})

describe('baggage', () => {
  test.each([
    ['one member', 'userId=alice'],
    ['several', 'userId=alice,serverNode=DF%2028,isProduction=false'],
    ['blanks everywhere they may be', ' a\t=\t1 ; p = 2 ; q , b = 3 '],
    ['an empty value', 'a='],
    ['properties with and without values', 'a=1;p;q=2;r='],
    ['equals signs inside a value', 'a=1=2;p=3=4'],
    ['every sign of a key', "!#$%&'*+-.^_`|~09AZaz=1"],
    ['every sign of a value', "a=!#$%&'()*+-./09:<=>?@AZ[]^_`az{|}~"],
    ['a key twice', 'a=1,a=2'],
    ['percent signs that encode nothing', 'a=%zz%'],
    ['180 members', list(180)],
    ['8,192 characters', `a=${'v'.repeat(8_190)}`],
  ])('is read: %s', (_what, baggage) => {
    expect(readTraceContext({ baggage })).toEqual({ baggage })
    expect(readTraceContext({ traceparent: PARENT, baggage })).toEqual({
      traceparent: PARENT,
      baggage,
    })
  })

  test.each<readonly [string, unknown]>([
    ['no text', 1],
    ['empty text', ''],
    ['blanks', '  '],
    ['a key without a value', 'a'],
    ['no key', '=1'],
    ['an empty member', 'a=1,,b=2'],
    ['an empty member at the end', 'a=1,'],
    ['an empty property', 'a=1;'],
    ['a property without a name', 'a=1;=2'],
    ['a blank inside a key', 'a b=1'],
    ['a blank inside a value', 'a=1 2'],
    ['a blank inside a property', 'a=1;p q'],
    ['a slash in a key', 'a/b=1'],
    ['a quotation mark', 'a="1"'],
    ['a backslash', 'a=\\1'],
    ['a sign beyond ASCII', 'a=é'],
    ['a control character', 'a=\u0007'],
    ['a line break', 'a=1\r\nb=2'],
    ['181 members', list(181)],
    ['8,193 characters', `a=${'v'.repeat(8_191)}`],
  ])('is dropped: %s', (_what, baggage) => {
    expect(readTraceContext({ baggage })).toBeUndefined()
    expect(readTraceContext({ traceparent: PARENT, baggage })).toEqual({ traceparent: PARENT })
  })
})

/** Fills a length with a repeated text, between what begins and what ends it. */
const fill = (length: number, unit: string, before = '', after = ''): string =>
  before + unit.repeat((length - before.length - after.length) / unit.length) + after

describe('what a client sends is read in time that grows with its length alone', () => {
  /** A quarter of the length takes a quarter of the time; where time grew with its square, a sixteenth. */
  const MOST_GROWTH = 9
  test.each<readonly [string, number, (length: number) => object]>([
    ['blanks that no value ends', 16_000, (size) => ({ tracestate: fill(size, ' ', 'a=', '=') })],
    [
      'blanks and tabs in turns',
      16_000,
      (size) => ({ tracestate: fill(size, ' \t', 'a=1', '\u0001') }),
    ],
    [
      'values that end in what is none',
      16_000,
      (size) => ({ tracestate: fill(size, `a=${'v '.repeat(120)}é,`) }),
    ],
    [
      'keys that end in what is none',
      16_000,
      (size) => ({ tracestate: fill(size, `${'k'.repeat(250)}A=1,`) }),
    ],
    [
      'dashes after a later parent',
      16_000,
      (size) => ({ traceparent: fill(size, '-', `01-${TRACE}-${SPAN}-01`) }),
    ],
    ['baggage of blanks', 8_000, (size) => ({ baggage: fill(size, ' ', 'a=', '"') })],
    ['baggage of properties', 8_000, (size) => ({ baggage: fill(size, ';p', 'a=1', '"') })],
    ['baggage of pairs', 8_000, (size) => ({ baggage: fill(size, ';p=1', 'a=1', '"') })],
    ['baggage of equals signs', 8_000, (size) => ({ baggage: fill(size, '=', 'a=', '"') })],
    ['baggage of a megabyte', 1_000_000, (size) => ({ baggage: fill(size, 'a=1,') })],
  ])('%s', (_what, length, hostile) => {
    const often = (meta: object) => () => {
      for (let round = 0; round < 50; round += 1) {
        readTraceContext({ traceparent: PARENT, baggage: 'a=1', ...meta })
      }
    }
    const growth = costRatio(often(hostile(length)), often(hostile(length / 4)), MOST_GROWTH)
    expect(growth).toBeLessThan(MOST_GROWTH)
  })
})

const CONTEXT = {
  traceparent: PARENT,
  tracestate: 'rojo=1',
  baggage: 'userId=alice',
} as const satisfies TraceContext

/** Everything that a server knows of the trace of one call, and what the handler was told. */
async function serveCall(message: Record<string, unknown>) {
  const told: (TraceContext | undefined)[] = []
  const metas: unknown[] = []
  const events: CallEvent[] = []
  const { start, end } = tracingChannel<unknown, CallEvent>(CHANNEL_NAMES.tool)
  const hear = (event: unknown): void => void events.push({ ...(event as CallEvent) })
  for (const channel of [start, end]) {
    channel.subscribe(hear)
    onTestFinished(() => void channel.unsubscribe(hear))
  }
  const tool = defineTool({
    name: 'where',
    handler: (_args, context) => {
      told.push(context.traceContext)
      metas.push(context.meta)
      return 'here'
    },
  })
  const { server, log } = createTestServer({
    ...createCatalog({ tools: [tool] }),
    revisions: [...BOTH],
  })
  const answer = await server.handle(message)
  expect(answer?.result).toMatchObject({ isError: false })
  expect(log.lines).toEqual([])
  return { told, metas, events: events.map(({ traceContext }) => traceContext) }
}

describe.each([
  [
    '2026-07-28',
    (meta: object) => request('tools/call', { name: 'where', _meta: { ...META, ...meta } }),
  ],
  ['2025-11-25', (meta: object) => bare('tools/call', { name: 'where', _meta: meta })],
])('a call of %s', (_revision, message) => {
  test('[TRACE-02] tells its handler and its events of the trace', async () => {
    const { told, events } = await serveCall(message(CONTEXT))
    expect(told).toEqual([CONTEXT])
    expect(events).toEqual([CONTEXT, CONTEXT])
  })

  test('[TRACE-02] passes over what is malformed, and shows it in meta', async () => {
    const meta = { traceparent: 'nonsense', tracestate: 7, baggage: '"' }
    const { told, events, metas } = await serveCall(message(meta))
    expect(told).toEqual([undefined])
    expect(events).toEqual([undefined, undefined])
    expect(metas).toEqual([expect.objectContaining(meta)])
  })

  test('[META-07] hands on keys that nobody knows', async () => {
    const meta = { 'com.example/one': { deep: [1] }, two: 2, 'io.modelcontextprotocol.x/y': null }
    const { metas } = await serveCall(message(meta))
    expect(metas).toEqual([expect.objectContaining(meta)])
  })
})
