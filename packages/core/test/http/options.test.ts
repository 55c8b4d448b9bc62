// SPDX-License-Identifier: Apache-2.0
import { beamMcp, createCatalog } from '@beam-mcp/core'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { createApp, echoCatalog, openTo } from '../support/app.ts'

/** What refuses these options, while the application is built. */
async function refusalOf(options: unknown): Promise<unknown> {
  const app = Fastify()
  try {
    await app.register(beamMcp, options as never)
    await app.ready()
  } catch (thrown) {
    const { code, message } = thrown as { code?: unknown; message?: unknown }
    return [code, message]
  }
  return 'nothing'
}

const base = openTo(echoCatalog().options) as unknown as Record<string, unknown>
const refused = (option: string, why: string) => [
  'BEAM_ERR_OPT_INVALID',
  `Option '${option}' ${why}`,
]

describe('the options of the plugin', () => {
  test('may be the four required ones', async () => {
    expect(await refusalOf(base)).toBe('nothing')
  })

  const HOOK = 'must be a function, or left out'
  const COUNT = 'must be a whole number above 0'
  const AUTHORIZE =
    'is required and has no default: a function of the request that answers { ok: true } or { ok: false }'
  const ORIGINS =
    "is required and has no default: a list of exact origins such as 'https://app.example' ([] admits no browser), or 'any'"
  const NAME = 'must be a name, or false for no decorator'
  const TIMER = 'must be at most 2147483647 milliseconds, the longest timer there is'

  test.each<[string, unknown, string]>([
    ['authorize', undefined, AUTHORIZE],
    ['authorize', null, AUTHORIZE],
    ['authorize', true, AUTHORIZE],
    ['allowedOrigins', undefined, ORIGINS],
    ['authorizeBody', null, HOOK],
    ['authorizeBody', 'check', HOOK],
    ['authorizeCall', {}, HOOK],
    ['authorizeTimeoutMs', 0, COUNT],
    ['authorizeTimeoutMs', Number.POSITIVE_INFINITY, COUNT],
    ['authorizeTimeoutMs', '10', COUNT],
    ['authorizeTimeoutMs', 2 ** 31, TIMER],
    ['bodyTimeout', 0, COUNT],
    ['bodyTimeout', 1.5, COUNT],
    ['bodyTimeout', -1, COUNT],
    ['bodyTimeout', null, COUNT],
    ['bodyTimeout', 2 ** 31, TIMER],
    ['bodyLimit', 0, COUNT],
    ['bodyLimit', '1mb', COUNT],
    ['path', '', "must begin with '/'; '/' is the prefix itself"],
    ['path', 'mcp', "must begin with '/'; '/' is the prefix itself"],
    ['path', 7, "must begin with '/'; '/' is the prefix itself"],
    ['path', '/mcp/', "must not end with '/': write '/mcp'"],
    ['path', '//', "must not end with '/': write '/'"],
    ['decorator', '', NAME],
    ['decorator', true, NAME],
    ['decorator', null, NAME],
    ['decorator', 7, NAME],
    ['catalog', undefined, 'is required: an object with a function capabilities'],
    ['dispatch', undefined, 'is required: a function (tool, args, context) that runs a tool'],
  ])('refuse %s: %j', async (option, value, why) => {
    expect(await refusalOf({ ...base, [option]: value })).toEqual(refused(option, why))
  })

  test.each([
    ['authorise', 'authorize'],
    ['authorizebody', 'authorizeBody'],
    ['authorize_call', 'authorizeCall'],
    ['allowedOrigin', 'allowedOrigins'],
    ['allowed_origins', 'allowedOrigins'],
    ['bodylimit', 'bodyLimit'],
    ['bodyTimeoutMs', 'bodyTimeout'],
    ['authorizeTimeout', 'authorizeTimeoutMs'],
    ['decorators', 'decorator'],
    ['serverinfo', 'serverInfo'],
    ['catalogue', 'catalog'],
    ['pagesize', 'pageSize'],
  ])('refuse the unknown %s with the nearest name, %s', async (given, nearest) => {
    expect(await refusalOf({ ...base, [given]: 1 })).toEqual(
      refused(given, `is unknown; did you mean '${nearest}'?`),
    )
  })

  test('refuse an unknown name that is near to none, and list those there are', async () => {
    expect(await refusalOf({ ...base, somethingElse: 1 })).toEqual([
      'BEAM_ERR_OPT_INVALID',
      expect.stringMatching(
        /^Option 'somethingElse' is unknown; there are: authorize, allowedOrigins, .*, catalog, dispatch, /,
      ),
    ])
  })

  test('have no logger: the log is the one of the application', async () => {
    const [code, message] = (await refusalOf({ ...base, logger: console })) as string[]
    expect([code, message?.startsWith("Option 'logger' is unknown")]).toEqual([
      'BEAM_ERR_OPT_INVALID',
      true,
    ])
  })

  test('leave nothing registered when they are refused', async () => {
    const app = Fastify()
    await expect(app.register(beamMcp, { ...base, path: 'mcp' } as never).then()).rejects.toThrow()
    expect([app.hasDecorator('mcp'), app.hasRoute({ method: 'POST', url: '/mcp' })]).toEqual([
      false,
      false,
    ])
  })

  test('are not kept: what the host changes later changes nothing', async () => {
    const options = { ...base, allowedOrigins: ['https://a.example'] }
    const app = Fastify()
    await app.register(beamMcp, options as never)
    options.allowedOrigins.push('https://b.example')
    const response = await app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { origin: 'https://b.example' },
    })
    expect(response.statusCode).toBe(403)
  })
})

describe('a catalog that is refused', () => {
  test('stops the application from getting ready, and from listening', async () => {
    const { catalog, dispatch } = createCatalog({})
    const broken = { ...catalog, capabilities: () => ({ tools: 7 }) }
    const build = () => createApp({ catalog: broken as never, dispatch })
    await expect((await build()).ready()).rejects.toMatchObject({
      code: 'BEAM_ERR_CATALOG_INVALID',
    })
    const app = await build()
    await expect(app.listen({ host: '127.0.0.1', port: 0 })).rejects.toMatchObject({
      code: 'BEAM_ERR_CATALOG_INVALID',
    })
    expect(app.server.listening).toBe(false)
  })

  test('is asked once at start-up, without a principal, before the first request', async () => {
    const asked: unknown[] = []
    const { catalog, dispatch } = createCatalog({})
    const watching = {
      ...catalog,
      capabilities: (context: unknown) => {
        asked.push(context)
        return catalog.capabilities(context as never)
      },
    }
    const app = await createApp({ catalog: watching, dispatch })
    expect(asked).toEqual([])
    await app.ready()
    expect(asked).toEqual([{ principal: undefined }])
  })
})
