// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { accepts, isJsonType } from '../../src/http/media-types.ts'
import { errorAnswer, kept, see, valueResult, WRONG_TYPE } from '../support/answers.ts'
import { createApp, echoCatalog, post } from '../support/app.ts'
import { costRatio } from '../support/cost.ts'
import { call } from '../support/messages.ts'

const CALL = call('echo', { text: 'hi' })
const SERVED = kept(200, valueResult({ text: 'hi' }))

describe('isJsonType', () => {
  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON;charset="UTF-8"',
    'application/json ; profile=x',
    'application/json\t;\tprofile=x\t',
    'application/json; a=b; c="d\\"e; f"',
    'application/json;',
    'application/json;;charset=utf-8',
  ])('takes %j', (value) => {
    expect(isJsonType(value)).toBe(true)
  })

  test.each([
    '',
    'text/plain',
    'text/plain; note=application/json',
    'application/jsonp',
    'application/json-rpc',
    'application/json+x',
    'application/x-www-form-urlencoded',
    'application/json, text/plain',
    'application/json text',
    'application/json; charset',
    'application/json; charset=',
    'application/json; ="utf-8"',
    'application/json; charset="utf-8',
    'application /json',
    'json',
    '*/*',
    `application/json; x=${'y'.repeat(1024)}`,
  ])('takes no %j', (value) => {
    expect(isJsonType(value)).toBe(false)
  })

  test('takes time in proportion to the length, whatever the separators', () => {
    const count = 22
    const hostile = `application/json${'; '.repeat(count)}x`
    const harmless = `application/json${'; a=b'.repeat(count)}`
    expect(isJsonType(hostile)).toBe(false)
    const ratio = costRatio(
      () => isJsonType(hostile),
      () => isJsonType(harmless),
      20,
    )
    expect(ratio).toBeLessThan(20)
  })
})

describe('accepts', () => {
  test.each([
    ['no header', []],
    ['an empty header', ['']],
    ['both types of the specification', ['application/json, text/event-stream']],
    ['JSON alone', ['application/json']],
    ['upper case', ['Application/JSON']],
    ['any application type', ['application/*']],
    ['anything', ['*/*']],
    ['JSON with a parameter', ['application/json;charset=utf-8']],
    ['JSON with the least weight', ['text/html, application/json;q=0.001']],
    ['JSON in a second line', ['text/html', 'application/json']],
    ['anything but HTML', ['text/html;q=0, */*']],
    ['what is not understood', ['json']],
    ['what is not understood beside HTML', ['json, application/json']],
    ['JSON although every application type is refused', ['application/*;q=0, application/json']],
  ])('accepts %s', (_, values) => {
    expect(accepts(values, 'application/json')).toBe(true)
  })

  test.each([
    ['HTML alone', ['text/html']],
    ['an event stream alone', ['text/event-stream']],
    ['text of any type', ['text/*']],
    ['JSON of weight 0', ['application/json;q=0']],
    ['JSON of weight 0.000 beside anything', ['application/json; q=0.000, */*']],
    ['every application type of weight 0', ['application/*;q=0, */*']],
    ['a longer name', ['application/json-seq']],
  ])('[A-06] does not accept %s', (_, values) => {
    expect(accepts(values, 'application/json')).toBe(false)
  })
})

describe('accepts, of streams', () => {
  test.each([
    ['no header', [], true],
    ['streams alone', ['text/event-stream'], true],
    ['both types', ['application/json, text/event-stream'], true],
    ['text of any type', ['text/*'], true],
    ['JSON alone', ['application/json'], false],
    ['streams of weight 0', ['*/*, text/event-stream;q=0'], false],
  ])('[A-06] reads %s', (_, values, expected) => {
    expect(accepts(values, 'text/event-stream')).toBe(expected)
  })
})

describe('the media types of a request', () => {
  const NOT_ACCEPTABLE = kept(
    406,
    errorAnswer(-32600, 'Not acceptable: the answer is application/json or text/event-stream'),
  )
  const CODED = kept(
    415,
    errorAnswer(-32600, 'Content-Encoding is not supported; send the body as it is'),
  )

  test.each([
    ['no Accept', { accept: undefined }, SERVED],
    ['Accept: */*', { accept: '*/*' }, SERVED],
    ['an Accept of neither type', { accept: 'text/html' }, NOT_ACCEPTABLE],
    ['both types of weight 0', { accept: '*/*;q=0' }, NOT_ACCEPTABLE],
    ['the coding identity', { 'content-encoding': 'Identity' }, SERVED],
    ['a content coding', { 'content-encoding': 'gzip' }, CODED],
    ['two content codings', { 'content-encoding': 'identity, gzip' }, CODED],
    ['an empty content coding', { 'content-encoding': '' }, CODED],
    ['a content type with a parameter', { 'content-type': 'application/json; a="b;c"' }, SERVED],
    ['no content type', { 'content-type': undefined }, kept(415, WRONG_TYPE)],
  ])('[HTTP-08] answer %s as they should', async (_, headers, expected) => {
    const { options, seen } = echoCatalog()
    const app = await createApp(options)
    expect(see(await post(app, CALL, headers))).toEqual(expected)
    expect(seen).toHaveLength(expected === SERVED ? 1 : 0)
  })

  test('[A-06] answer an Accept of event streams alone with a stream', async () => {
    const { options, seen } = echoCatalog()
    const app = await createApp(options)
    const response = await post(app, CALL, { accept: 'text/event-stream' })
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      200,
      'text/event-stream',
    ])
    expect(response.body).toBe(`data: ${JSON.stringify(valueResult({ text: 'hi' }))}\n\n`)
    expect(seen).toHaveLength(1)
  })

  test.each([
    'application/json;',
    'application/json;;charset=utf-8',
    'application/json; a=b; c="d\\"e; f"',
    'application/json\t;\tprofile=x',
  ])('are read as the endpoint reads them, not as the framework does: %j', async (type) => {
    const app = await createApp(echoCatalog().options)
    expect(see(await post(app, CALL, { 'content-type': type }))).toEqual(SERVED)
  })
})
