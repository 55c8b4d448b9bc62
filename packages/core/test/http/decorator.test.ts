// SPDX-License-Identifier: Apache-2.0
import { beamMcp, createCatalog, defineTool } from '@beam-mcp/core'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { errorAnswer, valueResult } from '../support/answers.ts'
import { createApp, type EndpointOptions, openTo } from '../support/app.ts'
import { call } from '../support/messages.ts'

/** The options of an endpoint whose one tool tells its name. */
function named(name: string, more: Partial<EndpointOptions> = {}) {
  const tool = defineTool({
    name: 'whoami',
    handler: (_, { principal }) => ({ name, principal: principal ?? null }),
  })
  return openTo({ ...createCatalog({ tools: [tool] }), ...more })
}

const told = (name: string, principal: unknown = null) => valueResult({ name, principal })
const WHOAMI = call('whoami')

describe('the decorator', () => {
  test('serves a message in process, with the principal that the caller names', async () => {
    const app = await createApp(named('one'))
    expect(await app.mcp.handle(WHOAMI)).toEqual(told('one'))
    expect(await app.mcp.handle(WHOAMI, {})).toEqual(told('one'))
    expect(await app.mcp.handle(WHOAMI, { principal: 'ann' })).toEqual(told('one', 'ann'))
  })

  test('asks neither authorize nor authorizeBody', async () => {
    const refuse = () => ({ ok: false }) as const
    const app = await createApp(named('one', { authorize: refuse, authorizeBody: refuse }))
    expect(await app.mcp.handle(WHOAMI)).toEqual(told('one'))
  })

  test('gives the tool no request, and another transport', async () => {
    const tool = defineTool({
      name: 'whoami',
      handler: (_, { request, transport }) => ({ hasRequest: request !== undefined, transport }),
    })
    const app = await createApp(createCatalog({ tools: [tool] }))
    expect(await app.mcp.handle(WHOAMI)).toEqual(
      valueResult({ hasRequest: false, transport: 'in-process' }),
    )
  })

  test('is joined by a further endpoint of the same scope', async () => {
    const app = Fastify()
    await app.register(beamMcp, named('a', { prefix: '/a' }))
    await app.register(beamMcp, named('b', { prefix: '/b' }))
    expect(await app.mcp.handle(WHOAMI)).toEqual(told('a'))
    expect(await app.mcp.at('/a/mcp').handle(WHOAMI)).toEqual(told('a'))
    expect(await app.mcp.at('/b/mcp').handle(WHOAMI)).toEqual(told('b'))
  })

  test('is its own in a child scope, in every order', async () => {
    const app = Fastify()
    let child: FastifyInstance | undefined
    await app.register(beamMcp, named('parent'))
    await app.register(
      async (scope) => {
        child = scope
        await scope.register(beamMcp, named('child'))
      },
      { prefix: '/t/:tenant' },
    )
    await app.ready()
    expect(await app.mcp.handle(WHOAMI)).toEqual(told('parent'))
    expect(await child?.mcp.handle(WHOAMI)).toEqual(told('child'))
    expect(await child?.mcp.at('/t/:tenant/mcp').handle(WHOAMI)).toEqual(told('child'))
    expect(() => child?.mcp.at('/mcp')).toThrowError(
      expect.objectContaining({ code: 'BEAM_ERR_HTTP_NO_ENDPOINT' }),
    )
    expect(() => app.mcp.at('/t/:tenant/mcp')).toThrowError(
      expect.objectContaining({ code: 'BEAM_ERR_HTTP_NO_ENDPOINT' }),
    )
  })

  test('is not seen by the parent of the scope that has it', async () => {
    const app = Fastify()
    await app.register(async (scope) => void (await scope.register(beamMcp, named('child'))))
    await app.ready()
    expect(app.hasDecorator('mcp')).toBe(false)
  })

  test.each([
    ['a prefix without a slash in front', 'a', '/a/mcp'],
    ['a prefix with a slash behind', '/a/', '/a/mcp'],
    ['an empty prefix', '', '/mcp'],
  ])('knows an endpoint by the path of its route: %s', async (_, prefix, path) => {
    const app = await createApp(named('one', { prefix }))
    expect(app.hasRoute({ method: 'POST', url: path })).toBe(true)
    expect(await app.mcp.at(path).handle(WHOAMI)).toEqual(told('one'))
  })

  test.each([
    [{ path: '/' }, '/'],
    [{ prefix: '/a', path: '/' }, '/a'],
    [{ prefix: '/a', path: '/x' }, '/a/x'],
  ])('knows the endpoint of %j as %s', async (more, path) => {
    const app = await createApp(named('one', more))
    expect(await app.mcp.at(path).handle(WHOAMI)).toEqual(told('one'))
  })

  test('names the paths there are when it is asked for another', async () => {
    const app = Fastify()
    await app.register(beamMcp, named('a', { prefix: '/a' }))
    await app.register(beamMcp, named('b', { prefix: '/b' }))
    expect(() => app.mcp.at('/c/mcp')).toThrowError(
      expect.objectContaining({
        code: 'BEAM_ERR_HTTP_NO_ENDPOINT',
        message: "No MCP endpoint at '/c/mcp' in this scope; there is: /a/mcp, /b/mcp",
      }),
    )
  })

  test('has the name that the host chooses', async () => {
    const app = Fastify()
    await app.register(beamMcp, named('one', { decorator: 'agents' }))
    await app.register(beamMcp, named('two', { prefix: '/b' }))
    const { agents } = app as unknown as FastifyInstance & { agents: FastifyInstance['mcp'] }
    expect(await agents.handle(WHOAMI)).toEqual(told('one'))
    expect(await app.mcp.handle(WHOAMI)).toEqual(told('two'))
    expect(() => app.mcp.at('/mcp')).toThrowError()
  })

  test('is absent where the host wants none', async () => {
    const app = await createApp(named('one', { decorator: false }))
    expect(app.hasDecorator('mcp')).toBe(false)
    expect(app.hasRoute({ method: 'POST', url: '/mcp' })).toBe(true)
  })

  test.each<[string, (app: FastifyInstance) => void, string]>([
    ['an object of the host', (app) => app.decorate('mcp', {} as never), 'mcp'],
    ['a text of the host', (app) => app.decorate('mcp', 'mine' as never), 'mcp'],
    ['null', (app) => app.decorate('mcp', null as never), 'mcp'],
    ['undefined', (app) => app.decorate('mcp', undefined as never), 'mcp'],
    ['a getter of the host', (app) => app.decorate('mcp', { getter: () => ({}) as never }), 'mcp'],
    ['a method of Fastify', () => undefined, 'listen'],
    ['a member of every object', () => undefined, 'constructor'],
  ])('refuses a name taken by %s, and says what to do', async (_, prepare, name) => {
    const app = Fastify()
    prepare(app)
    await expect(
      app.register(beamMcp, named('one', { decorator: name })).then(),
    ).rejects.toMatchObject({
      code: 'BEAM_ERR_HTTP_DECORATOR_TAKEN',
      message: `The name '${name}' is taken on this Fastify instance by something else; give the plugin another with the option 'decorator', or false for none`,
    })
  })

  test('refuses a name that the parent scope took for something else', async () => {
    const app = Fastify()
    app.decorate('mcp', { mine: true } as never)
    const child = async (scope: FastifyInstance) =>
      void (await scope.register(beamMcp, named('one')))
    await expect(app.register(child).then()).rejects.toMatchObject({
      code: 'BEAM_ERR_HTTP_DECORATOR_TAKEN',
    })
  })

  test('answers a fault of the host as HTTP does', async () => {
    const fail = defineTool({
      name: 'whoami',
      handler: () => {
        throw Object.assign(new Error('secret'), { statusCode: 404 })
      },
    })
    const app = await createApp(createCatalog({ tools: [fail] }))
    expect(await app.mcp.handle(WHOAMI)).toEqual(errorAnswer(-32603, 'Internal error', { id: 1 }))
  })
})
