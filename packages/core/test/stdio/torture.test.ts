// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Message } from '../support/collect.ts'
import { call } from '../support/messages.ts'
import { buildProgram, type Child, startProgram } from '../support/stdio-child.ts'

const LINES = 10_000

let program: string

beforeAll(async () => {
  program = await buildProgram('server')
})

/** Numbers from 0 to below 1 that a seed repeats (a linear congruential generator). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** A line, and what answers it: the text of the tool's result, the error, or nothing. */
interface Sent {
  readonly line: string | Buffer
  readonly id?: unknown
  readonly answer?: string | readonly [code: number, message: string]
}

const NO_JSON = [-32700, 'Parse error: body is not valid JSON'] as const

type Kind = (id: number, random: () => number) => Sent

const echo = (text: string, id: number, end = '\n'): Sent => ({
  line: JSON.stringify(call('echo', { text }, id)) + end,
  id,
  answer: text,
})

const KINDS: readonly Kind[] = [
  (id, random) => echo('é漢😀\u2028'.repeat(1 + Math.floor(random() * 40)), id),
  (id) => echo('carriage return', id, '\r\n'),
  (id) => {
    const sent = echo('byte order mark', id)
    return { ...sent, line: `\ufeff${sent.line}` }
  },
  (id) => {
    const { line, ...rest } = echo('frame', id, '')
    return { ...rest, line: `Content-Length: ${Buffer.byteLength(String(line))}\r\n\r\n${line}` }
  },
  (id, random) => echo('x'.repeat(Math.floor(random() * 3_000)), id),
  (id) => {
    const key = `t${id}`
    return { line: `${JSON.stringify(call('echo', { text: key }, key))}\n`, id: key, answer: key }
  },
  (id) => ({
    line: `${JSON.stringify(call('reject', {}, id))}\n`,
    id,
    answer: [-32603, 'Internal error'],
  }),
  (id) => ({
    line: `${JSON.stringify({ jsonrpc: '2.0', id, method: `none/${id}` })}\n`,
    id,
    answer: [-32601, `Method not found: none/${id}`],
  }),
  () => ({ line: '{"jsonrpc":"2.0","id":1,\n', answer: NO_JSON }),
  () => ({ line: Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]), answer: NO_JSON }),
  () => ({ line: '[1,2]\n', answer: [-32600, 'Expected a JSON object, got an array'] }),
  () => ({ line: 'null\n', answer: [-32600, 'Expected a JSON object, got null'] }),
  () => ({ line: '{"method":"ping"}\n', answer: [-32600, 'Invalid Request'] }),
  () => ({
    line: `${'['.repeat(70)}\n`,
    answer: [-32600, 'Request body nests deeper than 64 levels'],
  }),
  () => ({ line: `${'x'.repeat(5_000)}\n`, answer: [-32600, 'Request line exceeds 4096 bytes'] }),
  () => ({
    line: `Content-Length: 5000\r\n\r\n${'{}\n'.repeat(1_666)}{}`,
    answer: [-32600, 'Request frame exceeds 4096 bytes'],
  }),
  () => ({ line: 'Content-Length: x\n', answer: [-32700, 'Parse error: invalid_content_length'] }),
  () => ({ line: '\n \r\n' }),
  () => ({ line: '{"jsonrpc":"2.0","method":"notifications/none"}\n' }),
  () => ({ line: '{"jsonrpc":"2.0","id":1,"result":{}}\n' }),
  (id) => ({
    line: `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${-id}}}\n`,
  }),
]

function write(child: Child, bytes: Buffer): Promise<unknown> | undefined {
  return child.process.stdin?.write(bytes) ? undefined : once(child.process.stdin as never, 'drain')
}

/** Writes lines in chunks of random sizes that know nothing of them. */
async function pour(child: Child, sent: readonly Sent[], random: () => number): Promise<void> {
  const bytes = Buffer.concat(sent.map(({ line }) => Buffer.from(line)))
  for (let at = 0; at < bytes.length; ) {
    const length = random() < 0.05 ? 1 : Math.ceil(random() ** 3 * 70_000)
    await write(child, bytes.subarray(at, at + length))
    at += length
  }
}

/** Bytes that the child holds, after a collection; its own request is `id`. */
async function memoryOf(child: Child, id: string): Promise<number> {
  child.send(call('memory', {}, id))
  for (;;) {
    const answer = await child.next()
    if (answer['id'] === id) return Number(textOf(answer))
  }
}

function textOf({ result }: Message): string | undefined {
  return (result as { content: { text: string }[] } | undefined)?.content[0]?.text
}

function seen(answer: Message): Sent['answer'] {
  const { error } = answer as { error?: { code: number; message: string } }
  return error === undefined ? textOf(answer) : [error.code, error.message]
}

describe('ten thousand lines, good and bad, in chunks of random sizes', () => {
  test.each([1, 64])(
    '[IO-01, IO-04, IO-06, IO-11] are answered one by one, %i at a time',
    async (places) => {
      const random = createRandom(20_261_130 + places)
      const sent = Array.from({ length: LINES }, (_, index): Sent => {
        const kind = KINDS[Math.floor(random() * KINDS.length)] as Kind
        return kind(index + 1, random)
      })
      const options = { bodyLimit: 4_096, maxConcurrency: places }
      const child = startProgram(program, { options })
      const wanted = sent.filter(({ answer }) => answer !== undefined)
      const reading = child.take(wanted.length)
      await pour(child, sent, random)
      const answers = await reading
      child.end()
      expect(await child.exit).toEqual({ code: 0, signal: null })
      expect(child.stdout().split('\n')).toHaveLength(wanted.length + 1)

      expect(answers.filter((answer) => 'method' in answer)).toEqual([])
      const byId = new Map(answers.map((answer) => [answer['id'], seen(answer)]))
      const withId = wanted.filter(({ id }) => id !== undefined)
      expect(withId.filter(({ id, answer }) => !same(byId.get(id), answer))).toEqual([])
      const count = (list: readonly (Sent['answer'] | undefined)[]): Map<string, number> => {
        const counts = new Map<string, number>()
        for (const one of list) counts.set(String(one), (counts.get(String(one)) ?? 0) + 1)
        return counts
      }
      const bare = answers.filter(({ id }) => id === undefined)
      const bareWanted = wanted.filter(({ id }) => id === undefined)
      expect(count(bare.map(seen))).toEqual(count(bareWanted.map(({ answer }) => answer)))
      // With one place the order is that of the lines, whatever they are.
      if (places === 1) expect(answers.map(seen)).toEqual(wanted.map(({ answer }) => answer))
    },
    60_000,
  )

  test('leave no memory behind', async () => {
    const random = createRandom(7)
    const child = startProgram(program, {
      options: { bodyLimit: 4_096 },
      flags: ['--expose-gc'],
    })
    const round = async (name: string): Promise<number> => {
      const sent = Array.from({ length: LINES / 4 }, (_, index): Sent => {
        const kind = KINDS[Math.floor(random() * KINDS.length)] as Kind
        return kind(index + 1, random)
      })
      await pour(child, sent, random)
      return memoryOf(child, name)
    }
    // Whatever is made once is made in the first rounds.
    await round('warm')
    const before = await round('before')
    await round('between')
    const after = await round('after')
    expect(after / before).toBeLessThan(1.1)
    child.end()
    await child.exit
  }, 60_000)
})

const same = (one: Sent['answer'], other: Sent['answer']): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
