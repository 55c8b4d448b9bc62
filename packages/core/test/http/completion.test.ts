// SPDX-License-Identifier: Apache-2.0
import { tracingChannel } from 'node:diagnostics_channel'
import {
  type AuthorizeCallTarget,
  type CallReport,
  CHANNEL_NAMES,
  createCatalog,
  definePrompt,
} from '@beam-mcp/core'
import { createTestClient } from '@beam-mcp/core/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp, type EndpointOptions, post } from '../support/app.ts'
import { PARTS, PROMPT, TEMPLATE, typed } from '../support/completing.ts'
import { request } from '../support/messages.ts'
import { connectClient } from '../support/official-client.ts'
import { BOTH, bare, OLDER, postOld } from '../support/older-client.ts'

const serve = (options: Partial<EndpointOptions> = {}) =>
  createApp({ ...createCatalog(PARTS), revisions: BOTH, ...options })
const complete = (ref: object, argument: object) =>
  request('completion/complete', { ref, argument })

describe('completion over HTTP', () => {
  test('[COMP-04] [ERR-09] answers a wrong target with status 200', async () => {
    const app = await serve()
    const unknown = { ref: { type: 'ref/prompt', name: 'nope' }, argument: typed('a') }
    const answers = [
      await post(app, complete(PROMPT, typed('from', 'x'))),
      await post(app, request('completion/complete', unknown)),
      await postOld(app, bare('completion/complete', unknown)),
    ]
    expect(answers.map((answer) => [answer.statusCode, answer.json().error?.code])).toEqual([
      [200, undefined],
      [200, -32602],
      [200, -32602],
    ])
  })

  test('[COMP-01] [ERR-10] is an unknown method where nothing completes', async () => {
    const bareParts = { prompts: [definePrompt({ name: 'p', render: () => '' })] }
    const app = await serve(createCatalog(bareParts))
    const params = { ref: { type: 'ref/prompt', name: 'p' }, argument: typed('a') }
    const newer = await post(app, request('completion/complete', params))
    const older = await postOld(app, bare('completion/complete', params))
    expect([newer.statusCode, newer.json().error.code]).toEqual([404, -32601])
    expect([older.statusCode, older.json().error.code]).toEqual([200, -32601])
  })

  test.each([
    [PROMPT, PROMPT.name],
    [TEMPLATE, TEMPLATE.uri],
    [{ type: 'ref/resource', uri: 'atlas://no/x' }, 'atlas://no/x'],
    [{ type: 'ref/prompt', name: 5 }, undefined],
    [{ type: '__proto__', name: 'plan_trip' }, undefined],
    [undefined, undefined],
  ])('asks authorizeCall by what %j names', async (ref, name) => {
    const asked: AuthorizeCallTarget<unknown>[] = []
    const app = await serve({
      authorizeCall: (target) => {
        asked.push(target)
        return { ok: false, status: 403 }
      },
    })
    const params = { ref, argument: typed('from') }
    expect((await post(app, request('completion/complete', params))).statusCode).toBe(403)
    await postOld(app, bare('completion/complete', params))
    const target = { method: 'completion/complete', name }
    expect(asked).toEqual([expect.objectContaining(target), expect.objectContaining(target)])
  })

  test('is no call of the host: nothing is published and nothing counted', async () => {
    const heard: unknown[] = []
    const hear = (event: unknown): void => void heard.push(event)
    for (const name of Object.values(CHANNEL_NAMES)) {
      const { start } = tracingChannel(name)
      start.subscribe(hear)
      onTestFinished(() => void start.unsubscribe(hear))
    }
    const reports: CallReport[] = []
    const app = await serve({ onCall: (report) => void reports.push(report) })
    await post(app, complete(PROMPT, typed('from')))
    expect([heard, reports]).toEqual([[], []])
    await post(app, request('prompts/get', { name: 'plan_trip', arguments: { from: 'x' } }))
    expect([heard.length, reports.length]).toEqual([1, 1])
  })

  test('is reached by the test client, with and without a context', async () => {
    const client = createTestClient(await serve())
    const template = { type: 'ref/resource', uri: TEMPLATE.uri } as const
    const context = { arguments: { country: 'no' } }
    const values = [
      await client.complete({ type: 'ref/prompt', name: 'plan_trip' }, typed('from', 'x')),
      await client.complete(template, typed('city', 'os'), context),
      await client.complete(template, typed('city', 'os')),
    ].map(({ result }) => result?.['completion'])
    expect(values).toEqual([{ values: ['x!'] }, { values: ['oslo', 'osen'] }, { values: [] }])
  })
})

describe('completion by the official client', () => {
  test.each([
    ['2026-07-28', { mode: { pin: '2026-07-28' } }],
    [OLDER, { mode: 'legacy' }],
  ] as const)(
    '[COMP-01] [COMP-02] [COMP-03] [L-COMP-01] of %s is whole',
    async (version, negotiation) => {
      const client = await connectClient(await serve(), { negotiation })
      expect(client.getNegotiatedProtocolVersion()).toBe(version)
      expect(client.getServerCapabilities()).toMatchObject({ completions: {} })
      const { completion } = await client.complete({
        ref: { type: 'ref/resource', uri: TEMPLATE.uri },
        argument: typed('city', 'os'),
        context: { arguments: { country: 'no' } },
      })
      expect(completion).toEqual({ values: ['oslo', 'osen'] })
      const wrong = client.complete({
        ref: { type: 'ref/prompt', name: 'nope' },
        argument: typed('a'),
      })
      await expect(wrong).rejects.toMatchObject({ code: -32602 })
    },
  )
})
