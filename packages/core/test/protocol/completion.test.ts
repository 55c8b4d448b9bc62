// SPDX-License-Identifier: Apache-2.0
import {
  type Catalog,
  type CatalogParts,
  type CompletionAnswer,
  type CompletionContext,
  type CompletionRequest,
  createCatalog,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  type JsonObject,
} from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { request } from '../support/messages.ts'
import { BOTH, bare, initialize } from '../support/older-client.ts'
import {
  catalogOf,
  createTestServer,
  errorAnswer,
  failure,
  INTERNAL,
  resultAnswer,
  serve,
} from '../support/server.ts'

const CITIES: Readonly<Record<string, readonly string[]>> = {
  no: ['oslo', 'osen', 'bergen'],
  nl: ['oss', 'delft'],
}

const ATLAS = defineResourceTemplate({
  uriTemplate: 'atlas://{country}/{+city}',
  name: 'city',
  read: () => 'unused',
  complete: {
    country: (value) => Object.keys(CITIES).filter((code) => code.startsWith(value)),
    city: (value, context) =>
      (CITIES[context.arguments['country'] ?? ''] ?? []).filter((city) => city.startsWith(value)),
  },
})

const TRIP = definePrompt({
  name: 'plan_trip',
  arguments: [
    { name: 'from', required: true, complete: (value) => [`${value}!`] },
    { name: 'to' },
    { name: '__proto__', complete: async () => ({ values: [], total: 0, hasMore: false }) },
  ],
  render: () => 'unused',
})

const PARTS: CatalogParts = {
  resources: [defineResource({ uri: 'atlas://no/oslo', name: 'oslo', read: () => 'unused' })],
  resourceTemplates: [ATLAS],
  prompts: [TRIP],
}

const PROMPT = { type: 'ref/prompt', name: 'plan_trip' }
const TEMPLATE = { type: 'ref/resource', uri: 'atlas://{country}/{+city}' }
const typed = (name: string, value = '') => ({ name, value })
const completion = (members: JsonObject) => resultAnswer({ completion: members })
const invalid = (why: string, data?: unknown) => errorAnswer(-32602, `Invalid params: ${why}`, data)

/** A server whose one prompt has the argument `a`, which is completed by this answer. */
function answering(answer: unknown, options = {}) {
  const complete = (typeof answer === 'function' ? answer : () => answer) as () => CompletionAnswer
  const prompt = definePrompt({
    name: 'p',
    arguments: [{ name: 'a', complete }],
    render: () => 'unused',
  })
  const { ask, log, server } = serve({ prompts: [prompt] }, options)
  const params = { ref: { type: 'ref/prompt', name: 'p' }, argument: typed('a') }
  return { ask: () => ask('completion/complete', params), log, server, params }
}

describe('completion/complete', () => {
  const { ask } = serve(PARTS)
  const complete = (params: JsonObject) => ask('completion/complete', params)

  test('[COMP-02] [COMP-03] completes an argument of a prompt, from an empty value on', async () => {
    const of = (value: string) => complete({ ref: PROMPT, argument: typed('from', value) })
    expect(await of('')).toEqual(completion({ values: ['!'] }))
    expect(await of('os')).toEqual(completion({ values: ['os!'] }))
  })

  test('[COMP-02] completes a variable of a template by the values already chosen', async () => {
    const context = { arguments: { country: 'no' } }
    expect(await complete({ ref: TEMPLATE, argument: typed('city', 'os'), context })).toEqual(
      completion({ values: ['oslo', 'osen'] }),
    )
    expect(await complete({ ref: TEMPLATE, argument: typed('city', 'os') })).toEqual(
      completion({ values: [] }),
    )
  })

  test('[COMP-02] takes a uri that a template fits for the template', async () => {
    const ref = { type: 'ref/resource', uri: 'atlas://no/x/y' }
    expect(await complete({ ref, argument: typed('country', 'n') })).toEqual(
      completion({ values: ['no', 'nl'] }),
    )
  })

  test('[COMP-02] has nothing to add to a uri that is listed', async () => {
    const ref = { type: 'ref/resource', uri: 'atlas://no/oslo' }
    expect(await complete({ ref, argument: typed('country') })).toEqual(completion({ values: [] }))
  })

  test('[COMP-02] has no values for an argument that nobody completes', async () => {
    expect(await complete({ ref: PROMPT, argument: typed('to', 'x') })).toEqual(
      completion({ values: [] }),
    )
  })

  test('[COMP-02] completes an argument that is named like a member of every object', async () => {
    expect(await complete({ ref: PROMPT, argument: typed('__proto__') })).toEqual(
      completion({ values: [], total: 0, hasMore: false }),
    )
  })

  test.each([
    [PROMPT, 'nowhere', 'nowhere'],
    [PROMPT, 'constructor', 'constructor'],
    [PROMPT, '', ''],
    [TEMPLATE, '+city', '+city'],
    [TEMPLATE, '__proto__', '__proto__'],
    [TEMPLATE, 'x'.repeat(100_000), 'x'.repeat(256)],
  ])('[COMP-04] refuses an argument that %j has not (%#)', async (ref, name, shown) => {
    expect(await complete({ ref, argument: typed(name) })).toEqual(
      invalid(`unknown argument ${shown}`, { argument: shown }),
    )
  })

  test.each([
    [{ type: 'ref/prompt', name: 'nope' }, 'unknown prompt nope', { name: 'nope' }],
    [{ type: 'ref/prompt', name: '__proto__' }, 'unknown prompt __proto__', { name: '__proto__' }],
    [
      { type: 'ref/resource', uri: 'other://x' },
      'unknown resource template other://x',
      { uri: 'other://x' },
    ],
    [
      { type: 'ref/resource', uri: 'y'.repeat(100_000) },
      `unknown resource template ${'y'.repeat(256)}`,
      { uri: 'y'.repeat(256) },
    ],
  ])('[COMP-04] refuses a target that there is not (%#)', async (ref, why, data) => {
    expect(await complete({ ref, argument: typed('from') })).toEqual(invalid(why, data))
  })

  const REF = 'ref must be an object of type ref/prompt or ref/resource'
  const ARGUMENT = 'argument must be an object with a string name and a string value'
  test.each([
    [{}, REF],
    [{ ref: 'plan_trip' }, REF],
    [{ ref: null }, REF],
    [{ ref: [PROMPT] }, REF],
    [{ ref: { name: 'plan_trip' } }, REF],
    [{ ref: { type: '__proto__', name: 'plan_trip' } }, REF],
    [{ ref: { type: 'ref/tool', name: 'x' } }, REF],
    [{ ref: { type: 'ref/prompt' } }, 'ref of type ref/prompt requires a string name'],
    [{ ref: { type: 'ref/prompt', name: 5 } }, 'ref of type ref/prompt requires a string name'],
    [{ ref: { type: 'ref/prompt', uri: 'a:1' } }, 'ref of type ref/prompt requires a string name'],
    [{ ref: { type: 'ref/resource', uri: [] } }, 'ref of type ref/resource requires a string uri'],
    [{ ref: PROMPT }, ARGUMENT],
    [{ ref: PROMPT, argument: 'from' }, ARGUMENT],
    [{ ref: PROMPT, argument: [] }, ARGUMENT],
    [{ ref: PROMPT, argument: { name: 'from' } }, ARGUMENT],
    [{ ref: PROMPT, argument: { value: '' } }, ARGUMENT],
    [{ ref: PROMPT, argument: { name: 'from', value: 5 } }, ARGUMENT],
    [{ ref: PROMPT, argument: { name: 'from', value: null } }, ARGUMENT],
    [{ context: null }, 'context must be an object, got null'],
    [{ context: [] }, 'context must be an object, got an array'],
    [{ context: { arguments: null } }, 'context.arguments must be an object, got null'],
    [{ context: { arguments: ['no'] } }, 'context.arguments must be an object, got an array'],
    [{ context: { arguments: { to: 5 } } }, 'context.arguments: to must be a string'],
    [{ context: { arguments: { to: null } } }, 'context.arguments: to must be a string'],
    [{ context: { arguments: { other: {} } } }, 'context.arguments: other must be a string'],
    [
      { context: { arguments: JSON.parse('{"__proto__":{"country":"no"}}') } },
      'context.arguments: __proto__ must be a string',
    ],
  ])('[COMP-02] [COMP-04] [COMP-06] refuses %j before a completer runs', async (params, why) => {
    const whole = 'context' in params ? { ref: PROMPT, argument: typed('from'), ...params } : params
    expect(await complete(whole)).toEqual(invalid(why))
  })

  test.each([{}, { arguments: {} }, { arguments: { to: '' }, more: 1 }])(
    '[COMP-02] takes the context %j',
    async (context) => {
      expect(await complete({ ref: PROMPT, argument: typed('from'), context, more: 1 })).toEqual(
        completion({ values: ['!'] }),
      )
    },
  )
})

describe('what a completer is told', () => {
  function record() {
    const told: [string, CompletionContext][] = []
    const prompt = definePrompt({
      name: 'p',
      arguments: [
        {
          name: 'a',
          complete: (value, context) => {
            told.push([value, context])
            return []
          },
        },
        { name: 'b' },
        { name: '__proto__' },
      ],
      render: () => 'unused',
    })
    return { told, ...serve({ prompts: [prompt] }) }
  }

  test('[COMP-02] is the value and the call, with the values of arguments that there are', async () => {
    const { ask, told } = record()
    const params = JSON.parse(
      '{"ref":{"type":"ref/prompt","name":"p"},"argument":{"name":"a","value":"v"},"context":{"arguments":{"b":"x","__proto__":"y","other":"z","constructor":"z"}}}',
    ) as JsonObject
    await ask('completion/complete', params, 'alice')
    const [value, context] = told[0] ?? []
    expect(value).toBe('v')
    expect(context).toMatchObject({
      principal: 'alice',
      method: 'completion/complete',
      requestId: 1,
      matched: 'p',
      transport: 'in-process',
    })
    expect(JSON.stringify(context?.arguments)).toBe('{"b":"x","__proto__":"y"}')
    expect(context?.signal).toBeInstanceOf(AbortSignal)
    expect(told.length).toBe(1)
  })

  test('[COMP-06] is as long as a request may be, and no less', async () => {
    const { ask, told } = record()
    const value = 'ü'.repeat(200_000)
    const ref = { type: 'ref/prompt', name: 'p' }
    const context = { arguments: { b: value } }
    expect(await ask('completion/complete', { ref, argument: typed('a', value), context })).toEqual(
      completion({ values: [] }),
    )
    expect(told[0]?.[0]).toBe(value)
    expect(told[0]?.[1].arguments).toEqual({ b: value })
  })

  test('by a catalog of your own is the request, and its context', async () => {
    const told: [CompletionRequest, CompletionContext][] = []
    const catalog: Catalog = {
      ...catalogOf({ resources: [{ uriTemplate: 'a://{x}/{y}', name: 'n' }] }),
      complete(asked, context) {
        told.push([asked, context])
        return this === catalog ? ['mine'] : []
      },
    }
    const { ask } = createTestServer({ catalog })
    const ref = { type: 'ref/resource', uri: 'a://1/2' }
    const context = { arguments: { x: '1', z: '3' } }
    expect(await ask('completion/complete', { ref, argument: typed('y', '2'), context })).toEqual(
      completion({ values: ['mine'] }),
    )
    const [asked, seen] = told[0] ?? []
    expect(asked).toEqual({ ref, argument: typed('y', '2'), arguments: { x: '1' } })
    expect(seen).toMatchObject({ matched: 'a://{x}/{y}', arguments: { x: '1' } })
  })

  test('comes with the object it stands on', async () => {
    const complete = {
      x(this: unknown) {
        return this === complete ? ['this'] : []
      },
    }
    const { ask } = serve({
      resourceTemplates: [
        defineResourceTemplate({ uriTemplate: 'a:{x}', name: 'n', read: () => '', complete }),
      ],
    })
    const ref = { type: 'ref/resource', uri: 'a:{x}' }
    expect(await ask('completion/complete', { ref, argument: typed('x') })).toEqual(
      completion({ values: ['this'] }),
    )
  })
})

describe('what a completer answers', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`)

  test.each([
    [[], { values: [] }],
    [many(100), { values: many(100) }],
    [many(101), { values: many(100), total: 101, hasMore: true }],
    [Promise.resolve(many(5000)), { values: many(100), total: 5000, hasMore: true }],
    [{ values: ['', 'ü\ud800'] }, { values: ['', 'ü\ud800'] }],
    [
      { values: ['a'], total: 1 },
      { values: ['a'], total: 1 },
    ],
    [
      { values: ['a'], hasMore: true },
      { values: ['a'], hasMore: true },
    ],
    [
      { values: many(2), total: 7, hasMore: false },
      { values: many(2), total: 7, hasMore: false },
    ],
    [
      { values: many(101), hasMore: false },
      { values: many(100), total: 101, hasMore: true },
    ],
    [
      { values: many(101), total: 1e6 },
      { values: many(100), total: 1e6, hasMore: true },
    ],
    [{ values: [], total: undefined, more: 1 }, { values: [] }],
  ])('[COMP-03] [COMP-07] is sent, at most a hundred values of it (%#)', async (answer, sent) => {
    expect(await answering(answer).ask()).toEqual(completion(sent))
  })

  const LIST = 'answered something that is no list of strings and holds none as values'
  const TOTAL = 'answered a total that is no whole number from the count of its values'
  const MORE = 'answered a hasMore that is neither true nor false'
  test.each([
    [undefined, LIST],
    [null, LIST],
    ['oslo', LIST],
    [{}, LIST],
    [{ values: 'oslo' }, LIST],
    [[5], LIST],
    [[...many(100), 5], LIST],
    [new Array(3), LIST],
    [new Set(['a']), LIST],
    [{ values: ['a'], total: 0 }, TOTAL],
    [{ values: [], total: 0.5 }, TOTAL],
    [{ values: [], total: Number.NaN }, TOTAL],
    [{ values: [], total: '0' }, TOTAL],
    [{ values: [], hasMore: 'yes' }, MORE],
    [{ values: [], hasMore: null }, MORE],
  ])('[COMP-04] off its contract is a host fault (%#)', async (answer, what) => {
    const { ask, log } = answering(answer)
    expect(await ask()).toEqual(INTERNAL)
    expect(log.lines).toEqual([
      {
        level: 'error',
        bindings: {
          err: expect.objectContaining({ code: 'BEAM_ERR_CONTRACT', message: `complete ${what}` }),
          requestId: '1',
          completing: 'p',
          argument: 'a',
        },
        message: 'A completion failed; the caller was told of an internal error',
      },
    ])
  })

  test.each([
    () => {
      throw new Error('secret')
    },
    () => Promise.reject(new Error('secret')),
  ])('[COMP-04] by a throw is a host fault (%#)', async (fail) => {
    const { ask, log } = answering(fail)
    expect(await ask()).toEqual(INTERNAL)
    expect(log.lines).toMatchObject([
      { level: 'error', bindings: { err: { message: 'secret' }, completing: 'p', argument: 'a' } },
    ])
  })

  test('[COMP-04] [L-HTTP-16] by a throw is told to an older client alike', async () => {
    const { server, params } = answering(() => Promise.reject(new Error('secret')), {
      revisions: BOTH,
    })
    expect(await server.handle(bare('completion/complete', params))).toEqual(INTERNAL)
  })
})

describe('an entry that the caller may not see', () => {
  const { ask } = serve({
    ...PARTS,
    allows: (entry, { principal }) => principal === 'admin' || entry.type === 'tool',
  })
  test.each([
    [PROMPT, 'from', 'unknown prompt plan_trip', { name: 'plan_trip' }],
    [TEMPLATE, 'city', `unknown resource template ${TEMPLATE.uri}`, { uri: TEMPLATE.uri }],
    [
      { type: 'ref/resource', uri: 'atlas://no/oslo' },
      'city',
      'unknown resource template atlas://no/oslo',
      { uri: 'atlas://no/oslo' },
    ],
    [
      { type: 'ref/resource', uri: 'atlas://no/bergen' },
      'city',
      'unknown resource template atlas://no/bergen',
      { uri: 'atlas://no/bergen' },
    ],
  ])('[COMP-06] is unknown, whatever is asked of it (%#)', async (ref, argument, why, data) => {
    const asked = (name: string, principal: string) =>
      ask('completion/complete', { ref, argument: typed(name) }, principal)
    expect(await asked(argument, 'guest')).toEqual(invalid(why, data))
    expect(await asked('no such', 'guest')).toEqual(invalid(why, data))
    expect(await asked(argument, 'admin')).toMatchObject({ result: { completion: {} } })
  })

  test('[COMP-06] leaves a uri to another template that fits it', async () => {
    const template = (uriTemplate: string, value: string) =>
      defineResourceTemplate({
        uriTemplate,
        name: uriTemplate,
        read: () => '',
        complete: { x: () => [value] },
      })
    const { ask: askShelf } = serve({
      resourceTemplates: [template('a:{x}', 'hidden'), template('a:{+x}', 'seen')],
      allows: ({ spec }) => spec.name !== 'a:{x}',
    })
    for (const uri of ['a:1', 'a:{x}', 'a:{+x}']) {
      const ref = { type: 'ref/resource', uri }
      expect(await askShelf('completion/complete', { ref, argument: typed('x') })).toEqual(
        completion({ values: ['seen'] }),
      )
    }
  })
})

describe('the capability', () => {
  const BARE = {
    prompts: [definePrompt({ name: 'p', arguments: [{ name: 'a' }], render: () => '' })],
  }
  const UNKNOWN = errorAnswer(-32601, 'Method not found: completion/complete')
  const params = { ref: { type: 'ref/prompt', name: 'p' }, argument: typed('a') }

  async function capabilitiesOf(parts: CatalogParts) {
    const { server } = serve(parts, { revisions: BOTH })
    const newer = await server.handle(request('server/discover'))
    const older = await server.handle(initialize())
    return [newer?.result?.['capabilities'], older?.result?.['capabilities']]
  }

  test('[COMP-01] [L-COMP-01] [DISC-06] is advertised where something completes', async () => {
    for (const capabilities of await capabilitiesOf(PARTS)) {
      expect(capabilities).toMatchObject({ completions: {} })
    }
  })

  test('[COMP-01] [L-COMP-01] [ERR-10] is neither advertised nor served elsewhere', async () => {
    for (const capabilities of await capabilitiesOf(BARE)) {
      expect(capabilities).not.toHaveProperty('completions')
    }
    const { server } = serve(BARE, { revisions: BOTH })
    expect(await server.handle(request('completion/complete', params))).toEqual(UNKNOWN)
    expect(await server.handle(bare('completion/complete', params))).toEqual(UNKNOWN)
  })

  test('[L-COMP-01] serves an older client without anything newer', async () => {
    const { server } = serve(PARTS, { revisions: BOTH })
    const message = bare('completion/complete', { ref: PROMPT, argument: typed('from', 'os') })
    expect(await server.handle(message)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { completion: { values: ['os!'] } },
    })
  })

  test('[COMP-07] is no result that may be kept', async () => {
    const hint = { ttlMs: 1000, cacheScope: 'private' } as const
    const { server, params: asked } = answering([], { cache: { prompts: hint, resources: hint } })
    const answer = await server.handle(request('completion/complete', asked))
    expect(answer).toEqual(completion({ values: [] }))
  })
})

describe('completers', () => {
  test('never reach the wire', async () => {
    const { ask } = serve(PARTS)
    const prompts = await ask('prompts/list')
    expect(prompts?.result?.['prompts']).toEqual([
      {
        name: 'plan_trip',
        arguments: [
          { name: 'from', required: true },
          { name: 'to', required: false },
          { name: '__proto__', required: false },
        ],
      },
    ])
    const templates = (await ask('resources/templates/list'))?.result?.['resourceTemplates']
    expect(templates).toEqual([{ uriTemplate: ATLAS.uriTemplate, name: 'city' }])
  })

  const entry = (code: string, message: string) => ({ code, message })
  test.each([
    [
      { resources: [{ uriTemplate: 'a:{x}/{+y}', name: 'n', complete: { z: () => [] } }] },
      "resource template 'a:{x}/{+y}': complete has 'z', which is no variable of the template; there are: x, y",
    ],
    [
      { resources: [{ uriTemplate: 'a:1', name: 'n', complete: { '+y': () => [] } }] },
      "resource template 'a:1': complete has '+y', which is no variable of the template; it has none",
    ],
    [
      { resources: [{ uriTemplate: 'a:{x}', name: 'n', complete: { x: ['v'] } }] },
      "resource template 'a:{x}': complete.x must be a function, or left out",
    ],
    [
      { resources: [{ uriTemplate: 'a:{x}', name: 'n', complete: () => [] }] },
      "resource template 'a:{x}': complete must be an object of a function per variable, or left out",
    ],
    [
      { prompts: [{ name: 'p', arguments: [{ name: 'a', complete: ['v'] }] }] },
      "prompt 'p', argument 'a': complete must be a function, or left out",
    ],
  ])('that can not be asked are refused at start-up (%#)', async (lists, message) => {
    const catalog = { ...catalogOf(lists), complete: () => [] }
    const { server } = createTestServer({ catalog })
    expect(await failure(() => server.ready())).toEqual(entry('BEAM_ERR_CATALOG_ENTRY', message))
  })

  test('that are left out, or nothing, are none', async () => {
    const catalog = catalogOf({
      resources: [{ uriTemplate: 'a:{x}', name: 'n', complete: { x: undefined } }],
      prompts: [{ name: 'p', arguments: [{ name: 'a', complete: undefined }] }],
    })
    await createTestServer({ catalog }).server.ready()
  })

  test('that no complete would ask are refused', async () => {
    const prompts = [{ name: 'p', arguments: [{ name: 'a', complete: () => [] }] }]
    const { server } = createTestServer({ catalog: catalogOf({ prompts }) })
    expect(await failure(() => server.ready())).toEqual(
      entry(
        'BEAM_ERR_CATALOG_INVALID',
        'The catalog is refused: entries have completers but the catalog has no complete that would ask them; createCatalog makes one',
      ),
    )
  })

  test('are made one complete by createCatalog, where there are any', () => {
    expect(createCatalog(PARTS).catalog.complete).toBeTypeOf('function')
    expect(createCatalog({}).catalog).not.toHaveProperty('complete')
    expect(createCatalog({ resources: PARTS.resources ?? [] }).catalog).not.toHaveProperty(
      'complete',
    )
  })

  test('[ERR-10] of a catalog are a function, or the option is refused', async () => {
    const catalog = { ...catalogOf({}), complete: {} } as unknown as Catalog
    expect(await failure(() => createTestServer({ catalog }))).toEqual(
      entry('BEAM_ERR_OPT_INVALID', "Option 'catalog.complete' must be a function, or left out"),
    )
  })
})
