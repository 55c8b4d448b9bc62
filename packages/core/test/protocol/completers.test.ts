// SPDX-License-Identifier: Apache-2.0
import {
  type Catalog,
  type CompletionAnswer,
  type CompletionContext,
  type CompletionRequest,
  createCatalog,
  definePrompt,
  defineResourceTemplate,
  type JsonObject,
} from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { ATLAS, completion, PARTS, typed } from '../support/completing.ts'
import { BOTH, bare } from '../support/older-client.ts'
import { catalogOf, createTestServer, failure, INTERNAL, serve } from '../support/server.ts'

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
    // What was judged is what is sent, whatever the list would be written as.
    [Object.assign(['a'], { toJSON: () => 5 }), { values: ['a'] }],
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
