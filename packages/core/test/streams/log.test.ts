// SPDX-License-Identifier: Apache-2.0
import { type CallContext, createCatalog, defineTool } from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { createTransportServer } from '../../src/protocol/create-server.ts'
import { LOG_LEVELS } from '../../src/protocol/log-levels.ts'
import { createSession } from '../../src/protocol/session.ts'
import { kept, see, valueResult } from '../support/answers.ts'
import { post } from '../support/app.ts'
import { asking, logOf, progressOf, readEvents } from '../support/event-streams.ts'
import { request } from '../support/messages.ts'
import { serveWork } from '../support/notifying.ts'
import { BOTH, bare, initialize, postOld } from '../support/older-client.ts'
import { recordLog } from '../support/server.ts'

const LOGGING = { logging: true } as const
const LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const

async function logAll({ log }: CallContext): Promise<unknown> {
  for (const level of LEVELS) await log(level, level)
  return { done: true }
}

describe('context.log', () => {
  test('[LOG-04] has eight levels, lowest first', () => {
    expect(LOG_LEVELS).toEqual(LEVELS)
  })

  test.each(LEVELS)('[LOG-02] sends what a request that asks for %s wants', async (level) => {
    const { app } = await serveWork(logAll, LOGGING)
    const { body } = await post(app, asking('work', { level }))
    expect(readEvents(body)).toEqual({
      messages: [
        ...LEVELS.slice(LEVELS.indexOf(level)).map((each) => logOf(each, each)),
        valueResult({ done: true }),
      ],
      comments: [],
      others: [],
    })
  })

  test('[LOG-01] sends nothing to a request that names no level', async () => {
    const { app, complaints } = await serveWork(logAll, LOGGING)
    expect(see(await post(app, asking('work', {})))).toEqual(kept(200, valueResult({ done: true })))
    expect(complaints()).toEqual([])
  })

  test('[LOG-06] sends nothing where the host did not enable it', async () => {
    const { app } = await serveWork(logAll)
    expect(see(await post(app, asking('work', { level: 'debug' })))).toEqual(
      kept(200, valueResult({ done: true })),
    )
  })

  test('[LOG-03] is no progress, and progress is no log', async () => {
    const { app } = await serveWork(async ({ log, progress }) => {
      await log('error', 1)
      await progress(1)
      return { done: true }
    }, LOGGING)
    const told = async (wishes: Parameters<typeof asking>[1]) =>
      readEvents((await post(app, asking('work', wishes))).body).messages.slice(0, -1)
    expect(await told({ level: 'error' })).toEqual([logOf('error', 1)])
    expect(await told({ token: 1 })).toEqual([progressOf(1, 1)])
  })

  test.each([
    ['text', 'text'],
    ['null', null],
    ['false', false],
    ['zero', 0],
    ['a list', [1, [2]]],
    ['an object with line breaks', { 'a\nb': 'c\r\n\nd' }],
  ])('[LOG-02] sends any JSON value: %s', async (_, data) => {
    const { app } = await serveWork(async ({ log }) => {
      await log('info', data)
      return { done: true }
    }, LOGGING)
    const { body } = await post(app, asking('work', { level: 'info' }))
    expect(readEvents(body).messages[0]).toEqual(logOf('info', data))
  })

  class FailsLater {
    #isAsked = false
    toJSON(): null {
      if (this.#isAsked) throw new Error('no')
      this.#isAsked = true
      return null
    }
  }
  const cycle: Record<string, unknown> = {}
  cycle['self'] = cycle
  test.each([
    ['undefined', undefined],
    ['a function', () => 1],
    ['a bigint', 1n],
    ['a cycle', cycle],
    ['NaN in a list', [Number.NaN]],
    ['an error', new Error('secret')],
    [
      'a value whose toJSON throws',
      {
        toJSON() {
          throw new Error('no')
        },
      },
    ],
    ['a value whose toJSON throws from the second time on', new FailsLater()],
  ])('drops what JSON cannot carry, logs it once and goes on: %s', async (_, data) => {
    const { app, complaints } = await serveWork(async ({ log }) => {
      await log('info', data)
      await log('info', data)
      await log('info', 'next')
      return { done: true }
    }, LOGGING)
    const { body } = await post(app, asking('work', { level: 'info' }))
    expect(readEvents(body).messages[0]).toEqual(logOf('info', 'next'))
    expect(complaints()).toEqual([
      expect.stringMatching(/^A notification was dropped: log data that is /),
    ])
  })

  test.each(['loud', '', undefined, 3, 'constructor'])(
    '[LOG-04] drops a level that there is not, and logs it once: %j',
    async (level) => {
      const { app, complaints } = await serveWork(async ({ log }) => {
        await log(level as 'info', 1)
        await log(level as 'info', 2)
        return { done: true }
      }, LOGGING)
      expect(see(await post(app, asking('work', { level: 'debug' })))).toEqual(
        kept(200, valueResult({ done: true })),
      )
      expect(complaints()).toEqual([
        `A notification was dropped: log takes one of ${LEVELS.join(', ')}`,
      ])
    },
  )

  test.each(['loud', 'INFO', '', 3, null])(
    '[LOG-05] [A-26] refuses a request that names the level %j',
    async (level) => {
      const { app } = await serveWork(logAll, LOGGING)
      const response = await post(app, asking('work', { level: level as string }))
      expect([response.statusCode, response.json().error.code]).toEqual([400, -32602])
    },
  )
})

describe('the capability logging', () => {
  test.each([
    [true, { logging: {} }],
    [false, {}],
    [undefined, {}],
  ])('[LOG-06] is advertised exactly where the host enabled it: %j', async (logging, expected) => {
    const { app } = await serveWork(logAll, logging === undefined ? {} : { logging })
    const { capabilities } = (await post(app, request('server/discover'))).json().result
    const { tools, resources, prompts, ...rest } = capabilities
    expect([tools, resources, prompts]).not.toContain(undefined)
    expect(rest).toEqual(expected)
  })

  test('[L-HTTP-12] is not advertised where nothing is kept of the caller', async () => {
    const { app } = await serveWork(logAll, { ...LOGGING, revisions: BOTH })
    const { capabilities } = (await postOld(app, initialize())).json().result
    expect(capabilities).not.toHaveProperty('logging')
    const set = await postOld(app, bare('logging/setLevel', { level: 'debug' }))
    expect([set.statusCode, set.json().error.code]).toEqual([200, -32601])
    const called = await postOld(app, bare('tools/call', { name: 'work' }))
    expect(called.json().result.structuredContent).toEqual({ done: true })
  })

  test('[LOG-01] a newer request has no logging/setLevel', async () => {
    const { app } = await serveWork(logAll, { ...LOGGING, revisions: BOTH })
    const set = await post(app, request('logging/setLevel', { level: 'debug' }))
    expect([set.statusCode, set.json().error.code]).toEqual([404, -32601])
  })

  test.each(['yes', 1, null, {}])('the option logging refuses %j', async (logging) => {
    await expect(serveWork(logAll, { logging: logging as never })).rejects.toMatchObject({
      code: 'BEAM_ERR_OPT_INVALID',
    })
  })
})

describe('logging/setLevel', () => {
  /** A server whose transport has one caller for its life, and what that caller is sent. */
  function serveSession(logging: boolean) {
    const tool = defineTool({ name: 'work', handler: (_args, context) => logAll(context) })
    const { logger } = recordLog()
    const revisions = BOTH
    const server = createTransportServer({
      ...createCatalog({ tools: [tool] }),
      ...{ logging, logger, revisions },
    })
    const told: unknown[] = []
    const session = createSession()
    const sink = {
      send: (message: string) => Boolean(told.push(JSON.parse(message))),
      drained: async () => undefined,
    }
    const ask = (message: unknown) =>
      server.serveValue(message, {
        transportContext: { transport: 'stdio' },
        principal: undefined,
        log: logger,
        session,
        openNotifications: () => sink,
      })
    return { ask, told }
  }
  const CALL = bare('tools/call', { name: 'work' })

  test('[LOG-02] [LOG-06] holds for the session from then on, and is advertised', async () => {
    const { ask, told } = serveSession(true)
    expect(await ask(initialize())).toMatchObject({ result: { capabilities: { logging: {} } } })
    await ask(CALL)
    expect(told).toEqual([])
    expect(await ask(bare('logging/setLevel', { level: 'alert' }))).toMatchObject({ result: {} })
    await ask(CALL)
    expect(told.splice(0)).toEqual([logOf('alert', 'alert'), logOf('emergency', 'emergency')])
    await ask(bare('logging/setLevel', { level: 'emergency' }))
    await ask(CALL)
    expect(told.splice(0)).toEqual([logOf('emergency', 'emergency')])
    // A newer request of the same connection sees nothing of it.
    await ask(request('tools/call', { name: 'work' }))
    expect(told).toEqual([])
  })

  test.each(['loud', 'ALERT', '', 3, null, undefined])(
    'refuses the level %j with -32602, and keeps the one before',
    async (level) => {
      const { ask, told } = serveSession(true)
      await ask(bare('logging/setLevel', { level: 'emergency' }))
      expect(await ask(bare('logging/setLevel', { level }))).toMatchObject({
        error: { code: -32602 },
      })
      await ask(CALL)
      expect(told).toEqual([logOf('emergency', 'emergency')])
    },
  )

  test('[LOG-06] is no method where the host did not enable logging', async () => {
    const { ask, told } = serveSession(false)
    const opened = await ask(initialize())
    expect(opened?.result?.['capabilities']).not.toHaveProperty('logging')
    expect(await ask(bare('logging/setLevel', { level: 'debug' }))).toMatchObject({
      error: { code: -32601 },
    })
    await ask(CALL)
    expect(told).toEqual([])
  })
})
