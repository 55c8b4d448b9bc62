// SPDX-License-Identifier: Apache-2.0
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type CallContext, defineResourceTemplate, defineTool } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { createCatalogCompiler } from '../../src/catalog/compile-catalog.ts'
import { encodeCursor } from '../../src/protocol/cursor.ts'
import { listPage } from '../../src/protocol/methods/list-page.ts'
import type { Call } from '../../src/protocol/revision.ts'
import { request } from '../support/messages.ts'
import { catalogOf, createTestServer, serve, type TestServer } from '../support/server.ts'

/** A promise and what settles it. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

describe('requests that overlap', () => {
  test('[ENV-10] [ENV-12] are answered each for itself, in the order they end', async () => {
    const gates = new Map(['a', 'b', 'c'].map((name) => [name, gate()]))
    const { server } = serve({
      tools: [
        defineTool({
          name: 'wait',
          inputSchema: { type: 'object', properties: { for: { type: 'string' } } },
          handler: async ({ for: name }, { principal, requestId }) => {
            await gates.get(String(name))?.opened
            return { name, principal, requestId }
          },
        }),
      ],
    })
    const ended: unknown[] = []
    const pending = new Map(
      [...gates.keys()].map((name) => {
        // The same id three times: one of several clients each.
        const message = request('tools/call', { name: 'wait', arguments: { for: name } }, 7)
        const answered = server.handle(message, { principal: `of ${name}` }).then((answer) => {
          ended.push(answer?.result?.['structuredContent'])
        })
        return [name, answered]
      }),
    )
    const quick = await server.handle(request('tools/list', {}, 'quick'))
    expect(quick?.id).toBe('quick')
    expect(ended).toEqual([])
    for (const name of ['c', 'a', 'b']) {
      gates.get(name)?.open()
      await pending.get(name)
    }
    expect(ended).toEqual(
      ['c', 'a', 'b'].map((name) => ({ name, principal: `of ${name}`, requestId: 7 })),
    )
  })

  test('[ENV-11] never meet the metadata of one another', async () => {
    const contexts: CallContext[] = []
    const { server } = serve({
      tools: [
        defineTool({
          name: 'see',
          handler: async (_args, context) => {
            await Promise.resolve()
            contexts.push(context)
            return 'seen'
          },
        }),
      ],
    })
    const clients = Array.from({ length: 40 }, (_, index) => ({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': index % 2 ? { sampling: {} } : {},
      'io.modelcontextprotocol/clientInfo': { name: `c${index}`, version: '1' },
    }))
    await Promise.all(
      clients.map((meta, id) =>
        server.handle(request('tools/call', { name: 'see', _meta: meta }, id)),
      ),
    )
    expect(contexts.map(({ requestId, meta }) => [requestId, meta])).toEqual(
      clients.map((meta, id) => [id, meta]),
    )
    expect(
      contexts.every(({ clientInfo, requestId }) => clientInfo?.['name'] === `c${requestId}`),
    ).toBe(true)
  })

  test('a notification among them starts nothing', async () => {
    let ran = 0
    const { server } = serve({ tools: [{ name: 't', handler: () => (ran += 1) }] })
    const call = request('tools/call', { name: 't' })
    const { id: _, ...notification } = call
    const answers = await Promise.all([call, notification, call].map((one) => server.handle(one)))
    expect(answers.map((answer) => answer !== undefined)).toEqual([true, false, true])
    expect(ran).toBe(2)
  })
})

const COUNT = 10_000
/** Characters of each text; enough of them that keeping one in ten would show. */
const LENGTH = 1_000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heapAfterCollection(): number {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

describe('10,000 distinct texts of clients', () => {
  const text = (kind: string, index: number): string => `${kind}${index}-`.padEnd(LENGTH, 'x')
  const server: TestServer = serve({
    tools: [
      defineTool({
        name: 't',
        inputSchema: {
          type: 'object',
          properties: { a: { type: 'string', pattern: '^[a-z0-9-]+$', maxLength: 4000 } },
          patternProperties: { '^k': { type: 'integer' } },
          propertyNames: { maxLength: 4000 },
        },
        handler: () => 'ran',
      }),
    ],
    resourceTemplates: [
      defineResourceTemplate({ uriTemplate: 'a:{+x}', name: 'any', read: () => 'text' }),
    ],
  })

  test.each<readonly [string, (index: number) => readonly [string, object]]>([
    ['methods', (index) => [text('m', index), {}]],
    ['names of tools', (index) => ['tools/call', { name: text('n', index) }]],
    ['names of prompts', (index) => ['prompts/get', { name: text('p', index) }]],
    ['uris that are read', (index) => ['resources/read', { uri: text('a:', index) }]],
    ['uris that are not found', (index) => ['resources/read', { uri: text('b:', index) }]],
    [
      'cursors',
      (index) => ['resources/list', { cursor: encodeCursor('resources', text('c', index)) }],
    ],
    ['keys', (index) => ['tools/call', { name: 't', arguments: { [text('k', index)]: 1 } }]],
    ['values', (index) => ['tools/call', { name: 't', arguments: { a: text('v', index) } }]],
  ])('grow nothing as %s', async (_, made) => {
    const send = async (from: number, count: number): Promise<void> => {
      for (let index = from; index < from + count; index += 1) {
        const [method, params] = made(index)
        await server.ask(method, params as Record<string, unknown>)
      }
    }
    await send(0, 1_000)
    const before = heapAfterCollection()
    await send(1_000, COUNT)
    const kept = (heapAfterCollection() - before) / (COUNT * LENGTH)
    expect(kept).toBeLessThan(0.1)
  })

  test('as cursors leave no more pages behind than the list has', async () => {
    const resources = Array.from({ length: 20 }, (_, index) => ({
      uri: `r${10 + index}`,
      name: 'n',
    }))
    const list = createCatalogCompiler(1000).compile({
      tools: [],
      prompts: [],
      resources,
    }).resources
    const call = (cursor: string): Call =>
      ({
        params: { cursor },
        service: { catalog: catalogOf({}), pageSize: 3 },
        cacheText: { resources: '' },
      }) as unknown as Call
    const names = { member: 'resources', kind: 'resources', cache: 'resources' } as const
    for (let index = 0; index < COUNT; index += 1) {
      const after = `r${10 + (index % 25)}${'~'.repeat(index % 7)}${index}`
      await listPage(call(encodeCursor('resources', after)), list, names)
    }
    // Those that follow one another are kept; one that a client made up is not.
    expect([...list.pages.keys()].sort((a, b) => a - b)).toEqual([3, 6, 9, 12, 15, 18])
  })

  test('as catalogs that are gone leave nothing behind', async () => {
    let version = 0
    const changing = createTestServer({
      catalog: {
        ...catalogOf({}),
        capabilities: () => {
          version += 1
          const tool = { name: `t${version}`, description: text('d', version) }
          return { tools: [tool], resources: [], prompts: [] }
        },
      },
    })
    for (let index = 0; index < 500; index += 1) await changing.ask('tools/list')
    const before = heapAfterCollection()
    for (let index = 0; index < COUNT / 2; index += 1) await changing.ask('tools/list')
    const kept = (heapAfterCollection() - before) / ((COUNT / 2) * LENGTH)
    expect(kept).toBeLessThan(0.1)
  })
})
