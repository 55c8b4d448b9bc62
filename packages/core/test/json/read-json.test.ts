// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { readJson } from '../../src/json/read-json.ts'

const NESTING = {
  ok: false,
  refusal: { kind: 'nesting', message: 'Request body nests deeper than 64 levels' },
}
const SYNTAX = {
  ok: false,
  refusal: { kind: 'syntax', message: 'Parse error: body is not valid JSON' },
}

function repeats(key: string): unknown {
  const message = `Request body repeats a key: duplicate key "${key}"`
  return { ok: false, refusal: { kind: 'repeated_key', message } }
}

const read = (text: string) => readJson(Buffer.from(text))

function valueIn(text: string): unknown {
  const reading = read(text)
  if (!reading.ok) throw new Error(`${reading.refusal.kind}: ${text.slice(0, 80)}`)
  return reading.value
}

describe('readJson: nesting', () => {
  test('admits 64 levels and refuses 65', () => {
    expect(read('['.repeat(64) + ']'.repeat(64)).ok).toBe(true)
    expect(read('['.repeat(65) + ']'.repeat(65))).toEqual(NESTING)
    expect(read(`${'{"a":'.repeat(64)}1${'}'.repeat(64)}`).ok).toBe(true)
    expect(read(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).toEqual(NESTING)
  })

  test('counts arrays and objects together', () => {
    expect(read(`${'[{"a":'.repeat(32)}1${'}]'.repeat(32)}`).ok).toBe(true)
    expect(read(`[${'[{"a":'.repeat(32)}1${'}]'.repeat(32)}]`)).toEqual(NESTING)
  })

  test('counts levels, not brackets', () => {
    expect(read(`[${'[],'.repeat(500)}{}]`).ok).toBe(true)
  })

  test.each([
    ['65 opening brackets alone', '['.repeat(65)],
    ['other text before them', `nonsense ${'{'.repeat(65)}`],
    ['bad UTF-8 after them', `${'['.repeat(65)}\xff`],
    ['closing brackets before them', `]]]]${'['.repeat(65)}`],
    ['a repeated key inside them', `${'['.repeat(65)}{"a":1,"a":1}`],
  ])('gives malformed input the nesting refusal: %s', (_, text) => {
    expect(readJson(Buffer.from(text, 'latin1'))).toEqual(NESTING)
  })

  test('does not count brackets in strings', () => {
    expect(valueIn(`"${'['.repeat(100)}"`)).toBe('['.repeat(100))
    expect(valueIn(`["\\"${'['.repeat(100)}"]`)).toEqual([`"${'['.repeat(100)}`])
    expect(valueIn(`["\\\\",${'['.repeat(63)}${']'.repeat(63)}]`)).toHaveLength(2)
    expect(read(`["\\\\",${'['.repeat(64)}${']'.repeat(64)}]`)).toEqual(NESTING)
  })

  test('stops counting at a string that does not end', () => {
    expect(read(`[["${'['.repeat(100)}`)).toEqual(SYNTAX)
    expect(read(`["\\"${'['.repeat(100)}`)).toEqual(SYNTAX)
  })

  // The quote falls on either side of every point where the scan changes its way of searching.
  test.each([1, 30, 62, 63, 64, 65, 66, 127, 128, 129, 300])(
    'finds the end of a string of %i characters',
    (length) => {
      const text = 'x'.repeat(length)
      const deep = '['.repeat(64) + ']'.repeat(64)
      for (const tail of ['', '\\"', '\\\\', '\\\\\\"', '\\"\\"', 'x"']) {
        const string = `"${text}${tail.replace('x"', 'x')}"`
        expect(read(`[${string},${deep}]`)).toEqual(NESTING)
        expect(read(`[${string},${deep.slice(1, -1)}]`).ok).toBe(true)
      }
    },
  )
})

describe('readJson: syntax', () => {
  test.each([
    '',
    ' ',
    '{',
    '[1',
    '{"a"',
    '{"a":',
    '{"a":1',
    '"a',
    '"a\\',
    '"\\u12',
    'tru',
    '[1,]',
    '{"a":1,}',
    '[,1]',
    '{,}',
    '[1 2]',
    '{"a" 1}',
    '{a:1}',
    "{'a':1}",
    '{1:1}',
    '[1]]',
    '{}{}',
    '// note\n1',
    '[1/* note */]',
    'NaN',
    'Infinity',
    '-Infinity',
    'undefined',
    '01',
    '-01',
    '1.',
    '.5',
    '+1',
    '1e',
    '1e+',
    '0x10',
    '1_000',
    '--1',
    '-',
    '"\\x41"',
    '"\\\'"',
    '"\t"',
    '"\n"',
    '"\u0000"',
    '\u00a01',
    '\u20281',
    '\v1',
    '[1]\u0000',
  ])('refuses %j', (text) => {
    expect(read(text)).toEqual(SYNTAX)
  })

  test.each([
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x7b, 0x7d]],
    ['UTF-16', [0xff, 0xfe, 0x31, 0x00]],
    ['a stray continuation byte', [0x22, 0x80, 0x22]],
    ['a cut sequence', [0x22, 0xe2, 0x82, 0x22]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a code point beyond U+10FFFF', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]],
    ['Latin-1', [0x22, 0xfc, 0x22]],
  ])('refuses %s', (_, bytes) => {
    expect(readJson(Uint8Array.from(bytes))).toEqual(SYNTAX)
  })

  test.each([
    ['a high one alone', '"\\ud800"'],
    ['a low one alone', '"\\udc00"'],
    ['upper case', '"\\uDBFF"'],
    ['two high ones', '"\\ud800\\ud800"'],
    ['two low ones', '"\\udc00\\udc00"'],
    ['the wrong order', '"\\udc00\\ud800"'],
    ['a pair, then half a pair', '"\\ud83d\\ude00\\ud83d"'],
    ['text between the halves', '"\\ud83d-\\ude00"'],
    ['an escaped backslash between the halves', '"\\ud83d\\\\ude00"'],
    ['a raw character after the half', '"\\ud83d😀"'],
    ['a key', '{"\\ud800":1}'],
    ['deep inside', '[[{"a":["\\udfff"]}]]'],
    ['a value that a repeated key hides', '{"a":"\\ud800","a":1}'],
    ['after a repeated key', '[{"a":1,"a":1},"\\ud800"]'],
  ])('refuses a lone surrogate: %s', (_, text) => {
    expect(read(text)).toEqual(SYNTAX)
  })

  test('admits pairs of surrogates and what only looks like a lone one', () => {
    expect(valueIn('"\\ud83d\\ude00"')).toBe('😀')
    expect(valueIn('"\\uD83D\\uDE00\\ud83d\\ude00"')).toBe('😀😀')
    expect(valueIn('"\\\\ud800"')).toBe('\\ud800')
    expect(valueIn('"\\\\\\\\ud800"')).toBe('\\\\ud800')
    expect(valueIn('"\\\\\\ud83d\\ude00"')).toBe('\\😀')
    expect(valueIn('"\\ud7ff\\ue000\\u00d8"')).toBe('\ud7ff\ue000Ø')
    expect(valueIn('"\\udbff\\udfff"')).toBe('\u{10ffff}')
  })

  test('says nothing of the input', () => {
    expect(JSON.stringify(read('{"secret": hunter2}'))).not.toContain('hunter')
  })

  test('admits every kind of value at the top, and white space around it', () => {
    expect(valueIn(' \t\r\n{"a":[true,false,null,-1.5e-3,"\\u00fc☃\\n"]}\n ')).toEqual({
      a: [true, false, null, -0.0015, 'ü☃\n'],
    })
    expect(['0', '""', 'null', '[]', '{}'].map(valueIn)).toEqual([0, '', null, [], {}])
    expect(Object.is(valueIn('-0'), -0)).toBe(true)
  })

  test('keeps a byte order mark inside a string', () => {
    expect(valueIn('"\ufeff"')).toBe('\ufeff')
  })
})

describe('readJson: input', () => {
  test('reads a Uint8Array that is a part of a larger one', () => {
    const whole = Uint8Array.from(Buffer.from('[[[1]]]'))
    expect(readJson(whole.subarray(2, 5))).toMatchObject({ ok: true, value: [1] })
  })

  test('does not change the bytes and keeps nothing of them', () => {
    const bytes = Buffer.from('{"a":"text","b":1.0}')
    const reading = readJson(bytes)
    expect(bytes.toString()).toBe('{"a":"text","b":1.0}')
    bytes.fill(0x20)
    expect(reading).toMatchObject({ ok: true, value: { a: 'text', b: 1 } })
    expect(reading.ok && reading.isIntegerLexeme(['b'])).toBe(false)
  })
})

describe('readJson: repeated keys', () => {
  test.each([
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"b":2,"a":3}', 'a'],
    ['{"a":1,"\\u0061":1}', 'a'],
    ['{"\\u0061":1,"a":1}', 'a'],
    ['{"\\/":1,"/":1}', '/'],
    ['{"\\n":1,"\\u000a":1}', '\n'],
    ['{"\\ud83d\\ude00":1,"😀":1}', '😀'],
    ['{"":1,"":1}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    ['{"__proto__":{},"__proto__":{}}', '__proto__'],
    ['{"constructor":1,"constructor":2}', 'constructor'],
    ['{"0":1,"0":2}', '0'],
    ['[{"x":1},{"y":{"z":[{"k":1,"k":2}]}}]', 'k'],
    ['{"a":{"b":1,"b":1},"a":1}', 'b'],
    ['{"a":1,"a":{"b":1,"b":1}}', 'a'],
    ['{"b":1,"a":2,"a":3,"b":4}', 'a'],
    ['{ "a" : 1 , "b:{" : [ 1.5 , "x\\"" ] , "a" : 9007199254740993 }', 'a'],
  ])('refuses %s', (text, key) => {
    expect(read(text)).toEqual(repeats(key))
  })

  test('admits equal keys in different objects, and keys equal only when normalised', () => {
    expect(valueIn('{"a":{"a":1},"b":[{"a":1},{"a":1}]}')).toEqual({
      a: { a: 1 },
      b: [{ a: 1 }, { a: 1 }],
    })
    expect(Object.keys(Object(valueIn('{"\u00e9":1,"e\u0301":2}')))).toHaveLength(2)
  })

  test('does not take colons in strings for members', () => {
    expect(valueIn('{"a:b":":","c\\":":"\\\\:"}')).toEqual({ 'a:b': ':', 'c":': '\\:' })
  })

  test('shows at most 256 code points of the key and splits no pair', () => {
    const twice = (key: string) => read(`{"${key}":1,"${key}":1}`)
    expect(twice('k'.repeat(256))).toEqual(repeats('k'.repeat(256)))
    expect(twice('k'.repeat(257))).toEqual(repeats('k'.repeat(256)))
    expect(twice('😀'.repeat(300))).toEqual(repeats('😀'.repeat(256)))
    expect(twice(`k${'😀'.repeat(300)}`)).toEqual(repeats(`k${'😀'.repeat(255)}`))
  })
})

describe('readJson: prototypes', () => {
  test('makes keys such as __proto__ own data of plain objects', () => {
    const value = Object(valueIn('{"__proto__":{"admin":true},"constructor":1,"toString":2}'))
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor', 'toString'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(value.admin).toBeUndefined()
    expect(Object.hasOwn({}, 'admin')).toBe(false)
  })

  test('puts exact integers under such keys', () => {
    const value = Object(valueIn('{"__proto__":9007199254740993,"a":{"__proto__":[1e400]}}'))
    expect(Object.getOwnPropertyDescriptor(value, '__proto__')?.value).toBe(9007199254740993n)
    expect(Object.getOwnPropertyDescriptor(value.a, '__proto__')?.value).toEqual([Infinity])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  test('reads the same when somebody has put things on Object.prototype', () => {
    const texts = [
      '{"a":1,"polluted":2,"n":9007199254740993}',
      '{"a":1,"polluted":2,"n":9007199254740993,"a":1}',
      '{"a":[{}],"get":1,"set":1,"value":1.0}',
      '{"a":{},"a":1}',
      '{"\\u0061":1,"get":[1,{"set":2}]}',
    ]
    const before = texts.map((text) => JSON.stringify(read(text), bigIntAsText))
    const during = withPollution(() => texts.map(read))
    expect(during.map((reading) => JSON.stringify(reading, bigIntAsText))).toEqual(before)
  })
})

function bigIntAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}

function withPollution<Result>(action: () => Result): Result {
  const names = ['polluted', 'a', 'get', 'set', 'value']
  try {
    for (const name of names) {
      const pollution = { __proto__: null, value: {}, enumerable: true, configurable: true }
      Object.defineProperty(Object.prototype, name, pollution)
    }
    return action()
  } finally {
    for (const name of names) Reflect.deleteProperty(Object.prototype, name)
  }
}
