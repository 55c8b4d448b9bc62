// SPDX-License-Identifier: Apache-2.0
import {
  type Capabilities,
  type ContentBlock,
  type PromptAnswer,
  type ResourceAnswer,
  toolResult,
} from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { request } from '../support/messages.ts'
import { catalogOf, createTestServer, INTERNAL, type LogLine } from '../support/server.ts'

const SECRET = 'connect ECONNREFUSED 10.0.0.5:5432 user=svc'

const fail = (): never => {
  throw new Error(SECRET)
}

/** An error that throws itself wherever it is touched: Node and loggers look into what they are given. */
function untouchable(): Error {
  const thrown: Error = new Proxy(new Error(SECRET), {
    get: () => {
      throw thrown
    },
  })
  return thrown
}

const loop: Record<string, unknown> = { secret: SECRET }
loop['self'] = loop

/** What a host's function may do wrong, and what of it the log has to have. */
const FAILURES: readonly (readonly [string, () => unknown, RegExp])[] = [
  [
    'throws an error',
    () => {
      throw new TypeError(SECRET)
    },
    /ECONNREFUSED 10\.0\.0\.5/,
  ],
  ['rejects', () => Promise.reject(new Error(SECRET)), /ECONNREFUSED/],
  [
    'throws a string',
    () => {
      throw SECRET
    },
    /a value that is no Error was thrown: connect ECONNREFUSED/,
  ],
  ['rejects with a string', () => Promise.reject('secret-string'), /secret-string/],
  [
    'throws undefined',
    () => {
      throw undefined
    },
    /a value that is no Error was thrown: undefined/,
  ],
  ['rejects with undefined', () => Promise.reject(undefined), /undefined/],
  [
    'throws null',
    () => {
      throw null
    },
    /no Error was thrown: null/,
  ],
  [
    'throws an object that can not be described',
    () => {
      throw Object.create(null, { [Symbol.toStringTag]: { get: () => fail() } })
    },
    /no Error was thrown/,
  ],
  ['answers a thenable that throws', () => ({ then: fail }), /ECONNREFUSED/],
]

/** Values that a tool may answer and JSON can't carry. */
const UNWRITABLE: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['a cycle', loop],
  ['a BigInt', { rows: 10n }],
  ['NaN', Number.NaN],
  ['a NaN within', { ratio: [0, Number.NaN] }],
  ['an infinity', { max: Number.POSITIVE_INFINITY }],
  ['undefined in a list', [1, undefined]],
  ['a hole in a list', Object.assign([1], { 2: 3 })],
  ['a function', () => 1],
  ['a function in a list', [() => 1]],
  ['a symbol', Symbol(SECRET)],
  ['a toJSON that throws', { toJSON: fail }],
  [
    'a getter that throws',
    {
      get a() {
        return fail()
      },
    },
  ],
]

const TOOL = { name: 'db' }

function serveTool(dispatch: () => unknown) {
  return createTestServer({ catalog: catalogOf({ tools: [TOOL] }), dispatch })
}

function expectOneError(lines: readonly LogLine[], message: string, bindings: object): void {
  expect(lines).toEqual([{ level: 'error', message, bindings: expect.objectContaining(bindings) }])
}

describe('a tool that fails badly', () => {
  test.each(FAILURES)(
    '[ERR-11] [TOOL-15] and %s is an internal error; the log knows why',
    async (_, dispatch, logged) => {
      const { server, log } = serveTool(dispatch)
      const answer = await server.handle(request('tools/call', { name: 'db' }, 'req-7'))
      expect(answer).toEqual({ ...INTERNAL, id: 'req-7' })
      expectOneError(log.lines, 'A tool failed; the caller was told of an internal error', {
        requestId: 'req-7',
        tool: 'db',
      })
      const { err } = log.lines[0]?.bindings ?? {}
      expect(err).toBeInstanceOf(Error)
      expect(String(err)).toMatch(logged)
    },
  )

  test.each(UNWRITABLE)('[ERR-11] and answers %s is an internal error', async (_, value) => {
    for (const dispatch of [() => value, async () => value]) {
      const { ask, log } = serveTool(dispatch)
      expect(await ask('tools/call', { name: 'db' })).toEqual(INTERNAL)
      expectOneError(log.lines, 'A tool failed; the caller was told of an internal error', {
        err: expect.objectContaining({ code: 'BEAM_ERR_CONTRACT' }),
        tool: 'db',
      })
    }
  })

  test.each(UNWRITABLE.slice(1))(
    '[ERR-11] and puts %s into a toolResult is an internal error',
    async (_, structuredContent) => {
      const { ask } = serveTool(() => toolResult({ content: [], structuredContent }))
      expect(await ask('tools/call', { name: 'db' })).toEqual(INTERNAL)
    },
  )

  test('[ENV-03] keeps the digits of its request in the answer and in the log', async () => {
    const id = 12_345_678_901_234_567_890n
    const { server, log } = serveTool(() => Promise.reject(new Error(SECRET)))
    const answer = await server.handle(request('tools/call', { name: 'db' }, id))
    expect(answer?.id).toBe(id)
    expect(answer?.error).toEqual(INTERNAL.error)
    expect(log.lines[0]?.bindings['requestId']).toBe('12345678901234567890')
  })

  test('is followed by calls that are served', async () => {
    let isDown = true
    const { ask } = serveTool(() => {
      if (isDown) throw new Error(SECRET)
      return 'up'
    })
    expect(await ask('tools/call', { name: 'db' })).toEqual(INTERNAL)
    isDown = false
    expect(await ask('tools/call', { name: 'db' })).toMatchObject({ result: { isError: false } })
  })

  test('answers though the log is broken too', async () => {
    const broken = () => {
      throw new Error('the disk is full')
    }
    const warnings: unknown[] = []
    const { emitWarning } = process
    process.emitWarning = (warning: unknown) => void warnings.push(warning)
    try {
      const { ask } = createTestServer({
        catalog: catalogOf({ tools: [TOOL] }),
        dispatch: () => Promise.reject(new Error(SECRET)),
        logger: { error: broken, warn: broken, info: broken, debug: broken },
      })
      expect(await ask('tools/call', { name: 'db' })).toEqual(INTERNAL)
    } finally {
      process.emitWarning = emitWarning
    }
    expect(warnings).toEqual([new Error('the disk is full')])
  })

  test.each([
    [
      'throws',
      () => () => {
        throw untouchable()
      },
    ],
    ['rejects', () => () => Promise.reject(untouchable())],
  ])('answers though what the host %s throws itself when it is looked at', async (_, make) => {
    const warnings: unknown[] = []
    const { emitWarning } = process
    process.emitWarning = (warning: unknown) => void warnings.push(String(warning))
    try {
      const read = (_bindings: object): void => void String(Object.values(_bindings)[0])
      const { ask } = createTestServer({
        catalog: catalogOf({ tools: [TOOL] }),
        dispatch: make(),
        timeoutMs: 60_000,
        logger: { error: read, warn: read, info: read, debug: read },
      })
      expect(await ask('tools/call', { name: 'db' })).toEqual(INTERNAL)
    } finally {
      process.emitWarning = emitWarning
    }
    expect(warnings).toEqual(['Error: A log failed, and what it threw can not be described'])
  })

  const block = (given: unknown) => toolResult({ content: [given as ContentBlock] })
  test.each([
    ['content that is no list', toolResult({ content: 'text' as unknown as ContentBlock[] })],
    ['a block that is no object', block('text')],
    [
      'a block that is written as something else',
      block({ type: 'text', text: 'x', toJSON: () => 5 }),
    ],
    [
      'a resource that is written as something else',
      block({ type: 'resource', resource: { uri: 'a:1', text: 'x', toJSON: () => 5 } }),
    ],
    [
      'a _meta that is written as something else',
      block({ type: 'text', text: 'x', _meta: Object.create({ toJSON: () => 5 }) }),
    ],
    ['a block without a type', block({ text: 'x' })],
    ['a block of an unknown type', block({ type: 'video', data: '' })],
    ['text that is no string', block({ type: 'text', text: 5 })],
    ['an image without a type', block({ type: 'image', data: 'AAAA' })],
    ['an image in bad base64', block({ type: 'image', data: 'AAA', mimeType: 'image/png' })],
    ['audio in base64url', block({ type: 'audio', data: '-_-_', mimeType: 'audio/wav' })],
    ['a link without a name', block({ type: 'resource_link', uri: 'a:1' })],
    ['a resource without a uri', block({ type: 'resource', resource: { text: 'x' } })],
    ['a resource without contents', block({ type: 'resource', resource: { uri: 'a:1' } })],
    [
      'a resource with both contents',
      block({ type: 'resource', resource: { uri: 'a:1', text: 'x', blob: 'AAAA' } }),
    ],
    [
      'a resource whose text is no string',
      block({ type: 'resource', resource: { uri: 'a:1', text: 5, blob: 'AAAA' } }),
    ],
    [
      'annotations for nobody',
      block({ type: 'text', text: 'x', annotations: { audience: ['model'] } }),
    ],
    [
      'annotations beyond their range',
      block({ type: 'text', text: 'x', annotations: { priority: 2 } }),
    ],
    [
      'content that is written as something else',
      toolResult({ content: Object.assign([], { toJSON: () => 5 }) }),
    ],
    ['a _meta that is no object', toolResult({ content: [], _meta: [] as never })],
    ['a _meta with a BigInt', toolResult({ content: [], _meta: { a: 1n } })],
    ['a block with a BigInt', block({ type: 'text', text: 'x', _meta: { a: 1n } })],
  ])('[CONT-01] [CONT-08] and answers %s is an internal error', async (_, outcome) => {
    const { ask } = serveTool(() => outcome)
    expect(await ask('tools/call', { name: 'db' })).toEqual(INTERNAL)
  })
})

describe('a reader off its contract', () => {
  const RESOURCE = { uri: 'a:1', name: 'one', mimeType: 'text/plain' }
  const readBy = (readResource: () => unknown) =>
    createTestServer({
      catalog: {
        ...catalogOf({ resources: [RESOURCE] }),
        readResource: readResource as () => ResourceAnswer,
      },
    })

  test.each(FAILURES)('[RES-07] that %s is an internal error', async (_, read, logged) => {
    const { ask, log } = readBy(read)
    expect(await ask('resources/read', { uri: 'a:1' })).toEqual(INTERNAL)
    expectOneError(
      log.lines,
      'A resource could not be read; the caller was told of an internal error',
      { requestId: '1', uri: 'a:1' },
    )
    expect(String(log.lines[0]?.bindings['err'])).toMatch(logged)
  })

  test.each([
    undefined,
    null,
    5,
    true,
    {},
    [5],
    [{}],
    [{ uri: 'a:1' }],
    { text: 'x', blob: new Uint8Array(1) },
    { text: 5 },
    { text: null },
    { blob: 'AAAA' },
    { blob: [1, 2] },
    { uri: 5, text: 'x' },
    { text: 'x', mimeType: 5 },
    { text: 'x', _meta: loop },
    [{ text: 'x' }, { text: 'x', blob: new Uint8Array(1) }],
    new Map(),
  ])('[RES-05] [RES-07] that answers something else is an internal error (%#)', async (answer) => {
    const { ask, log } = readBy(() => answer)
    expect(await ask('resources/read', { uri: 'a:1' })).toEqual(INTERNAL)
    expect(log.lines).toHaveLength(1)
  })
})

describe('a prompt off its contract', () => {
  const getBy = (getPrompt: () => unknown) =>
    createTestServer({
      catalog: {
        ...catalogOf({ prompts: [{ name: 'p' }] }),
        getPrompt: getPrompt as () => PromptAnswer,
      },
    })

  test.each(FAILURES)('[PROM-05] that %s is an internal error', async (_, get, logged) => {
    const { ask, log } = getBy(get)
    expect(await ask('prompts/get', { name: 'p' })).toEqual(INTERNAL)
    expectOneError(
      log.lines,
      'A prompt could not be rendered; the caller was told of an internal error',
      { requestId: '1', prompt: 'p' },
    )
    expect(String(log.lines[0]?.bindings['err'])).toMatch(logged)
  })

  const message = (given: unknown) => ({ messages: [given] })
  test.each([
    undefined,
    'text',
    [],
    {},
    { messages: 'x' },
    { messages: [], description: 5 },
    message('x'),
    message({ content: 'x' }),
    message({ role: 'system', content: 'x' }),
    message({ role: 'user' }),
    message({ role: 'user', content: 5 }),
    message({ role: 'user', content: [{ type: 'text', text: 'x' }] }),
    message({ role: 'user', content: { type: 'text' } }),
    message({ role: 'user', content: { type: 'text', text: 'x', _meta: loop } }),
    { messages: Object.assign([], { 1: { role: 'user', content: 'x' } }) },
  ])('[PROM-04] [CONT-09] that answers something else is one (%#)', async (answer) => {
    const { ask, log } = getBy(() => answer)
    expect(await ask('prompts/get', { name: 'p' })).toEqual(INTERNAL)
    expect(log.lines).toHaveLength(1)
  })
})

/** Every method that asks the catalog, with params that get that far. */
const ASKING = [
  ['tools/list', {}],
  ['tools/call', { name: 'db' }],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'a:1' }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'p' }],
] as const

describe('capabilities that turn malformed', () => {
  const lists = { tools: [TOOL], resources: [], prompts: [] }
  const MALFORMED: readonly (readonly [string, () => unknown, string])[] = [
    [
      'throw',
      () => {
        throw new Error(SECRET)
      },
      SECRET,
    ],
    ['reject', () => Promise.reject(new Error(SECRET)), SECRET],
    ['answer nothing', () => undefined, 'must answer an object'],
    ['leave a list out', () => ({ tools: [TOOL], resources: [] }), 'left out prompts'],
    ['answer no list', () => ({ ...lists, tools: {} }), 'tools must be a list'],
    ['repeat a name', () => ({ ...lists, tools: [TOOL, TOOL] }), "tool 'db': it is listed twice"],
    ['list an entry that is none', () => ({ ...lists, tools: ['db'] }), 'it must be an object'],
    [
      'list a schema that is not enforced',
      () => ({ ...lists, tools: [{ name: 'x', inputSchema: { type: 'object', nonsense: 1 } }] }),
      'nonsense',
    ],
  ]

  test.each(MALFORMED)(
    'and %s are an internal error of every method that asks them',
    async (_, answer, logged) => {
      let isStarting = true
      const { ask, log } = createTestServer({
        catalog: { capabilities: () => (isStarting ? lists : answer()) as Capabilities },
        dispatch: () => 'ran',
      })
      await ask('server/discover')
      isStarting = false
      for (const [method, params] of ASKING) {
        log.lines.length = 0
        expect(await ask(method, params), method).toEqual(INTERNAL)
        const target = Object.values(params)[0]
        expectOneError(log.lines, 'A request failed; the caller was told of an internal error', {
          requestId: '1',
          method,
          ...(target && { target }),
        })
        expect(String(log.lines[0]?.bindings['err'])).toContain(logged)
      }
      log.lines.length = 0
      expect(await ask('server/discover')).toMatchObject({ result: { resultType: 'complete' } })
      expect(log.lines).toEqual([])
      isStarting = true
      expect(await ask('tools/call', { name: 'db' })).toMatchObject({ result: { isError: false } })
    },
  )
})

describe('an allows off its contract', () => {
  const lists = {
    tools: [TOOL],
    resources: [
      { uri: 'a:1', name: 'one' },
      { uriTemplate: 'b:{x}', name: 'b' },
    ],
    prompts: [{ name: 'p' }],
  }

  test.each<readonly [string, () => unknown]>([
    ...FAILURES.map(([what, run]) => [what, run] as const),
    ...[undefined, null, 1, 0, 'yes', '', {}, []].map(
      (value) => [`answers ${JSON.stringify(value)}`, () => value] as const,
    ),
    ['resolves to 1', async () => 1],
  ])('and %s shows nothing', async (_, allows) => {
    let dispatched = 0
    const { ask, log } = createTestServer({
      catalog: { ...catalogOf(lists), allows: allows as () => boolean },
      dispatch: () => (dispatched += 1),
    })
    for (const [method, params] of ASKING) expect(await ask(method, params)).toEqual(INTERNAL)
    expect(await ask('resources/read', { uri: 'b:1' })).toEqual(INTERNAL)
    expect(log.lines.map(({ level }) => level)).toEqual(
      Array.from({ length: ASKING.length + 1 }, () => 'error'),
    )
    expect(dispatched).toBe(0)
  })
})
