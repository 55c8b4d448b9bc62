// SPDX-License-Identifier: Apache-2.0
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../support/messages.ts'
import { buildProgram, startProgram } from '../support/stdio-child.ts'

let program: string

beforeAll(async () => {
  program = await buildProgram('server')
})

const textOf = (answer: Record<string, unknown>): unknown =>
  (answer['result'] as { content: { text: string }[] }).content[0]?.text

describe('a process', () => {
  test('answers and ends', async () => {
    const child = startProgram(program)
    child.send(call('echo', { text: 'é漢😀' }))
    expect(textOf(await child.next())).toBe('é漢😀')
    child.end()
    expect(await child.exit).toEqual({ code: 0, signal: null })
    expect(child.stderr()).toBe('started\nended\n')
  })
})
