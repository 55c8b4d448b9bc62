// SPDX-License-Identifier: Apache-2.0
import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../support/messages.ts'
import { buildProgram, type Child, startProgram } from '../support/stdio-child.ts'

const TEXT = 'é漢😀'

let program: string

beforeAll(async () => {
  program = await buildProgram('server')
})

const line = (text: string, id: unknown = 1): string => JSON.stringify(call('echo', { text }, id))

const answer = (text: string, id: unknown = 1): object => ({
  jsonrpc: '2.0',
  id,
  result: {
    content: [{ type: 'text', text }],
    isError: false,
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'fixture', version: '1.0.0' } },
  },
})

/** Everything that the process wrote until its end, line by line. */
async function linesOf(child: Child): Promise<string[]> {
  child.end()
  expect(await child.exit).toEqual({ code: 0, signal: null })
  expect(child.stdout().endsWith('\n')).toBe(true)
  expect(child.stdout()).not.toContain('\r')
  return child.stdout().slice(0, -1).split('\n')
}

async function answersTo(write: (child: Child) => void | Promise<void>): Promise<unknown[]> {
  const child = startProgram(program)
  await child.said('started')
  await write(child)
  const lines = await linesOf(child)
  return lines.map((text) => JSON.parse(text))
}

describe('S10: the bytes of a stdio line', () => {
  test('[IO-01] S10(a): CR LF ends a line', async () => {
    expect(await answersTo(({ send }) => send(`${line(TEXT)}\r\n`))).toEqual([answer(TEXT)])
  })

  test('[IO-01] S10(b): a byte order mark is no part of a line', async () => {
    expect(await answersTo(({ send }) => send(`\ufeff${line(TEXT)}\n`))).toEqual([answer(TEXT)])
  })

  test('[IO-01] S10(c): a line may come a byte at a time', async () => {
    const answers = await answersTo(async ({ send }) => {
      for (const byte of Buffer.from(`${line(TEXT)}\n`)) {
        send(Buffer.from([byte]))
        await wait(1)
      }
    })
    expect(answers).toEqual([answer(TEXT)])
  })

  test('[IO-01, IO-06] S10(d): three requests may come at once', async () => {
    const ids = ['a', 'b', 'c']
    const lines = ids.map((id) => `${line(TEXT, id)}\n`).join('')
    const answers = await answersTo(({ send }) => send(lines))
    expect(answers).toHaveLength(3)
    for (const id of ids) expect(answers).toContainEqual(answer(TEXT, id))
  })

  test('[IO-01] S10(e): U+2028 is text', async () => {
    const text = `a\u2028b\u2029${TEXT}`
    const answers = await answersTo(({ send }) => {
      expect(line(text)).toContain('\u2028')
      send(`${line(text)}\n`)
    })
    expect(answers).toEqual([answer(text)])
  })

  test('[IO-01] S10(f): empty lines are nothing', async () => {
    expect(await answersTo(({ send }) => send(`\n\n${line(TEXT)}\n`))).toEqual([answer(TEXT)])
  })

  test('[IO-01] S10(g): a character may come in two halves, half a second apart', async () => {
    const bytes = Buffer.from(`${line(TEXT)}\n`)
    const cut = bytes.indexOf(Buffer.from('é')) + 1
    const answers = await answersTo(async ({ send }) => {
      send(bytes.subarray(0, cut))
      await wait(500)
      send(bytes.subarray(cut))
    })
    expect(answers).toEqual([answer(TEXT)])
  })
})
