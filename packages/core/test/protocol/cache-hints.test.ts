// SPDX-License-Identifier: Apache-2.0
import {
  type CatalogContext,
  createCatalog,
  createServer,
  defineResource,
  type ServerOptions,
} from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { catalogOf, createTestServer, failure, recordLog, serve } from '../support/server.ts'

const REQUIRED = createCatalog({})
const { logger } = recordLog()

const SHELF = {
  resources: [defineResource({ uri: 'a:1', name: 'one', read: () => 'text' })],
}

/** Each cacheable method, and the key of its hints. */
const CACHEABLE = [
  ['server/discover', {}, 'discover'],
  ['tools/list', {}, 'tools'],
  ['resources/list', {}, 'resources'],
  ['resources/templates/list', {}, 'resources'],
  ['resources/read', { uri: 'a:1' }, 'resources'],
  ['prompts/list', {}, 'prompts'],
] as const

describe('cache hints', () => {
  test.each(CACHEABLE)(
    '[CACHE-01] %s carries a ttl of 0 and the scope private unless told',
    async (method, params) => {
      const { ask } = serve(SHELF)
      expect((await ask(method, params))?.result).toMatchObject({
        ttlMs: 0,
        cacheScope: 'private',
      })
    },
  )

  test.each(CACHEABLE)(
    '[CACHE-02] %s carries the hints of its kind and of no other',
    async (method, params, key) => {
      const { ask } = serve(SHELF, { cache: { [key]: { ttlMs: 1234, cacheScope: 'public' } } })
      for (const [other, otherParams, otherKey] of CACHEABLE) {
        const hints =
          otherKey === key
            ? { ttlMs: 1234, cacheScope: 'public' }
            : { ttlMs: 0, cacheScope: 'private' }
        expect((await ask(other, otherParams))?.result).toMatchObject(hints)
      }
      expect((await ask(method, params))?.result).toMatchObject({ ttlMs: 1234 })
    },
  )

  test.each([
    ['tools/call', { name: 'none' }],
    ['prompts/get', { name: 'p' }],
  ])('[CACHE-01] %s carries no hints', async (method, params) => {
    const { ask } = createTestServer({
      catalog: {
        ...catalogOf({ tools: [{ name: 'none' }], prompts: [{ name: 'p' }] }),
        getPrompt: () => ({ messages: [] }),
      },
      dispatch: () => 'text',
      cache: { tools: { ttlMs: 5, cacheScope: 'public' } },
    })
    const result = (await ask(method, params))?.result ?? {}
    expect(Object.keys(result)).not.toContain('ttlMs')
    expect(Object.keys(result)).not.toContain('cacheScope')
    expect(result['resultType']).toBe('complete')
  })

  const TTL = "Option 'cache.tools.ttlMs' must be a whole number of milliseconds from 0"
  const SCOPE = "Option 'cache.tools.cacheScope' must be 'public' or 'private'"
  test.each([
    [{ tools: { ttlMs: -1, cacheScope: 'private' } }, TTL],
    [{ tools: { ttlMs: 0.5, cacheScope: 'private' } }, TTL],
    [{ tools: { ttlMs: '5', cacheScope: 'private' } }, TTL],
    [{ tools: { ttlMs: null, cacheScope: 'private' } }, TTL],
    [{ tools: { ttlMs: Number.POSITIVE_INFINITY, cacheScope: 'private' } }, TTL],
    [{ tools: { ttlMs: 0, cacheScope: 'Public' } }, SCOPE],
    [{ tools: { ttlMs: 0, cacheScope: null } }, SCOPE],
    [{ tools: { ttlMs: 0, cacheScope: true } }, SCOPE],
    [{ tools: 5 }, "Option 'cache.tools' must be { ttlMs, cacheScope }"],
    [{ tools: null }, "Option 'cache.tools' must be { ttlMs, cacheScope }"],
    [
      { tools: { ttl: 5 } },
      "Option 'cache.tools.ttl' is unknown; did you mean 'cache.tools.ttlMs'?",
    ],
    [{ tool: {} }, "Option 'cache.tool' is unknown; did you mean 'cache.tools'?"],
    [null, "Option 'cache' must be an object of { ttlMs, cacheScope } per kind"],
    [[], "Option 'cache' must be an object of { ttlMs, cacheScope } per kind"],
  ])('[CACHE-02] [CACHE-03] the hints %j are refused at construction', async (cache, message) => {
    const options = { ...REQUIRED, logger, cache } as unknown as ServerOptions
    expect(await failure(() => createServer(options))).toEqual({
      code: 'BEAM_ERR_OPT_INVALID',
      message,
    })
  })
})

describe('a public scope', () => {
  test.each(['tools', 'resources', 'prompts'] as const)(
    '[CACHE-04] of %s is refused together with allows',
    async (key) => {
      const { catalog, dispatch } = createCatalog({ allows: () => true })
      const cache = { [key]: { ttlMs: 0, cacheScope: 'public' as const } }
      expect(await failure(() => createServer({ catalog, dispatch, cache, logger }))).toEqual({
        code: 'BEAM_ERR_OPT_INVALID',
        message: `Option 'cache.${key}.cacheScope' is 'public', but catalog.allows hides entries per caller; a public result is anyone's: say 'private'`,
      })
    },
  )

  test('of discover goes together with allows, which it does not depend on', async () => {
    const cache = { discover: { ttlMs: 0, cacheScope: 'public' as const } }
    const { ask } = serve({ allows: () => true }, { cache })
    expect((await ask('server/discover'))?.result).toMatchObject({ cacheScope: 'public' })
  })

  test.each(['tools', 'resources', 'prompts'] as const)(
    '[CACHE-04] of %s withholds the caller from capabilities',
    async (key) => {
      const seen: CatalogContext[] = []
      const lists = catalogOf({})
      const { ask } = createTestServer({
        catalog: {
          ...lists,
          capabilities: (context) => {
            seen.push(context)
            return lists.capabilities(context)
          },
        },
        cache: { [key]: { ttlMs: 0, cacheScope: 'public' } },
      })
      for (const [method, params] of CACHEABLE) await ask(method, params, 'alice')
      expect(seen).toEqual([
        { principal: undefined },
        ...Array.from({ length: 5 }, () => ({ principal: undefined, transport: 'in-process' })),
      ])
    },
  )

  test('private lists let capabilities see the caller', async () => {
    const seen: unknown[] = []
    const lists = catalogOf({})
    const { ask } = createTestServer({
      catalog: {
        ...lists,
        capabilities: (context) => {
          seen.push(context.principal)
          return lists.capabilities(context)
        },
      },
    })
    await ask('tools/list', {}, 'alice')
    await ask('prompts/list', {}, 'bob')
    expect(seen).toEqual([undefined, 'alice', 'bob'])
  })

  test.each([
    ['public', undefined],
    ['private', 'alice'],
  ] as const)('[CACHE-04] a %s read hands its reader the principal %s', async (scope, expected) => {
    let seen: unknown = 'not asked'
    const { ask } = serve(
      {
        resources: [
          defineResource({
            uri: 'a:1',
            name: 'one',
            read: (context) => {
              seen = context.principal
              return 'text'
            },
          }),
        ],
      },
      { cache: { resources: { ttlMs: 60_000, cacheScope: scope } } },
    )
    await ask('resources/read', { uri: 'a:1' }, 'alice')
    expect(seen).toBe(expected)
  })

  test('of resources leaves tools and prompts their caller', async () => {
    const seen: unknown[] = []
    const { ask } = createTestServer({
      catalog: {
        ...catalogOf({ tools: [{ name: 't' }], prompts: [{ name: 'p' }] }),
        getPrompt: (_name, _args, { principal }) => {
          seen.push(principal)
          return { messages: [] }
        },
      },
      dispatch: (_tool, _args, { principal }) => {
        seen.push(principal)
        return 'text'
      },
      cache: { resources: { ttlMs: 0, cacheScope: 'public' } },
    })
    await ask('tools/call', { name: 't' }, 'alice')
    await ask('prompts/get', { name: 'p' }, 'alice')
    expect(seen).toEqual(['alice', 'alice'])
  })
})
