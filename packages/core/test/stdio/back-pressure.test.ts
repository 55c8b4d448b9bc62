// SPDX-License-Identifier: Apache-2.0
import { PassThrough, Writable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { defineTool } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { collect } from '../support/collect.ts'
import { call } from '../support/messages.ts'
import { startRun } from '../support/stdio-run.ts'

const big = (onCall: () => void) =>
  defineTool({
    name: 'big',
    description: 'Answers much.',
    inputSchema: { type: 'object' },
    handler: () => {
      onCall()
      return 'x'.repeat(10_000)
    },
  })

/** Waits until a number no longer grows. */
async function settled(read: () => number): Promise<number> {
  for (let last = read(), same = 0; ; ) {
    await turn()
    same = read() === last ? same + 1 : 0
    last = read()
    if (same > 50) return last
  }
}

describe('a client that does not read', () => {
  test('has no further request started, and no further input taken', async () => {
    let started = 0
    const output = new PassThrough({ highWaterMark: 30_000 })
    const run = startRun({ tools: [big(() => (started += 1))] }, { output, isRead: false })
    const count = 500
    for (let id = 1; id <= count; id += 1) run.send(call('big', {}, id))
    const before = await settled(() => started)
    // What the streams take in themselves, and the one that found them full.
    expect(before).toBeLessThan(10)
    expect(output.writableLength + output.readableLength).toBeLessThan(100_000)
    expect(run.input.readableFlowing).toBe(false)
    const read = collect(output)
    const ids = (await read.take(count)).map(({ id }) => id)
    expect(ids).toEqual(Array.from({ length: count }, (_, index) => index + 1))
    expect(started).toBe(count)
  })

  test.each([
    ['lines that are no JSON', 'x\n'],
    ['lines over the bound', `${'x'.repeat(200)}\n`],
    ['frames over the bound', `Content-Length: 200\r\n\r\n${'x'.repeat(200)}`],
  ])('is not answered faster for %s', async (_, line) => {
    let length = 0
    const waiting: (() => void)[] = []
    const output = new Writable({
      highWaterMark: 2_000,
      write: (chunk: Buffer, _encoding, done) => {
        length += chunk.length
        waiting.push(done)
      },
    })
    const run = startRun({}, { output, isRead: false, bodyLimit: 100 })
    // One chunk with thousands of lines: reading has to stop inside it.
    const count = 5_000
    run.send(line.repeat(count))
    await settled(() => output.writableLength)
    expect(output.writableLength).toBeLessThan(3_000)
    let lines = 0
    while (lines < count) {
      while (waiting.length === 0) await turn()
      lines += 1
      waiting.shift()?.()
      expect(output.writableLength).toBeLessThan(3_000)
    }
    expect(length / count).toBeGreaterThan(50)
    run.input.end()
    await run.ended
  })

  test('does not lose the end of the input meanwhile', async () => {
    const output = new PassThrough({ highWaterMark: 1_000 })
    const run = startRun({ tools: [big(() => undefined)] }, { output, isRead: false })
    const lines = Array.from({ length: 50 }, (_, id) => JSON.stringify(call('big', {}, id)))
    run.input.end(lines.join('\n'))
    await settled(() => output.writableLength)
    const read = collect(output)
    expect(await read.take(50)).toHaveLength(50)
    await run.ended
  })
})
