// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { createFrameReader } from '../../src/stdio/frames.ts'
import { costRatio } from '../support/cost.ts'

const LIMIT = 64

/** What a reader found: a message's text, or the refusal's code and message. */
type Found = string | readonly [code: number, message: string]

const OVER_LINE: Found = [-32600, `Request line exceeds ${LIMIT} bytes`]
const OVER_FRAME: Found = [-32600, `Request frame exceeds ${LIMIT} bytes`]
const NO_LENGTH: Found = [-32700, 'Parse error: invalid_content_length']

/** Reads chunks and their end; an end is told once. */
function readAll(chunks: readonly (string | Buffer)[], limit = LIMIT): Found[] {
  const found: Found[] = []
  let ends = 0
  const reader = createFrameReader(limit, {
    onMessage: (bytes) => found.push(bytes.toString()),
    onRefusal: ({ code, message }) => found.push([code, message]),
    onEnd: () => {
      ends += 1
    },
  })
  for (const chunk of chunks) reader.push(Buffer.from(chunk))
  reader.end()
  reader.end()
  expect(ends).toBe(1)
  return found
}

/** The same bytes whole, and a byte at a time. */
function readBothWays(text: string | Buffer): Found[] {
  const bytes = Buffer.from(text)
  const whole = readAll([bytes])
  expect(readAll([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole)
  return whole
}

const x = (count: number): string => 'x'.repeat(count)

describe('lines', () => {
  test.each<[string, string, Found[]]>([
    ['end at a line feed', 'a\nb\n', ['a', 'b']],
    ['may lack the last line feed', 'a\nb', ['a', 'b']],
    ['lose their carriage returns', 'a\r\nb\r\r\n', ['a', 'b']],
    ['keep carriage returns inside', 'a\rb\n', ['a\rb']],
    ['lose a byte order mark each', '\ufeffa\n\ufeffb\n', ['a', 'b']],
    ['lose one byte order mark alone', '\ufeff\ufeffa\n', ['\ufeffa']],
    ['are skipped where they are blank', '\n\r\n \t\r\n\ufeff\r\n\na\n  ', ['a']],
    ['are not trimmed otherwise', ' a \n', [' a ']],
    ['do not end at other separators', 'a\u2028b\u0085c\u000bd\n', ['a\u2028b\u0085c\u000bd']],
  ])('[IO-01] %s', (_, text, found) => {
    expect(readBothWays(text)).toEqual(found)
  })

  test('are not there in an empty input', () => {
    expect(readBothWays('')).toEqual([])
    expect(readAll([''])).toEqual([])
  })

  test('[IO-01] keep characters that chunks cut', () => {
    const text = '"é漢😀"'
    const bytes = Buffer.from(`${text}\n`)
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(readAll([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual([text])
    }
  })

  test('are not copied where they lie in one chunk', () => {
    const chunk = Buffer.from('one\ntwo\n')
    const places: number[] = []
    const reader = createFrameReader(LIMIT, {
      onMessage: (bytes) => {
        expect(bytes.buffer).toBe(chunk.buffer)
        places.push(bytes.byteOffset - chunk.byteOffset)
      },
      onRefusal: () => undefined,
      onEnd: () => undefined,
    })
    reader.push(chunk)
    expect(places).toEqual([0, 4])
  })
})

describe('the bound of a line', () => {
  test.each<[string, string, Found[]]>([
    ['admits exactly its bytes', `${x(LIMIT)}\na\n`, [x(LIMIT), 'a']],
    ['refuses one more, once', `${x(LIMIT + 1)}\na\n`, [OVER_LINE, 'a']],
    ['refuses a long one, once', `${x(LIMIT * 5)}\na\n`, [OVER_LINE, 'a']],
    ['counts a carriage return', `${x(LIMIT)}\r\na\n`, [OVER_LINE, 'a']],
    ['counts a byte order mark', `\ufeff${x(LIMIT - 2)}\n`, [OVER_LINE]],
    ['counts blanks', `${' '.repeat(LIMIT + 1)}\na\n`, [OVER_LINE, 'a']],
    ['admits as many without a line feed', x(LIMIT), [x(LIMIT)]],
    ['refuses one more without a line feed', x(LIMIT + 1), [OVER_LINE]],
    ['refuses each of two', `${x(LIMIT + 1)}\n${x(LIMIT + 1)}\n`, [OVER_LINE, OVER_LINE]],
  ])('[IO-11] %s', (_, text, found) => {
    expect(readBothWays(text)).toEqual(found)
  })

  test('counts bytes, not characters', () => {
    expect(readBothWays(`${'é'.repeat(LIMIT / 2)}\n`)).toEqual(['é'.repeat(LIMIT / 2)])
    expect(readBothWays(`${'é'.repeat(LIMIT / 2)}x\n`)).toEqual([OVER_LINE])
  })

  test('refuses as soon as it is passed', () => {
    const found: number[] = []
    const reader = createFrameReader(LIMIT, {
      onMessage: () => undefined,
      onRefusal: ({ code }) => found.push(code),
      onEnd: () => undefined,
    })
    reader.push(Buffer.from(x(LIMIT)))
    expect(found).toEqual([])
    reader.push(Buffer.from('x'))
    expect(found).toEqual([-32600])
  })
})

describe('frames with a header', () => {
  test.each<[string, string, Found[]]>([
    ['hold as many bytes as they say', 'Content-Length: 3\r\n\r\na\nbc\n', ['a\nb', 'c']],
    ['follow each other', 'Content-Length: 1\r\n\r\naContent-Length: 1\r\n\r\nb', ['a', 'b']],
    ['are known in any case', 'cOnTeNt-LeNgTh:1\n\na', ['a']],
    ['may have other fields', 'Content-Length: 1\r\nContent-Type: x\r\n\r\nab\n', ['a', 'b']],
    ['go by the first length', 'Content-Length: 1\r\nContent-Length: 2\r\n\r\nab\n', ['a', 'b']],
    ['count bytes', 'Content-Length: 2\r\n\r\néx\n', ['é', 'x']],
    ['lose a byte order mark', '\ufeffContent-Length: 4\r\n\r\n\ufeffa', ['a']],
    ['may be empty, which is a message', 'Content-Length: 0\r\n\r\na\n', ['', 'a']],
    ['stand between lines', 'a\nContent-Length: 1\n\nb\nc\n', ['a', 'b', 'c']],
    ['are no other field', 'Content-Type: x\r\n', ['Content-Type: x']],
    ['begin at the start of a line', ' Content-Length: 1\n', [' Content-Length: 1']],
  ])('%s', (_, text, found) => {
    expect(readBothWays(text)).toEqual(found)
  })

  test.each(['abc', '', '-1', '1.5', '1e3', '0x10', '1 2', '٣'])(
    'are refused for the length %j, and the next line is read',
    (value) => {
      expect(readBothWays(`Content-Length: ${value}\r\na\n`)).toEqual([NO_LENGTH, 'a'])
    },
  )

  test.each<[string, string, Found[]]>([
    ['admits exactly its bytes', `Content-Length: ${LIMIT}\r\n\r\n${x(LIMIT)}a\n`, [x(LIMIT), 'a']],
    [
      'refuses one more, and drops header and body',
      `Content-Length: ${LIMIT + 1}\r\nX: y\r\n\r\n${x(LIMIT + 1)}a\n`,
      [OVER_FRAME, 'a'],
    ],
    [
      'drops a body whose lines could be read',
      `Content-Length: ${LIMIT + 4}\r\n\r\n${x(LIMIT)}\na\n\nb\n`,
      [OVER_FRAME, 'b'],
    ],
    [
      'refuses a length beyond all numbers',
      `Content-Length: ${'9'.repeat(40)}\r\n\r\na\n`,
      [OVER_FRAME],
    ],
    [
      'refuses a line of the header, and drops the frame',
      `Content-Length: 2\r\n${x(LIMIT + 1)}\r\nX: y\r\n\r\n{}a\n`,
      [OVER_LINE, 'a'],
    ],
    [
      'refuses a frame once',
      `Content-Length: 2\r\n${x(LIMIT + 1)}\r\n${x(LIMIT + 1)}\r\n\r\n{}a\n`,
      [OVER_LINE, 'a'],
    ],
    [
      'is that of a line for the field itself',
      `Content-Length: ${' '.repeat(LIMIT)}2\na\n`,
      [OVER_LINE, 'a'],
    ],
  ])('the bound of a frame %s', (_, text, found) => {
    expect(readBothWays(text)).toEqual(found)
  })

  test.each<[string, string, Found[]]>([
    ['in the field', 'Content-Length: 5', []],
    ['in the header', 'Content-Length: 5\r\nContent-', []],
    ['before the body', 'Content-Length: 5\r\n\r\n', []],
    ['in a body, which is read as far as it came', 'Content-Length: 5\r\n\r\nab', ['ab']],
    ['in a body that was refused', `Content-Length: ${LIMIT + 1}\r\n\r\nab`, [OVER_FRAME]],
  ])('end with an input that ends %s', (_, text, found) => {
    expect(readBothWays(text)).toEqual(found)
  })
})

describe('pausing', () => {
  test('stops behind the message at hand, and goes on there', () => {
    const found: string[] = []
    let ends = 0
    const reader = createFrameReader(LIMIT, {
      onMessage: (bytes) => {
        found.push(bytes.toString())
        reader.pause()
      },
      onRefusal: () => undefined,
      onEnd: () => {
        ends += 1
      },
    })
    reader.push(Buffer.from('a\nb\nContent-Length: 1\n\ncd'))
    expect(found).toEqual(['a'])
    reader.push(Buffer.from('e\n'))
    reader.end()
    for (const wanted of [
      ['a', 'b'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c', 'de'],
    ]) {
      expect(ends).toBe(0)
      reader.resume()
      expect(found).toEqual(wanted)
    }
    reader.resume()
    expect(ends).toBe(1)
  })

  test('does not nest, whoever resumes', () => {
    const found: string[] = []
    const reader = createFrameReader(LIMIT, {
      onMessage: (bytes) => {
        reader.resume()
        found.push(bytes.toString())
      },
      onRefusal: () => undefined,
      onEnd: () => undefined,
    })
    reader.push(Buffer.from('a\nb\nc\n'))
    expect(found).toEqual(['a', 'b', 'c'])
  })
})

describe('cost', () => {
  const silent = { onMessage: () => undefined, onRefusal: () => undefined, onEnd: () => undefined }

  test('is linear in a line that comes a byte at a time', () => {
    const byte = Buffer.from('x')
    const push = (count: number) => () => {
      const reader = createFrameReader(2 ** 30, silent)
      for (let at = 0; at < count; at += 1) reader.push(byte)
    }
    const [small, times] = [2 ** 14, 8]
    const limit = 4 * times
    expect(costRatio(push(small * times), push(small), limit)).toBeLessThan(limit)
  })

  test('is linear in the lines of one chunk', () => {
    const push = (count: number) => {
      const chunk = Buffer.from('x\n'.repeat(count))
      return () => createFrameReader(LIMIT, silent).push(chunk)
    }
    const [small, times] = [2 ** 13, 8]
    const limit = 4 * times
    expect(costRatio(push(small * times), push(small), limit)).toBeLessThan(limit)
  })

  test.each([
    ['a line', ''],
    ['a frame', `Content-Length: ${2 ** 40}\r\n\r\n`],
  ])('is no memory for %s beyond the bound', (_, opening) => {
    const chunk = Buffer.alloc(2 ** 16, 'x')
    const reader = createFrameReader(2 ** 20, silent)
    const before = process.memoryUsage().arrayBuffers
    reader.push(Buffer.from(opening))
    for (let count = 0; count < 1_024; count += 1) reader.push(chunk)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 2 ** 20)
  })
})
