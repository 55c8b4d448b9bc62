// SPDX-License-Identifier: Apache-2.0
import { beamMcp, createCatalog, defineTool } from '@beam-mcp/core'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { describe, expect, test } from 'vitest'
import { kept, see, valueResult } from '../support/answers.ts'
import {
  collectLog,
  createApp,
  type EndpointOptions,
  echoCatalog,
  openTo,
  post,
  watched,
} from '../support/app.ts'
import { call } from '../support/messages.ts'

const CALL = call('echo', { text: 'hi' })
const SERVED = kept(200, valueResult({ text: 'hi' }))

/** The paths out of these at which the endpoint answers. */
async function servedAt(app: FastifyInstance, paths: readonly string[]): Promise<string[]> {
  const served: string[] = []
  for (const path of paths) {
    const response = await post(app, CALL, {}, path)
    if (response.statusCode === 200) served.push(path)
    else expect([path, response.statusCode]).toEqual([path, 404])
  }
  return served
}

describe('the path of an endpoint', () => {
  const CANDIDATES = [
    '/',
    '/mcp',
    '/mcp/',
    '/mcp/x',
    '/mcp//',
    '/a',
    '/a/',
    '/a/mcp',
    '/a/mcp/',
    '/a/x',
    '/a/x/',
    '//',
    '/x',
  ]

  test.each<[string, Partial<EndpointOptions>, string[]]>([
    ['nothing', {}, ['/mcp', '/mcp/']],
    ['a prefix', { prefix: '/a' }, ['/a/mcp', '/a/mcp/']],
    ['a path', { path: '/x' }, ['/x']],
    ['a prefix and a path', { prefix: '/a', path: '/x' }, ['/a/x', '/a/x/']],
    ['a prefix and the path /', { prefix: '/a', path: '/' }, ['/a', '/a/']],
    ['the path /', { path: '/' }, ['/']],
  ])(
    '[HTTP-01] follows from %s, with or without a slash behind it, and nothing below is served',
    async (_, more, expected) => {
      const app = await createApp({ ...echoCatalog().options, ...more })
      expect(await servedAt(app, CANDIDATES)).toEqual(expected)
    },
  )

  test.each<[string, FastifyServerOptions]>([
    ['as a server option', { ignoreTrailingSlash: true }],
    ['as a router option', { routerOptions: { ignoreTrailingSlash: true } }],
  ])('[HTTP-01] does not clash where the host ignores a trailing slash %s', async (_, fastify) => {
    const app = await createApp(echoCatalog().options, fastify)
    expect(await servedAt(app, CANDIDATES)).toEqual(expect.arrayContaining(['/mcp', '/mcp/']))
    const atRoot = await createApp({ ...echoCatalog().options, prefix: '/a', path: '/' }, fastify)
    expect(await servedAt(atRoot, ['/a', '/a/', '/a/x'])).toEqual(['/a', '/a/'])
  })

  test('is served with a query, and never redirects', async () => {
    const app = await createApp(echoCatalog().options)
    expect(see(await post(app, CALL, {}, '/mcp?x=1'))).toEqual(SERVED)
    expect(see(await post(app, CALL, {}, '/mcp/?x=1'))).toEqual(SERVED)
  })

  test('takes the prefix of the scope it is registered in', async () => {
    const app = Fastify()
    await app.register(
      async (scope) => {
        await scope.register(beamMcp, openTo({ ...echoCatalog().options, prefix: '/v1' }))
      },
      { prefix: '/api' },
    )
    expect(
      await servedAt(app, ['/api/v1/mcp', '/api/v1/mcp/', '/api/mcp', '/v1/mcp', '/mcp']),
    ).toEqual(['/api/v1/mcp', '/api/v1/mcp/'])
  })

  test.each([
    ['in the prefix of the registration', { prefix: '/t/:tenant' }, undefined],
    ['in the prefix of the scope', {}, '/t/:tenant'],
    ['in the path', { path: '/t/:tenant/mcp' }, undefined],
  ])(
    'may have parameters %s, which the host reads through context.request',
    async (_, more, prefix) => {
      const tenant = defineTool({
        name: 'tenant',
        handler: (_args, { request }) =>
          (request?.params as { tenant: string } | undefined)?.tenant,
      })
      const { options } = watched(createCatalog({ tools: [tenant] }))
      const asked: unknown[] = []
      const app = Fastify()
      const register = (scope: FastifyInstance) =>
        scope.register(
          beamMcp,
          openTo({
            ...options,
            ...more,
            authorize: ({ params }) => {
              asked.push(params)
              return { ok: true }
            },
          }),
        )
      if (prefix === undefined) await register(app)
      else await app.register(async (scope) => void (await register(scope)), { prefix })
      const response = await post(app, call('tenant'), {}, '/t/acme/mcp')
      expect(response.json().result.content).toEqual([{ type: 'text', text: 'acme' }])
      expect(asked).toEqual([{ tenant: 'acme' }])
    },
  )

  test("leaves the host's own answer to everything else", async () => {
    const app = Fastify()
    app.setNotFoundHandler((_request, reply) => reply.code(404).send({ host: 'not found' }))
    await app.register(beamMcp, openTo(echoCatalog().options))
    const response = await post(app, CALL, {}, '/mcp/below')
    expect([response.statusCode, response.json()]).toEqual([404, { host: 'not found' }])
  })
})

describe('the routes of an endpoint', () => {
  test('are hidden from a schema, and one per spelling', async () => {
    const app = Fastify()
    const routes: unknown[] = []
    app.addHook('onRoute', ({ url, schema, method }) => {
      routes.push([url, Object.entries(schema ?? {}), [...method].toSorted()])
    })
    await app.register(beamMcp, openTo(echoCatalog().options))
    await app.ready()
    const methods = app.supportedMethods.toSorted()
    expect(routes).toEqual([
      ['/mcp', [['hide', true]], methods],
      ['/mcp/', [['hide', true]], methods],
    ])
  })

  test("say which server answers there, so that the host's hooks know them", async () => {
    const app = Fastify()
    const served: [url: string, mcp: unknown][] = []
    app.addHook('onRoute', ({ url, config }) => {
      served.push([url, config?.mcp])
    })
    const { options } = echoCatalog()
    await app.register(beamMcp, openTo({ ...options, serverInfo: { name: 'named', version: '1' } }))
    app.get('/own', () => 'fine')
    await app.ready()
    const named = { server: 'named' }
    expect(served.filter(([url]) => url !== '/own')).toEqual([
      ['/mcp', named],
      ['/mcp/', named],
    ])
    expect(served).toContainEqual(['/own', undefined])
  })

  test.each([
    ['silent', []],
    ['error', [50]],
  ] as const)('log at the level %j that the registration names', async (logLevel, expected) => {
    const { lines, logger } = collectLog('info')
    const app = await createApp(
      {
        ...echoCatalog().options,
        logLevel,
        authorize: () => {
          throw new Error('the host failed')
        },
      },
      { logger },
    )
    expect((await post(app, CALL)).statusCode).toBe(500)
    expect(lines.map(({ level }) => level)).toEqual(expected)
  })

  test('log with the serializers that the registration names', async () => {
    const { lines, logger } = collectLog('info')
    const app = Fastify({ logger })
    await app.register(beamMcp, {
      ...openTo(echoCatalog().options),
      logSerializers: { req: () => 'a request of the endpoint' },
    })
    await post(app, CALL)
    expect(lines[0]).toMatchObject({ req: 'a request of the endpoint', msg: 'incoming request' })
  })
})
