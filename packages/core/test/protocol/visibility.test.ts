// SPDX-License-Identifier: Apache-2.0
import type { CallContext, Catalog, CatalogEntry } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { catalogOf, createTestServer, errorAnswer } from '../support/server.ts'

const LISTS = {
  tools: [{ name: 'open' }, { name: 'secret' }],
  resources: [
    { uri: 'a:open', name: 'open' },
    { uri: 'a:secret', name: 'secret' },
    { uriTemplate: 'b:{open}', name: 'open' },
    { uriTemplate: 'c:{secret}', name: 'secret' },
  ],
  prompts: [{ name: 'open' }, { name: 'secret' }],
}

const isOpen = (entry: CatalogEntry): boolean => entry.spec.name === 'open'

function serveWith(allows: Catalog['allows'], lists: Readonly<Record<string, unknown>> = LISTS) {
  const reached: string[] = []
  const server = createTestServer({
    catalog: {
      ...catalogOf(lists),
      readResource: (uri) => {
        reached.push(uri)
        return 'text'
      },
      getPrompt: (name) => {
        reached.push(name)
        return { messages: [] }
      },
      ...(allows && { allows }),
    },
    dispatch: (tool) => {
      reached.push(tool)
      return 'ran'
    },
    pageSize: 2,
  })
  return { ...server, reached }
}

describe.each([
  ['at once', isOpen],
  ['later', async (entry: CatalogEntry) => isOpen(entry)],
] as const)('allows that answers %s', (_, allows) => {
  test.each([
    ['tools/list', 'tools', 'name'],
    ['resources/list', 'resources', 'uri'],
    ['resources/templates/list', 'resourceTemplates', 'uriTemplate'],
    ['prompts/list', 'prompts', 'name'],
  ])('[TOOL-02] filters %s', async (method, member, key) => {
    const { ask } = serveWith(allows)
    const entries = (await ask(method))?.result?.[member] as Record<string, string>[]
    expect(entries.map((entry) => entry[key])).toEqual([expect.stringContaining('open')])
  })

  test('admits what it shows', async () => {
    const { ask, reached } = serveWith(allows)
    await ask('tools/call', { name: 'open' })
    await ask('resources/read', { uri: 'a:open' })
    await ask('resources/read', { uri: 'b:1' })
    await ask('prompts/get', { name: 'open' })
    expect(reached).toEqual(['open', 'a:open', 'b:1', 'open'])
  })

  /** Calls of what is hidden. */
  const HIDDEN = [
    ['tools/call', { name: 'secret' }],
    ['tools/call', { name: 'secret', arguments: null }],
    ['tools/call', { name: 'secret', arguments: { n: 2n ** 60n } }],
    ['resources/read', { uri: 'a:secret' }],
    ['resources/read', { uri: 'c:1' }],
    ['prompts/get', { name: 'secret' }],
    ['prompts/get', { name: 'secret', arguments: { x: 5 } }],
    ['prompts/get', { name: 'secret', arguments: [] }],
  ] as const

  test.each(HIDDEN)(
    '[RES-12] [TOOL-12] answers %s exactly as if there were no such entry (%#)',
    async (method, params) => {
      const hidden = serveWith(allows)
      const absent = serveWith(undefined, {
        tools: LISTS.tools.slice(0, 1),
        resources: [LISTS.resources[0], LISTS.resources[2]],
        prompts: LISTS.prompts.slice(0, 1),
      })
      const answer = await hidden.ask(method, params)
      expect(answer).toMatchObject({ error: { code: -32602 } })
      expect(JSON.stringify(answer)).toBe(JSON.stringify(await absent.ask(method, params)))
      expect(hidden.reached).toEqual([])
      expect(hidden.log.lines).toEqual([])
    },
  )
})

describe('a hidden resource', () => {
  const resources = [
    { uri: 'a:1', name: 'secret' },
    { uriTemplate: 'a:{x}', name: 'open' },
    { uriTemplate: 'a:{+x}', name: 'secret' },
  ]

  test('[RES-16] is not reached through a template that admits its uri', async () => {
    const { ask, reached } = serveWith(isOpen, { resources })
    expect(await ask('resources/read', { uri: 'a:1' })).toEqual(
      errorAnswer(-32602, 'Resource not found: a:1', { uri: 'a:1' }),
    )
    expect(reached).toEqual([])
    expect(await ask('resources/read', { uri: 'a:2' })).toMatchObject({
      result: { contents: [{ uri: 'a:2' }] },
    })
  })

  test('[RES-16] leaves its uri to the next template that the caller may see', async () => {
    let matched: string | undefined
    const { ask } = createTestServer({
      catalog: {
        ...catalogOf({
          resources: [
            { uriTemplate: 'a:{+x}', name: 'secret' },
            { uriTemplate: 'a:{x}', name: 'open' },
          ],
        }),
        readResource: (_uri, context) => {
          matched = context.matched
          return 'text'
        },
        allows: isOpen,
      },
    })
    await ask('resources/read', { uri: 'a:1' })
    expect(matched).toBe('a:{x}')
    expect(await ask('resources/read', { uri: 'a:1/2' })).toMatchObject({
      error: { code: -32602 },
    })
  })
})

describe('allows', () => {
  test('is asked about the entry and the call, once for each entry in question', async () => {
    const asked: { entry: CatalogEntry; context: CallContext }[] = []
    const { ask } = serveWith((entry, context) => {
      asked.push({ entry, context })
      return true
    })
    await ask('tools/call', { name: 'open' }, 'alice')
    await ask('resources/read', { uri: 'c:1' }, 'bob')
    expect(asked.map(({ entry }) => entry)).toEqual([
      { type: 'tool', spec: LISTS.tools[0] },
      { type: 'resourceTemplate', spec: LISTS.resources[3] },
    ])
    expect(asked[0]?.entry.spec).toBe(LISTS.tools[0])
    expect(asked.map(({ context: { principal, method } }) => [principal, method])).toEqual([
      ['alice', 'tools/call'],
      ['bob', 'resources/read'],
    ])
    asked.length = 0
    await ask('prompts/list', {}, 'carol')
    expect(asked.map(({ entry }) => entry)).toEqual([
      { type: 'prompt', spec: LISTS.prompts[0] },
      { type: 'prompt', spec: LISTS.prompts[1] },
    ])
  })

  test('[PAGE-05] [ENV-11] gives each caller pages of their own, whoever asked before', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `p${index}`)
    const { ask } = serveWith(
      ({ spec }, { principal }) => Number(spec.name.slice(1)) % Number(principal) === 0,
      { prompts: names.map((name) => ({ name })) },
    )
    const walk = async (principal: number): Promise<string[][]> => {
      const pages: string[][] = []
      let cursor: unknown
      do {
        const result = (await ask('prompts/list', { cursor }, principal))?.result ?? {}
        pages.push((result['prompts'] as { name: string }[]).map(({ name }) => name))
        cursor = result['nextCursor']
      } while (cursor !== undefined)
      return pages
    }
    const threes = [['p0', 'p3'], ['p6']]
    expect(await walk(3)).toEqual(threes)
    expect(await walk(1)).toHaveLength(5)
    expect(await walk(4)).toEqual([['p0', 'p4'], ['p8']])
    expect(await walk(8)).toEqual([['p0', 'p8']])
    expect(await walk(3)).toEqual(threes)
    const [ofThree, ofFour] = await Promise.all([walk(3), walk(4)])
    expect([ofThree, ofFour]).toEqual([threes, [['p0', 'p4'], ['p8']]])
  })

  test('[PAGE-05] takes a cursor that names a hidden entry as a position', async () => {
    const { ask } = serveWith(({ spec }, { principal }) => spec.name !== principal, {
      prompts: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    })
    const first = await ask('prompts/list', {}, 'nobody')
    const cursor = first?.result?.['nextCursor']
    const rest = await ask('prompts/list', { cursor }, 'b')
    expect(rest?.result?.['prompts']).toEqual([{ name: 'c' }])
  })

  test('is not asked about a name that the catalog does not have', async () => {
    let asked = 0
    const { ask } = serveWith(() => {
      asked += 1
      return true
    })
    for (const name of ['none', '__proto__', 'constructor', 'toString']) {
      await ask('tools/call', { name })
      await ask('prompts/get', { name })
      await ask('resources/read', { uri: name })
    }
    expect(asked).toBe(0)
  })
})
