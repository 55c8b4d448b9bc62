// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeSentinel, encodeSentinel } from '../../src/http/sentinel.ts'

const wrap = (payload: string) => `=?base64?${payload}?=`

describe('decodeSentinel', () => {
  test.each([
    ['SGVsbG8=', 'Hello'],
    ['', ''],
    [Buffer.from('Zürich ☃ 😀').toString('base64'), 'Zürich ☃ 😀'],
    [Buffer.from(' padded ').toString('base64'), ' padded '],
    [Buffer.from(wrap('SGk=')).toString('base64'), wrap('SGk=')],
    [Buffer.from('a\u0000b\r\n').toString('base64'), 'a\u0000b\r\n'],
    [Buffer.from('\ufeffmark').toString('base64'), '\ufeffmark'],
  ])('[HDR-06] reads the payload %j', (payload, text) => {
    expect(decodeSentinel(wrap(payload))).toEqual({ ok: true, text })
  })

  test.each([
    ['upper-case markers', '=?BASE64?SGk=?='],
    ['no closing marker', '=?base64?SGk='],
    ['no opening marker', 'SGk=?='],
    ['no marker at all', 'SGk='],
    ['text before the marker', 'x=?base64?SGk=?='],
    ['text behind the marker', '=?base64?SGk=?=x'],
    ['markers that overlap', '=?base64?='],
    ['nothing', ''],
    ['another encoding', '=?utf-8?SGk=?='],
  ])('[HDR-07] takes a value with %s as it is', (_, value) => {
    expect(decodeSentinel(value)).toEqual({ ok: true, text: value })
  })

  test.each([
    ['missing padding', 'SGVsbG8'],
    ['too much padding', 'SGVsbG8=='],
    ['stray characters', 'SGVs!!!bG8='],
    ['white space', 'SGVs bG8='],
    ['the alphabet of URLs', '_-8='],
    ['unused bits that are set', 'SGVsbG9='],
    ['one character', 'S'],
    ['padding alone', '===='],
    ['padding in the middle', 'SGk=SGk='],
    ['a line feed at the end', 'SGVsbG8=\n'],
  ])('[HDR-08] refuses a payload with %s', (_, payload) => {
    expect(decodeSentinel(wrap(payload))).toEqual({ ok: false, why: 'not base64' })
  })

  test.each([
    ['a lone continuation byte', [0x80]],
    ['a sequence cut short', [0xe2, 0x98]],
    ['an overlong form', [0xc0, 0xaf]],
    ['a surrogate', [0xed, 0xa0, 0x80]],
  ])('[HDR-08] refuses bytes that are no UTF-8: %s', (_, bytes) => {
    const payload = Buffer.from(bytes).toString('base64')
    expect(decodeSentinel(wrap(payload))).toEqual({ ok: false, why: 'not UTF-8' })
  })
})

describe('encodeSentinel and decodeSentinel', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.string(),
    fc.string().map(wrap),
    fc.string({ unit: fc.constantFrom('=', '?', 'base64', 'a', ' ') }),
  )

  test('[HDR-06] are inverses for every well-formed text', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(decodeSentinel(encodeSentinel(value))).toEqual({ ok: true, text: value })
      }),
    )
  })

  test('[HDR-09] write nothing that a header can not carry', () => {
    fc.assert(
      fc.property(text, (value) => {
        expect(encodeSentinel(value)).toMatch(/^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/)
      }),
    )
  })

  test('[HDR-06] leave visible ASCII as it is', () => {
    const plain = fc.string().filter((value) => /^[\x21-\x7e]*$/.test(value) && value[0] !== '=')
    fc.assert(
      fc.property(plain, (value) => {
        expect(encodeSentinel(value)).toBe(value)
      }),
    )
  })

  test('[HDR-08] have one spelling per text: any other payload is refused', () => {
    const payload = fc.base64String({ minLength: 4 })
    fc.assert(
      fc.property(payload, (given) => {
        const reading = decodeSentinel(wrap(given))
        if (reading.ok) expect(Buffer.from(reading.text).toString('base64')).toBe(given)
        else expect(['not base64', 'not UTF-8']).toContain(reading.why)
      }),
    )
  })
})
