// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, watch } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { collect } from '../support/collect.ts'
import { call } from '../support/messages.ts'
import { buildProgram, startProgram } from '../support/stdio-child.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

const page = read('../../../../docs/stdio.md')
const programs = ['calculator', 'unix-socket']

/** A socket's file is there a moment before anybody listens at it. */
async function connectTo(path: string): Promise<Socket> {
  for (;;) {
    const socket = connect(path)
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      socket.once('connect', () => resolve(undefined)).once('error', resolve)
    })
    if (error === undefined) return socket
    if (error.code !== 'ECONNREFUSED') throw error
  }
}

describe('docs/stdio.md', () => {
  test('has the programs as they are run, and no other', () => {
    const shown = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text)
    const run = programs.map((name) =>
      read(`fixtures/${name}.ts`).replace(/^\/\/ SPDX-License-Identifier: .*\n/, ''),
    )
    expect(shown).toEqual(run)
  })

  test('shows a server that adds', async () => {
    const child = startProgram(await buildProgram('calculator'))
    child.send(call('add', { a: 2, b: 3 }))
    expect(await child.next()).toMatchObject({ id: 1, result: { structuredContent: { sum: 5 } } })
    child.end()
    expect(await child.exit).toEqual({ code: 0, signal: null })
  })

  test('[IO-12] shows a server on a Unix socket', async () => {
    const program = await buildProgram('unix-socket')
    const cwd = mkdtempSync(join(tmpdir(), 'stdio-'))
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }))
    const path = join(cwd, 'calculator.sock')
    const watcher = watch(cwd)
    onTestFinished(() => watcher.close())
    startProgram(program, { cwd })
    while (!existsSync(path)) await once(watcher, 'change')
    const socket = await connectTo(path)
    const lines = collect(socket)
    socket.end(`${JSON.stringify(call('ping'))}\n`)
    expect(await lines.next()).toMatchObject({ id: 1, result: { content: [{ text: 'pong' }] } })
    await once(socket, 'close')
  })
})
