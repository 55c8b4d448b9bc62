// SPDX-License-Identifier: Apache-2.0
import { type CallContext, missingCapability } from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { errorAnswer, kept, see } from '../support/answers.ts'
import { post } from '../support/app.ts'
import { asking, progressOf, readEvents } from '../support/event-streams.ts'
import { request } from '../support/messages.ts'
import { serveWork } from '../support/notifying.ts'
import { BOTH, bare, postOld } from '../support/older-client.ts'

const NEEDED = { elicitation: {}, sampling: { tools: {} } }
const MISSING = errorAnswer(-32021, 'Missing required client capability', {
  id: 1,
  data: { requiredCapabilities: NEEDED },
})
const INTERNAL = errorAnswer(-32603, 'Internal error', { id: 1 })

const answers = (): unknown => missingCapability(NEEDED)
const rejects = async (): Promise<never> => {
  throw missingCapability(NEEDED)
}
const throws = (): never => {
  throw missingCapability(NEEDED)
}

const TARGETS = [
  ['a tool', request('tools/call', { name: 'work' })],
  ['a reader', request('resources/read', { uri: 'work://it' })],
  ['a renderer', request('prompts/get', { name: 'work' })],
] as const
const WAYS = [
  ['answers', answers],
  ['throws', throws],
  ['rejects with', rejects],
] as const
const CASES = TARGETS.flatMap(([who, message]) =>
  WAYS.map(([how, work]) => [who, how, message, work] as const),
)

/** The same message, asking for progress. */
function withToken(message: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const params = message['params'] as { _meta: object }
  return { ...message, params: { ...params, _meta: { ...params._meta, progressToken: 'p' } } }
}

describe('missingCapability', () => {
  test.each(CASES)(
    '[ERR-07] [A-28] keeps its 400 where %s %s it',
    async (...[, , message, work]) => {
      const { app, complaints } = await serveWork(work)
      expect(see(await post(app, message))).toEqual(kept(400, MISSING))
      expect(see(await post(app, withToken(message)))).toEqual(kept(400, MISSING))
      expect(complaints()).toEqual([])
    },
  )

  test.each(CASES)(
    '[A-27] goes onto a stream that has begun where %s %s it',
    async (...[, , message, work]) => {
      const { app } = await serveWork(async (context: CallContext) => {
        await context.progress(1)
        return work()
      })
      const response = await post(app, withToken(message))
      expect([response.statusCode, response.headers['content-type']]).toEqual([
        200,
        'text/event-stream',
      ])
      expect(readEvents(response.body).messages).toEqual([progressOf('p', 1), MISSING])
    },
  )

  test('[L-HTTP-11] says in words what an older caller lacks', async () => {
    const { app } = await serveWork(answers, { revisions: BOTH })
    const text = 'This needs a client with elicitation, sampling'
    const called = await postOld(app, bare('tools/call', { name: 'work' }))
    expect([called.statusCode, called.json().result]).toEqual([
      200,
      { content: [{ type: 'text', text }], isError: true },
    ])
    const read = await postOld(app, bare('resources/read', { uri: 'work://it' }))
    expect([read.statusCode, read.json().error]).toEqual([200, { code: -32603, message: text }])
  })

  test.each([
    ['text', 'sampling'],
    ['a list', ['sampling']],
    ['nothing', undefined],
    [
      'a cycle',
      Object.assign(
        {},
        {
          get self() {
            return this
          },
        },
      ),
    ],
    ['a bigint', { sampling: 1n }],
  ])('of %s is a host fault', async (_, capabilities) => {
    for (const revisions of [BOTH, ['2026-07-28']] as const) {
      const { app, complaints } = await serveWork(() => missingCapability(capabilities as never), {
        revisions,
      })
      expect(see(await post(app, request('tools/call', { name: 'work' })))).toEqual(
        kept(500, INTERNAL),
      )
      expect(complaints()).toEqual([
        expect.stringMatching(/ failed; the caller was told of an internal error$/),
      ])
    }
  })
})

describe('a fault after the stream began', () => {
  test('[ERR-11] [A-27] goes onto the stream, and tells nothing of the host', async () => {
    const { app, complaints } = await serveWork(async ({ progress }) => {
      await progress(1)
      throw new Error('connect ECONNREFUSED 10.0.0.5:5432')
    })
    const response = await post(app, asking('work', { token: 'p' }))
    expect(response.statusCode).toBe(200)
    expect(readEvents(response.body)).toEqual({
      messages: [progressOf('p', 1), INTERNAL],
      comments: [],
      others: [],
    })
    expect(complaints()).toEqual(['A tool failed; the caller was told of an internal error'])
  })

  test('before it keeps its 500', async () => {
    const { app } = await serveWork(({ progress }) => {
      throw new Error(`before ${typeof progress}`)
    })
    expect(see(await post(app, asking('work', { token: 'p' })))).toEqual(kept(500, INTERNAL))
  })

  test.each([
    ['a call', () => Promise.reject(Proxy.revocable({}, {}))],
    ['an answer', () => Promise.resolve(() => 1)],
  ])('is answered whatever it is: %s', async (_, work) => {
    const { app } = await serveWork(work, { timeoutMs: 60_000 })
    expect(see(await post(app, asking('work', { token: 'p' })))).toEqual(kept(500, INTERNAL))
  })

  test('is answered for a thrown value that nothing may be asked of', async () => {
    const { app, complaints } = await serveWork(
      async () => {
        const { proxy, revoke } = Proxy.revocable({}, {})
        revoke()
        throw proxy
      },
      { timeoutMs: 60_000 },
    )
    expect(see(await post(app, asking('work', {})))).toEqual(kept(500, INTERNAL))
    expect(complaints()).toEqual([
      expect.stringMatching(/ failed; the caller was told of an internal error$/),
    ])
  })
})

describe('a header fault', () => {
  test('keeps its 400 for a call that asks for progress', async () => {
    const { app } = await serveWork(({ progress }) => progress(1))
    const response = await post(app, asking('work', { token: 'p' }), { 'mcp-name': 'other' })
    expect([response.statusCode, response.json().error.code]).toEqual([400, -32020])
  })
})
