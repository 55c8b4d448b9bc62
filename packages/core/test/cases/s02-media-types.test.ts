// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { kept, see, valueResult, WRONG_TYPE } from '../support/answers.ts'
import { createApp, echoCatalog, listen } from '../support/app.ts'
import { call } from '../support/messages.ts'
import { type Line, linesFor, rawRequest, without } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CALL = call('echo', { text: 'hi' })

/** Sends the base call with these content types, each in a line of its own. */
async function sendAs(...types: readonly string[]) {
  const { options, seen } = echoCatalog()
  const socket = await openRawSocket(await listen(await createApp(options)))
  const lines = types.map((type): Line => ['Content-Type', type])
  socket.send(
    rawRequest([...without(linesFor(CALL), 'content-type'), ...lines], JSON.stringify(CALL)),
  )
  return { answer: see(await socket.read()), ran: seen.length }
}

describe('S02: media types on the way in', () => {
  test.each([
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json ; profile=x',
  ])('%s is served', async (type) => {
    const answer = kept(200, valueResult({ text: 'hi' }))
    expect(await sendAs(type)).toEqual({ answer, ran: 1 })
  })

  test.each([
    ['no content type', []],
    ['text/plain', ['text/plain']],
    ['a parameter that names JSON', ['text/plain; note=application/json']],
    ['a longer name', ['application/jsonp']],
    ['a form', ['application/x-www-form-urlencoded']],
    ['a list of types', ['application/json, text/plain']],
    ['a second line', ['application/json', 'text/plain']],
    ['a second line before the right one', ['text/plain', 'application/json']],
    ['the same line twice', ['application/json', 'application/json']],
  ])('[HTTP-14] %s is answered 415, in the same shape', async (_, types) => {
    expect(await sendAs(...types)).toEqual({ answer: kept(415, WRONG_TYPE), ran: 0 })
  })
})
