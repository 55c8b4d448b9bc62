// SPDX-License-Identifier: Apache-2.0
import { beamMcp, createCatalog, defineTool } from '@beam-mcp/core'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { errorAnswer, kept, see, UNAUTHORIZED, valueResult } from '../support/answers.ts'
import { listen, post, watched } from '../support/app.ts'
import { call, request } from '../support/messages.ts'

/** One of the three endpoints: its tool, and how often its hooks and its tool were reached. */
function endpoint(name: string) {
  const tool = defineTool({
    name: `echo_${name}`,
    handler: (_args, context) => ({ name, params: context.request?.params ?? null }),
  })
  const { options, seen } = watched(createCatalog({ tools: [tool] }))
  const asked: string[] = []
  const authorize = ({ headers }: { headers: Record<string, unknown> }) => {
    asked.push(name)
    return headers['x-key'] === name
      ? { ok: true as const }
      : { ok: false as const, status: 401 as const }
  }
  return { asked, seen, options: { ...options, authorize: authorize as never, allowedOrigins: [] } }
}

async function build() {
  const [a, b, t] = [endpoint('a'), endpoint('b'), endpoint('t')]
  const app = Fastify({ onProtoPoisoning: 'remove', bodyLimit: 2048 })
  app.decorate('clock', { now: () => 7 })
  app.decorateRequest('tenantName', '')
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
    reply.code(error.statusCode ?? 500).send({ host: error.message }),
  )
  app.get('/health', () => ({ ok: true }))
  app.get('/broken', () => {
    throw Object.assign(new Error('the host says no'), { statusCode: 409 })
  })
  app.post('/body', ({ body }) => ({ keys: Object.keys(body as object) }))
  await app.register(beamMcp, { ...a.options, prefix: '/a' })
  await app.register(beamMcp, { ...b.options, prefix: '/b' })
  await app.register(async (child) => void (await child.register(beamMcp, t.options)), {
    prefix: '/t/:tenant',
  })
  return { app, a, b, t }
}

const told = (name: string, params: object, id: unknown = 1) =>
  kept(200, valueResult({ name, params }, id))

describe('S07: two endpoints in one app, and a third in a child', () => {
  test('each serves its own tool to its own callers', async () => {
    const { app, a, b, t } = await build()
    expect(see(await post(app, call('echo_a'), { 'x-key': 'a' }, '/a/mcp'))).toEqual(told('a', {}))
    expect(see(await post(app, call('echo_b'), { 'x-key': 'b' }, '/b/mcp'))).toEqual(told('b', {}))
    expect(see(await post(app, call('echo_t'), { 'x-key': 't' }, '/t/acme/mcp'))).toEqual(
      told('t', { tenant: 'acme' }),
    )
    expect([a.asked, b.asked, t.asked]).toEqual([['a'], ['b'], ['t']])
  })

  test('each lists its own tools alone', async () => {
    const { app } = await build()
    for (const [name, url] of [
      ['a', '/a/mcp'],
      ['b', '/b/mcp'],
      ['t', '/t/acme/mcp'],
    ] as const) {
      const { result } = (await post(app, request('tools/list'), { 'x-key': name }, url)).json()
      expect(result.tools.map((tool: { name: string }) => tool.name)).toEqual([`echo_${name}`])
    }
  })

  test("a tool of one is unknown at the other, which reaches neither the one's hook nor its dispatch", async () => {
    const { app, a, b } = await build()
    const response = await post(app, call('echo_a'), { 'x-key': 'b' }, '/b/mcp')
    expect(see(response)).toEqual(kept(200, errorAnswer(-32602, 'Unknown tool: echo_a', { id: 1 })))
    expect([a.asked, a.seen, b.asked, b.seen]).toEqual([[], [], ['b'], []])
  })

  test('the credentials of one do not open the other', async () => {
    const { app, b } = await build()
    const response = await post(app, call('echo_b'), { 'x-key': 'a' }, '/b/mcp')
    expect([response.statusCode, response.json(), b.seen]).toEqual([401, UNAUTHORIZED, []])
  })

  test('the routes of the host keep their own shape, parser and limits, and need no credentials', async () => {
    const { app, a, b, t } = await build()
    expect((await app.inject('/health')).json()).toEqual({ ok: true })
    const broken = await app.inject('/broken')
    expect([broken.statusCode, broken.json()]).toEqual([409, { host: 'the host says no' }])
    const sent = (payload: string) =>
      app.inject({
        method: 'POST',
        url: '/body',
        headers: { 'content-type': 'application/json' },
        payload,
      })
    expect((await sent('{"a":1,"a":2,"__proto__":{"x":1}}')).json()).toEqual({ keys: ['a'] })
    expect((await sent('{')).json()).toEqual({ host: expect.any(String) })
    expect((await sent(`"${'x'.repeat(3000)}"`)).json()).toEqual({
      host: 'Request body is too large',
    })
    expect((await app.inject({ method: 'GET', url: '/mcp' })).statusCode).toBe(404)
    expect([a.asked, b.asked, t.asked]).toEqual([[], [], []])
  })

  test("the host's error handler and parser have no say at an endpoint", async () => {
    const { app } = await build()
    const message = call('echo_a', { text: 'x'.repeat(3000) })
    expect((await post(app, message, { 'x-key': 'a' }, '/a/mcp')).statusCode).toBe(200)
    const twice = await app.inject({
      method: 'POST',
      url: '/a/mcp',
      headers: { 'content-type': 'application/json', 'x-key': 'a' },
      payload: '{"a":1,"a":2}',
    })
    expect(see(twice)).toEqual(
      kept(400, errorAnswer(-32600, 'Request body repeats a key: duplicate key "a"')),
    )
  })

  test('the decorators name each endpoint in its scope', async () => {
    const { app } = await build()
    await app.ready()
    expect(await app.mcp.at('/a/mcp').handle(call('echo_a'))).toEqual(
      valueResult({ name: 'a', params: null }),
    )
    expect(await app.mcp.at('/b/mcp').handle(call('echo_b'))).toEqual(
      valueResult({ name: 'b', params: null }),
    )
    expect(app).toMatchObject({ clock: { now: expect.any(Function) } })
  })

  test('closing the application closes all three', async () => {
    const { app } = await build()
    const port = await listen(app)
    await app.close()
    for (const path of ['/a/mcp', '/b/mcp', '/t/acme/mcp']) {
      await expect(
        fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST' }),
      ).rejects.toThrowError()
    }
  })
})
