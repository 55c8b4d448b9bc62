// SPDX-License-Identifier: Apache-2.0
import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { type CallContext, defineTool } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { collect } from '../support/collect.ts'
import { cancel } from '../support/held-calls.ts'
import { call, META } from '../support/messages.ts'
import { defer, startRun, toolAnswer } from '../support/stdio-run.ts'

const tool = (handler: (context: CallContext, name: string) => Promise<string>) =>
  defineTool({
    name: 'work',
    description: 'Tells of its work.',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
    handler: (args, context) => handler(context, String((args as { name: unknown }).name)),
  })

const work = (name: string, id: unknown): Record<string, unknown> => {
  const message = call('work', { name }, id)
  const params = message['params'] as object
  return { ...message, params: { ...params, _meta: { ...META, progressToken: name } } }
}

const progress = (progressToken: string, at: number): object => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { progressToken, progress: at },
})

describe('the notifications of a request', () => {
  test('[IO-06] go before its answer, between those of others', async () => {
    const steps = { a: defer(), b: defer() }
    const handler = async (context: CallContext, name: string): Promise<string> => {
      await context.progress(1)
      await steps[name as 'a' | 'b'].promise
      await context.progress(2)
      return name
    }
    const run = startRun({ tools: [tool(handler)] })
    run.send(work('a', 1), work('b', 2))
    expect(await run.take(2)).toEqual([progress('a', 1), progress('b', 1)])
    steps.b.resolve()
    expect(await run.take(2)).toEqual([progress('b', 2), toolAnswer(2, 'b')])
    steps.a.resolve()
    expect(await run.take(2)).toEqual([progress('a', 2), toolAnswer(1, 'a')])
  })

  test('[CANC-04] end with its cancellation', async () => {
    const isCancelled = defer()
    const isOver = defer()
    const run = startRun({
      tools: [
        tool(async (context) => {
          await context.progress(1)
          await isCancelled.promise
          await context.progress(2)
          isOver.resolve()
          return 'late'
        }),
      ],
    })
    run.send(work('a', 1))
    expect(await run.next()).toEqual(progress('a', 1))
    run.send(cancel(1), { jsonrpc: '2.0', id: 2, method: 'ping' })
    const pong = { jsonrpc: '2.0', id: 2, result: {} }
    expect(await run.next()).toEqual(pong)
    isCancelled.resolve()
    await isOver.promise
    run.input.end()
    await run.ended
    expect(run.text()).toBe(`${JSON.stringify(progress('a', 1))}\n${JSON.stringify(pong)}\n`)
  })

  test('wait for a client that reads slowly, and go on where it is gone', async () => {
    const output = new PassThrough({ highWaterMark: 500 })
    const told: number[] = []
    const count = 100
    const handler = async (context: CallContext): Promise<string> => {
      for (let at = 1; at <= count; at += 1) {
        await context.progress(at)
        told.push(at)
      }
      return 'done'
    }
    const run = startRun({ tools: [tool(handler)] }, { output, isRead: false })
    run.send(work('a', 1))
    for (let turns = 0; turns < 100; turns += 1) await turn()
    expect(told.length).toBeLessThan(20)
    const read = collect(output)
    const lines = await read.take(count + 1)
    expect(lines.slice(0, -1)).toEqual(told.map((at) => progress('a', at)))
    expect(lines.at(-1)).toEqual(toolAnswer(1, 'done'))

    const deaf = new PassThrough({ highWaterMark: 500 })
    const other = startRun({ tools: [tool(handler)] }, { output: deaf, isRead: false })
    told.length = 0
    other.send(work('b', 1))
    while (told.length === 0) await turn()
    deaf.destroy()
    await other.ended
    while (told.length < count) await turn()
  })
})
