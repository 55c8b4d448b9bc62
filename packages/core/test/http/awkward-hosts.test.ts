// SPDX-License-Identifier: Apache-2.0
import {
  type BeamMcpOptions,
  beamMcp,
  createCatalog,
  defineResource,
  defineTool,
  toolResult,
} from '@beam-mcp/core'
import Fastify, { type FastifyInstance } from 'fastify'
import { describe, expect, test } from 'vitest'
import { errorAnswer, INTERNAL, kept, see } from '../support/answers.ts'
import { createApp, echoCatalog, openTo, post } from '../support/app.ts'
import { call, request } from '../support/messages.ts'

/** An object of which nothing may be asked. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const TRAPPED = new Proxy(
  {},
  {
    getPrototypeOf() {
      throw new TypeError('no prototype')
    },
  },
)

/** A promise that can't be waited for without running code of the host's. */
function hostilePromise(): Promise<never> {
  const promise = Promise.resolve({ ok: true }) as Promise<never>
  Object.defineProperty(promise, 'constructor', {
    get() {
      throw new Error('no constructor')
    },
  })
  return promise
}

const AWKWARD: readonly (readonly [string, () => unknown])[] = [
  [
    'throws a revoked proxy',
    () => {
      throw revoked()
    },
  ],
  [
    'rejects with a revoked proxy',
    async () => {
      throw revoked()
    },
  ],
  [
    'answers a thenable that rejects with a trap',
    () => ({ then: (_: unknown, no: (x: unknown) => void) => no(TRAPPED) }),
  ],
  [
    'answers later what throws when it is read',
    async () => ({
      get ok() {
        throw revoked()
      },
    }),
  ],
  ['answers a promise with a constructor that throws', hostilePromise],
]

describe('a decision hook that', () => {
  test.each(AWKWARD)('%s is a failure of its own and ends no process', async (_, hook) => {
    const { options, seen } = echoCatalog()
    for (const name of ['authorize', 'authorizeBody', 'authorizeCall']) {
      const app = await createApp({ ...options, [name]: hook } as unknown as BeamMcpOptions)
      const answer = await post(app, call('echo'))
      const { error } = answer.json()
      expect([answer.statusCode, error]).toEqual([500, { code: -32603, message: 'Internal error' }])
    }
    expect(seen).toEqual([])
  })
})

describe('a hook of the host that', () => {
  /** A host with a hook of its own, and the endpoint behind it. */
  async function behind(addHook: (app: FastifyInstance) => void) {
    const { options, seen } = echoCatalog()
    const app = Fastify()
    addHook(app)
    await app.register(beamMcp, openTo(options))
    return { answer: await post(app, call('echo')), seen }
  }

  test('replaces the decoded body is answered at once, and no message is served', async () => {
    const { answer, seen } = await behind((app) =>
      app.addHook('preValidation', async (incoming) => {
        incoming.body = { ...(incoming.body as object) }
      }),
    )
    expect(see(answer)).toEqual(kept(500, INTERNAL))
    expect(seen).toEqual([])
  })

  test('throws with a header that can’t be sent keeps its status and its other headers', async () => {
    const { answer } = await behind((app) =>
      app.addHook('onRequest', async () => {
        const headers = { 'retry-after': '1', 'x-text': 'h€llo' }
        throw Object.assign(new Error('slow down'), { statusCode: 429, headers })
      }),
    )
    const { statusCode, headers } = answer
    expect([statusCode, headers['retry-after'], headers['x-text']]).toEqual([429, '1', undefined])
    expect(answer.json()).toEqual(errorAnswer(-32600, 'Too Many Requests'))
  })
})

describe('a result’s _meta', () => {
  const app = async (meta: object) => {
    const tool = defineTool({
      name: 'meta',
      handler: () => toolResult({ content: [], _meta: meta as Record<string, unknown> }),
    })
    return post(await createApp(createCatalog({ tools: [tool] })), call('meta'))
  }

  test.each([
    ['a number that JSON loses', { n: Number.NaN }],
    ['something else than an object', { toJSON: () => 'x' }],
  ])('that becomes %s is a fault of the host', async (_, meta) => {
    expect(see(await app(meta))).toEqual(kept(500, { ...INTERNAL, id: 1 }))
  })

  test('joins the server’s identity', async () => {
    const { result } = (await app({ 'com.example/x': 1 })).json()
    expect(Object.keys(result._meta)).toEqual([
      'com.example/x',
      'io.modelcontextprotocol/serverInfo',
    ])
  })
})

describe('a public resource', () => {
  test('[CACHE-04] is read without anything that the caller says of itself', async () => {
    const told: unknown[] = []
    const resource = defineResource({
      uri: 'note://1',
      name: 'one',
      read: (context) => {
        told.push({ ...context })
        return 'text'
      },
    })
    const app = await createApp({
      ...createCatalog({ resources: [resource] }),
      cache: { resources: { ttlMs: 1, cacheScope: 'public' } },
      authorize: () => ({ ok: true, principal: 'ann' }),
    })
    await post(app, request('resources/read', { uri: 'note://1' }))
    expect(told).toEqual([
      {
        matched: 'note://1',
        principal: undefined,
        requestId: 1,
        method: 'resources/read',
        protocolVersion: '2026-07-28',
        transport: 'http',
        clientInfo: undefined,
        clientCapabilities: {},
        meta: {},
      },
    ])
  })
})
