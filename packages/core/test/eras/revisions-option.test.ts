// SPDX-License-Identifier: Apache-2.0
import type { ServerOptions } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { errorAnswer, kept, see } from '../support/answers.ts'
import { createApp, echoCatalog, post } from '../support/app.ts'
import { META, request, VERSION } from '../support/messages.ts'
import { BOTH, bare, initialize, OLDER, postOld } from '../support/older-client.ts'
import { createCheckedServer, failure } from '../support/server.ts'

const { options: CATALOG } = echoCatalog()

describe('the option revisions', () => {
  test.each<readonly [unknown]>([
    [[]],
    [['2026-07-28', '2026-07-28']],
    [['2025-06-18']],
    [['2026-07-28', 'v999.0.0']],
    [['2026-07-28', undefined]],
    ['2025-11-25'],
    [null],
    [{}],
    [5],
  ])('of %j is refused where the server is made', async (revisions) => {
    const options = { ...CATALOG, revisions } as unknown as ServerOptions
    const expected = {
      code: 'BEAM_ERR_OPT_INVALID',
      message: "Option 'revisions' must list one or more of 2026-07-28, 2025-11-25, each once",
    }
    expect(await failure(() => createCheckedServer(options))).toEqual(expected)
    expect(await failure(() => createApp({ ...CATALOG, revisions } as never))).toEqual(expected)
  })

  test('[VER-04, A-24] lists them newest first, in whatever order they were given', async () => {
    for (const revisions of [BOTH, [...BOTH].reverse()]) {
      const server = createCheckedServer({ ...CATALOG, revisions })
      const found = await server.handle(request('server/discover'))
      expect(found?.result?.['supportedVersions']).toEqual(BOTH)
      const wrong = { ...META, 'io.modelcontextprotocol/protocolVersion': 'v999.0.0' }
      const refused = await server.handle(request('tools/list', { _meta: wrong }))
      expect(refused?.error?.data).toEqual({ supported: BOTH, requested: 'v999.0.0' })
    }
  })

  test('is not kept: a list that changes later changes nothing', async () => {
    const revisions: (typeof BOTH)[number][] = [VERSION]
    const server = createCheckedServer({ ...CATALOG, revisions })
    revisions.push(OLDER)
    expect((await server.handle(initialize()))?.error?.code).toBe(-32022)
  })
})

describe('a server of the newer revision alone, which is the default', () => {
  test.each([OLDER, '2024-11-05', '2025-06-18'])(
    '[VER-07, A-04] tells an older client of %s what is served, in data and in text',
    async (requested) => {
      const error = {
        code: -32022,
        message: expect.stringContaining('2026-07-28'),
        data: { supported: ['2026-07-28'], requested },
      }
      const expected = { jsonrpc: '2.0', id: 0, error }
      expect(await createCheckedServer(CATALOG).handle(initialize(requested))).toEqual(expected)
      const app = await createApp(CATALOG)
      for (const version of [undefined, requested]) {
        const headers = { 'mcp-protocol-version': version }
        const response = await postOld(app, initialize(requested), headers)
        expect([response.statusCode, response.json()]).toEqual([400, expected])
      }
    },
  )

  test('[A-03] refuses what else an older client sends, naming what a request has to carry', async () => {
    const app = await createApp(CATALOG)
    for (const method of ['ping', 'tools/list']) {
      for (const version of [undefined, OLDER]) {
        const headers = { 'mcp-protocol-version': version }
        const response = await postOld(app, bare(method), headers)
        expect(response.statusCode).toBe(400)
        expect(response.json()).toMatchObject({ id: 1, error: { code: -32602 } })
      }
    }
  })
})

describe('a server of 2025-11-25 alone', () => {
  test('serves an older client', async () => {
    const app = await createApp({ ...CATALOG, revisions: [OLDER] })
    const opened = await postOld(app, initialize())
    expect(opened.json()).toMatchObject({ result: { protocolVersion: OLDER } })
    expect(see(await postOld(app, bare('ping')))).toEqual(
      kept(200, { jsonrpc: '2.0', id: 1, result: {} }),
    )
  })

  test('[VER-02] tells a newer client what is served', async () => {
    const expected = errorAnswer(-32022, 'Unsupported protocol version', {
      id: 1,
      data: { supported: [OLDER], requested: VERSION },
    })
    const options = { ...CATALOG, revisions: [OLDER] } as const
    expect(await createCheckedServer(options).handle(request('tools/list'))).toEqual(expected)
    const app = await createApp(options)
    expect(see(await post(app, request('tools/list')))).toEqual(kept(400, expected))
  })

  test('has no discovery, so that a client of both eras opens with the handshake', async () => {
    const options = { ...CATALOG, revisions: [OLDER] } as const
    const answer = await createCheckedServer(options).handle(request('server/discover'))
    expect(answer?.error).toEqual({ code: -32601, message: 'Method not found: server/discover' })
    const response = await post(await createApp(options), request('server/discover'))
    expect([response.statusCode, response.json().error.code]).toEqual([400, -32600])
  })
})
