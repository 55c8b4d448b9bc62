// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { readAllowedHosts } from '../../src/http/hosts.ts'
import { closed, errorAnswer, kept, ORIGIN_REFUSED, see, valueResult } from '../support/answers.ts'
import {
  collectLog,
  createApp,
  type EndpointOptions,
  echoCatalog,
  listen,
  openTo,
  post,
} from '../support/app.ts'
import { call } from '../support/messages.ts'
import { openRawHttp2, pseudoFields } from '../support/raw-http2.ts'
import { type Line, linesFor } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CALL = call('echo', { text: 'hi' })
const BODY = JSON.stringify(CALL)
const SERVED = kept(200, valueResult({ text: 'hi' }))
const HOST_REFUSED = errorAnswer(-32600, 'Host not allowed')
const REFUSED = closed(403, HOST_REFUSED)
const HOSTS = ['app.example', 'localhost:3000', '[::1]:3000', 'other.example:80']

/** An application that answers to {@link HOSTS}, and how often it was asked and called. */
async function serve(options: Partial<EndpointOptions> = {}, fastify: object = {}) {
  const { options: catalog, seen } = echoCatalog()
  const counts = { asked: 0 }
  const authorize = () => {
    counts.asked += 1
    return { ok: true } as const
  }
  const app = await createApp({ ...catalog, authorize, allowedHosts: HOSTS, ...options }, fastify)
  const expectCalls = (calls: number): void =>
    expect([counts.asked, seen.length]).toEqual([calls, calls])
  return { app, expectCalls }
}

/** The bytes of the call with exactly these header lines beside those of the message. */
function bytesOf(lines: readonly Line[], requestLine = 'POST /mcp HTTP/1.1'): string {
  const all: Line[] = [...lines, ...linesFor(CALL), ['Content-Length', String(BODY.length)]]
  const head = all.map(([name, value]) => `${name}: ${value}`)
  return [requestLine, ...head, '', BODY].join('\r\n')
}

describe('the Host of a request', () => {
  test.each([
    'app.example',
    'APP.Example',
    'localhost:3000',
    'LOCALHOST:3000',
    '[::1]:3000',
    'other.example:80',
    ' \tapp.example ',
  ])('[HTTP-04] admits %j, which is listed', async (host) => {
    const { app, expectCalls } = await serve()
    expect(see(await post(app, CALL, { host }))).toEqual(SERVED)
    expectCalls(1)
  })

  test.each([
    ['another host', 'evil.test'],
    ['a listed host with a port that is not', 'app.example:8080'],
    ['a listed host with a default port spelt out', 'app.example:443'],
    ['a listed host without its port', 'localhost'],
    ['another port', 'localhost:3001'],
    ['a listed host as the front of another', 'app.example.evil.test'],
    ['a listed host as the end of another', 'evil-app.example'],
    ['a trailing dot', 'app.example.'],
    ['two hosts in one value', 'app.example, app.example'],
    ['a name before the host', 'app.example@evil.test'],
    ['a path behind the host', 'app.example/'],
    ['an address in another spelling', '[0:0:0:0:0:0:0:1]:3000'],
    ['a star', '*'],
    ['an empty value', ''],
    ['a key every object has', 'constructor'],
  ])('[HTTP-04] answers 403 to %s', async (_, host) => {
    const { app, expectCalls } = await serve()
    expect(see(await post(app, CALL, { host }))).toEqual(REFUSED)
    expectCalls(0)
  })

  test('[HTTP-04] is not looked at where the option is left out', async () => {
    const app = await createApp(echoCatalog().options)
    expect(see(await post(app, CALL, { host: 'evil.test' }))).toEqual(SERVED)
  })

  test.each([
    ['a good line before a bad one', ['app.example', 'evil.test'], REFUSED],
    ['a bad line before a good one', ['evil.test', 'app.example'], REFUSED],
    ['an empty line beside a good one', ['app.example', ''], REFUSED],
    ['two good ones', ['app.example', 'localhost:3000'], SERVED],
  ])('[HTTP-04] counts in every line: %s', async (_, hosts, expected) => {
    const { app, expectCalls } = await serve()
    const socket = await openRawSocket(await listen(app))
    socket.send(bytesOf(hosts.map((host) => ['Host', host])))
    expect(see(await socket.read())).toEqual(expected)
    expectCalls(expected === SERVED ? 1 : 0)
  })

  test('[HTTP-04] is missed on HTTP/1.0 too, which need not send it', async () => {
    const { app, expectCalls } = await serve()
    const socket = await openRawSocket(await listen(app))
    socket.send(bytesOf([], 'POST /mcp HTTP/1.0'))
    expect(see(await socket.read())).toEqual(REFUSED)
    expect(await socket.ended()).toEqual([])
    expectCalls(0)
  })

  test.each([
    ['a listed host', 'http://app.example/mcp', SERVED],
    ['another host', 'http://evil.test/mcp', REFUSED],
    ['a listed host as a user name', 'http://app.example@evil.test/mcp', REFUSED],
  ])(
    '[HTTP-04] is also the one that a request line in absolute form names: %s',
    async (_, target, expected) => {
      const { app, expectCalls } = await serve()
      const socket = await openRawSocket(await listen(app))
      socket.send(bytesOf([['Host', 'app.example']], `POST ${target} HTTP/1.1`))
      expect(see(await socket.read())).toEqual(expected)
      expectCalls(expected === SERVED ? 1 : 0)
    },
  )

  test('[HTTP-03] is looked at after the Origin', async () => {
    const { app } = await serve()
    const headers = { host: 'evil.test', origin: 'https://evil.test' }
    expect(see(await post(app, CALL, headers))).toEqual(closed(403, ORIGIN_REFUSED))
  })

  test.each(['GET', 'DELETE', 'OPTIONS', 'HEAD'] as const)(
    '[HTTP-04] is looked at before the method: %s',
    async (method) => {
      const { app } = await serve()
      const response = await app.inject({ method, url: '/mcp', headers: { host: 'evil.test' } })
      expect([response.statusCode, response.headers['allow']]).toEqual([403, undefined])
    },
  )

  test('[HTTP-04] is looked at before the declared length', async () => {
    const { app } = await serve()
    const headers = { host: 'evil.test', 'content-length': '33554432' }
    expect(see(await post(app, CALL, headers))).toEqual(REFUSED)
  })
})

describe('the host of a request over HTTP/2', () => {
  const authority = (value: string): Line => [':authority', value]
  const host = (value: string): Line => ['host', value]
  const served = valueResult({ text: 'hi' })

  test.each([
    ['a listed authority', [authority('app.example')], served],
    ['a listed authority in upper case', [authority('LOCALHOST:3000')], served],
    ['two that are listed', [authority('app.example'), host('localhost:3000')], served],
    ['a listed host alone', [host('app.example')], served],
    ['another authority', [authority('evil.test')], HOST_REFUSED],
    ['another host alone', [host('evil.test')], HOST_REFUSED],
    [
      'another authority beside a listed host',
      [authority('evil.test'), host('app.example')],
      HOST_REFUSED,
    ],
    [
      'a listed authority beside another host',
      [authority('app.example'), host('evil.test')],
      HOST_REFUSED,
    ],
  ])('[HTTP-04] is judged by both of its names: %s', async (_, names, expected) => {
    const { app, expectCalls } = await serve({}, { http2: true })
    const port = await listen(app)
    const isPseudo = ([name]: Line): boolean => name.startsWith(':')
    const plain = names.filter((name) => !isPseudo(name))
    const fields = [...pseudoFields(), ...names.filter(isPseudo), ...plain, ...linesFor(CALL)]
    const connection = await openRawHttp2(port)
    connection.send(1, { fields, body: BODY })
    const { body } = await connection.outcome(1)
    expect(JSON.parse(body)).toEqual(expected)
    expectCalls(expected === served ? 1 : 0)
  })
})

describe('allowedHosts', () => {
  test.each([
    ['https://app.example', "write it as 'app.example'"],
    ['https://app.example:8443/mcp', "write it as 'app.example:8443'"],
    ['https://app.example:443', "write it as 'app.example'"],
    ['HTTP://App.Example', "write it as 'app.example'"],
    ['//app.example', "write it as 'app.example'"],
    ['app.example/', "write it as 'app.example'"],
    ['app.example/mcp', "write it as 'app.example'"],
    ['app.example:8443/mcp', "write it as 'app.example:8443'"],
    ['app.example:', "write it as 'app.example'"],
    ['app.example:08443', "write it as 'app.example:8443'"],
    ['user@app.example', "write it as 'app.example'"],
    [' app.example', "write it as 'app.example'"],
    ['bücher.example', "write it as 'xn--bcher-kva.example'"],
    ['127.1:3000', "write it as '127.0.0.1:3000'"],
    ['::1', "write it as '[::1]'"],
    ['[0:0:0:0:0:0:0:1]:3000', "write it as '[::1]:3000'"],
    ['app.example:65536', "write it as 'app.example' or 'app.example:8443'"],
    ['app.example:http', "write it as 'app.example' or 'app.example:8443'"],
    ['a b', "write it as 'app.example' or 'app.example:8443'"],
    ['', "write it as 'app.example' or 'app.example:8443'"],
    ['*', "write it as 'app.example' or 'app.example:8443'"],
    ['*.example', "write it as 'app.example' or 'app.example:8443'"],
    ['*:3000', "write it as 'app.example' or 'app.example:8443'"],
    ['null', undefined],
    ['app.example', undefined],
    ['App.Example:80', undefined],
    ['app.example:443', undefined],
    ['app.example.', undefined],
    ['my_app-1:3000', undefined],
    ['127.0.0.1', undefined],
    ['[::1]:3000', undefined],
  ])('reads the entry %j, or refuses it and says how to write it', (entry, fix) => {
    const read = () => readAllowedHosts(['ok.example', entry])
    if (fix === undefined) {
      expect(read()?.([entry])).toBe(true)
      return
    }
    expect(read).toThrowError(
      expect.objectContaining({
        code: 'BEAM_ERR_OPT_INVALID',
        message: `Option 'allowedHosts' has '${entry}', which no request can name; ${fix}`,
      }),
    )
  })

  test.each([[null], ['app.example'], ['any'], [{}], [true], [[]]])(
    'refuses %j in place of a list',
    (given) => {
      expect(() => readAllowedHosts(given)).toThrowError(
        expect.objectContaining({
          code: 'BEAM_ERR_OPT_INVALID',
          message: "Option 'allowedHosts' must list hosts such as 'localhost:3000', or be left out",
        }),
      )
    },
  )

  test.each([[[1]], [[null]], [[['app.example']]]])('refuses the list %j', (given) => {
    expect(() => readAllowedHosts(given)).toThrowError(
      expect.objectContaining({
        code: 'BEAM_ERR_OPT_INVALID',
        message: "Option 'allowedHosts' must list strings",
      }),
    )
  })

  test('is read once: an entry added later admits nobody', () => {
    const hosts = ['a.example']
    const admits = readAllowedHosts(hosts)
    hosts.push('b.example')
    expect(admits?.(['b.example'])).toBe(false)
  })

  test('stops the start of an application', async () => {
    await expect(
      createApp({ ...echoCatalog().options, allowedHosts: ['http://app.example'] }),
    ).rejects.toMatchObject({ code: 'BEAM_ERR_OPT_INVALID' })
  })
})

describe('the warning about pages that rebind their name', () => {
  const WARNING = {
    level: 40,
    msg: "allowedOrigins is 'any' and allowedHosts is not given: a page that rebinds its own name to this server can call it",
  }

  test.each([
    ['is written once for any origin without hosts', { allowedOrigins: 'any' as const }, 1],
    [
      'is not written where hosts are listed',
      { allowedOrigins: 'any' as const, allowedHosts: HOSTS },
      0,
    ],
    ['is not written where origins are listed', { allowedOrigins: ['https://app.example'] }, 0],
    ['is not written where no page may call', {}, 0],
  ])('%s', async (_, options, times) => {
    const log = collectLog('warn')
    const app = await createApp(openTo({ ...echoCatalog().options, ...options }), {
      logger: log.logger,
    })
    await app.ready()
    expect(log.lines).toEqual(Array.from({ length: times }, () => expect.objectContaining(WARNING)))
  })
})
