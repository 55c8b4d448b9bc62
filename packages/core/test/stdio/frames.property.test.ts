// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFrameReader } from '../../src/stdio/frames.ts'

const LIMIT = 12

/** What the same text is split into by a reader that has all of it at once, without frames. */
function splitPlainly(text: Buffer): string[] {
  const lines = text.toString('latin1').split('\n')
  // A line feed at the end opens no line.
  if (lines.at(-1) === '') lines.pop()
  return lines.flatMap((line) => {
    if (line.length > LIMIT) return ['too long']
    const message = line.replace(/^\u00ef\u00bb\u00bf/, '').replace(/\r+$/, '')
    return /^[ \t\r]*$/.test(message) ? [] : [`message ${message}`]
  })
}

function read(chunks: readonly Buffer[], pauseEvery: number, limit = LIMIT): string[] {
  const found: string[] = []
  const note = (what: string): void => {
    found.push(what)
    if (found.length % pauseEvery === 0) reader.pause()
  }
  const reader = createFrameReader(limit, {
    onMessage: (bytes) => note(`message ${bytes.toString('latin1')}`),
    onRefusal: () => note('too long'),
    onEnd: () => found.push('end'),
  })
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  for (let count = 0; count <= found.length; count += 1) reader.resume()
  return found
}

/** Cuts bytes at these places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...places].map((place) => place % (bytes.length + 1)).sort((a, b) => a - b)
  return [0, ...sorted].map((from, index) => bytes.subarray(from, sorted[index]))
}

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('\n', '\r\n', '\r', ' ', '\t', '\ufeff', '\n\n') },
  {
    weight: 3,
    arbitrary: fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '{', '\u2028') }),
  },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(LIMIT), 'x'.repeat(LIMIT + 1)) },
)

test('[IO-01, IO-11] lines are split as a plain reader splits them, however they are cut', () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }),
      fc.array(fc.nat(), { maxLength: 40 }),
      fc.integer({ min: 1, max: 5 }),
      (pieces, places, pauseEvery) => {
        const bytes = Buffer.from(pieces.join(''))
        expect(read(cut(bytes, places), pauseEvery)).toEqual([...splitPlainly(bytes), 'end'])
      },
    ),
    { numRuns: 2_000 },
  )
})

test('frames give back what was framed, however they are cut', () => {
  const body = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r', '{'), maxLength: 6 })
  fc.assert(
    fc.property(fc.array(body), fc.array(fc.nat(), { maxLength: 40 }), (bodies, places) => {
      const frames = bodies.map(
        (text) => `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
      )
      const found = read(cut(Buffer.from(frames.join('')), places), 1_000, 64)
      const wanted = bodies.map((text) => `message ${Buffer.from(text).toString('latin1')}`)
      expect(found).toEqual([...wanted, 'end'])
    }),
    { numRuns: 500 },
  )
})
