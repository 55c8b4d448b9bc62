// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { readAllowedOrigins } from '../../src/http/origins.ts'
import { closed, kept, ORIGIN_REFUSED, see, valueResult } from '../support/answers.ts'
import { createApp, echoCatalog, listen, post } from '../support/app.ts'
import { call } from '../support/messages.ts'
import { rawPost } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CALL = call('echo', { text: 'hi' })
const SERVED = kept(200, valueResult({ text: 'hi' }))
const REFUSED = closed(403, ORIGIN_REFUSED)
const GOOD = 'https://app.example.com'

describe('the Origin of a request', () => {
  test.each([
    ['no origin at all', [], [undefined]],
    ['a listed origin', [GOOD], [GOOD]],
    ['one of two listed origins', ['https://a.example', GOOD], [GOOD]],
    ['null where it is listed', ['null'], ['null']],
    ['an origin with its port', ['http://localhost:3000'], ['http://localhost:3000']],
    ['an origin of another scheme', ['vscode-webview://panel'], ['vscode-webview://panel']],
  ])('[HTTP-03] admits %s', async (_, allowedOrigins, [origin]) => {
    const app = await createApp({ ...echoCatalog().options, allowedOrigins })
    expect(see(await post(app, CALL, { origin }))).toEqual(SERVED)
  })

  test.each([
    ['null', 'null'],
    ['an empty value', ''],
    ['a longer host', `${GOOD}.evil.test`],
    ['another scheme', 'http://app.example.com'],
    ['another port', `${GOOD}:8443`],
    ['the default port spelt out', `${GOOD}:443`],
    ['a trailing slash', `${GOOD}/`],
    ['upper case', 'https://APP.example.com'],
    ['a listed origin as a path', `https://evil.test/${GOOD}`],
    ['two origins in one value', `${GOOD}, ${GOOD}`],
    ['a star', '*'],
    ['bytes outside ASCII', 'https://app.example.com\u00e9'],
  ])('[HTTP-03] answers 403 to %s', async (_, origin) => {
    const { options, seen } = echoCatalog()
    let asked = 0
    const authorize = () => {
      asked += 1
      return { ok: true } as const
    }
    const app = await createApp({ ...options, authorize, allowedOrigins: [GOOD] })
    expect(see(await post(app, CALL, { origin }))).toEqual(REFUSED)
    expect([asked, seen.length]).toEqual([0, 0])
  })

  test('[HTTP-03] is compared without the white space around it', async () => {
    const app = await createApp({ ...echoCatalog().options, allowedOrigins: [GOOD] })
    expect(see(await post(app, CALL, { origin: ` \t${GOOD} ` }))).toEqual(SERVED)
  })

  test.each(['GET', 'DELETE', 'OPTIONS', 'HEAD'] as const)(
    '[HTTP-03] is judged on %s too, before the method',
    async (method) => {
      const app = await createApp(echoCatalog().options)
      const response = await app.inject({ method, url: '/mcp', headers: { origin: GOOD } })
      expect(response.statusCode).toBe(403)
      expect(response.headers['allow']).toBeUndefined()
    },
  )

  test('[HTTP-03] is not looked at where the host chose any', async () => {
    const app = await createApp({ ...echoCatalog().options, allowedOrigins: 'any' })
    for (const origin of ['null', '', 'https://evil.test']) {
      expect(see(await post(app, CALL, { origin }))).toEqual(SERVED)
    }
  })

  test.each([
    ['a good line before a bad one', [GOOD, 'https://evil.test'], REFUSED],
    ['a bad line before a good one', ['https://evil.test', GOOD], REFUSED],
    ['an empty line beside a good one', [GOOD, ''], REFUSED],
    ['the same good line twice', [GOOD, GOOD], SERVED],
  ])('[HTTP-03] counts in every line: %s', async (_, origins, expected) => {
    const { options, seen } = echoCatalog()
    const port = await listen(await createApp({ ...options, allowedOrigins: [GOOD] }))
    const socket = await openRawSocket(port)
    socket.send(
      rawPost(
        CALL,
        origins.map((origin) => ['Origin', origin] as const),
      ),
    )
    expect(see(await socket.read())).toEqual(expected)
    expect(seen).toHaveLength(expected === SERVED ? 1 : 0)
  })
})

describe('allowedOrigins', () => {
  test.each([
    ['https://app.example/', "write it as 'https://app.example'"],
    ['https://app.example/path', "write it as 'https://app.example'"],
    ['https://app.example?x', "write it as 'https://app.example'"],
    ['https://App.Example', "write it as 'https://app.example'"],
    ['HTTPS://app.example', "write it as 'https://app.example'"],
    ['https://app.example:443', "write it as 'https://app.example'"],
    ['http://app.example:80', "write it as 'http://app.example'"],
    ['https://user@app.example', "write it as 'https://app.example'"],
    [' https://app.example', "write it as 'https://app.example'"],
    ['https://bücher.example', "write it as 'https://xn--bcher-kva.example'"],
    ['vscode-webview://Panel/', "write it as 'vscode-webview://panel'"],
    ['app.example', "write it as 'https://app.example'"],
    ['app.example:8080', "write it as 'https://app.example:8080'"],
    ['localhost:3000', "write it as 'http://localhost:3000'"],
    ['https://*.example', "list each origin, or choose 'any'"],
    ['http://localhost:*', "list each origin, or choose 'any'"],
    ['any', "write allowedOrigins: 'any', without a list"],
    ['', "write it as 'https://app.example'"],
    ['*', "list each origin, or choose 'any'"],
  ])('refuses the entry %j and says how to write it', (entry, fix) => {
    expect(() => readAllowedOrigins(['https://ok.example', entry])).toThrowError(
      expect.objectContaining({
        code: 'BEAM_ERR_OPT_INVALID',
        message: `Option 'allowedOrigins' has '${entry}', which no request can match; ${fix}`,
      }),
    )
  })

  test('is required', () => {
    expect(() => readAllowedOrigins(undefined)).toThrowError(
      expect.objectContaining({
        code: 'BEAM_ERR_OPT_INVALID',
        message:
          "Option 'allowedOrigins' is required and has no default: a list of exact origins such as 'https://app.example' ([] admits no browser), or 'any'",
      }),
    )
  })

  test.each([[null], ['*'], ['https://app.example'], [{}], [true]])(
    'refuses %j in place of a list',
    (given) => {
      expect(() => readAllowedOrigins(given)).toThrowError(
        expect.objectContaining({
          code: 'BEAM_ERR_OPT_INVALID',
          message:
            "Option 'allowedOrigins' must be a list such as ['https://app.example'], or 'any'",
        }),
      )
    },
  )

  test.each([[[1]], [[null]], [[['https://app.example']]]])('refuses the list %j', (given) => {
    expect(() => readAllowedOrigins(given)).toThrowError(
      expect.objectContaining({
        code: 'BEAM_ERR_OPT_INVALID',
        message: "Option 'allowedOrigins' must list strings",
      }),
    )
  })

  test('is read once: an entry added later admits nobody', () => {
    const origins = ['https://a.example']
    const admits = readAllowedOrigins(origins)
    origins.push('https://b.example')
    expect(admits(['https://b.example'])).toBe(false)
  })
})
