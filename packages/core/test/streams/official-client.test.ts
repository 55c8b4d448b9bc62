// SPDX-License-Identifier: Apache-2.0
import { once } from 'node:events'
import type { CallContext } from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { aborted, createGate } from '../support/event-streams.ts'
import { serveWork } from '../support/notifying.ts'
import { connectClient } from '../support/official-client.ts'
import { BOTH } from '../support/older-client.ts'

const LEVEL_KEY = 'io.modelcontextprotocol/logLevel'
const WORK = { name: 'work', arguments: {} }

async function connect(
  work: (context: CallContext) => unknown,
  options: Parameters<typeof serveWork>[1] = {},
  connection: Parameters<typeof connectClient>[1] = {},
) {
  const { app, complaints } = await serveWork(work, options)
  return { client: await connectClient(app, connection), complaints }
}

/** Works until it is told to stop, and says why. */
function untilAborted() {
  const begun = createGate()
  const reason = createGate<unknown>()
  const work = async ({ signal, progress }: CallContext) => {
    await progress(1)
    begun.open()
    reason.open(await aborted(signal))
    return 'late'
  }
  return { work, begun: begun.opened, reason: reason.opened }
}

describe('the official client', () => {
  test('[PROG-01] is told of progress while a tool works', async () => {
    const { client } = await connect(async ({ progress }) => {
      await progress(0.5, 2, 'half')
      await progress(2, 2)
      return { done: true }
    })
    const told: unknown[] = []
    const result = await client.callTool(WORK, { onprogress: (progress) => told.push(progress) })
    expect(told).toEqual([
      { progress: 0.5, total: 2, message: 'half' },
      { progress: 2, total: 2 },
    ])
    expect(result.structuredContent).toEqual({ done: true })
  })

  test('[PROG-01] is told of progress while a resource is read and a prompt rendered', async () => {
    const { client } = await connect(async ({ progress }) => {
      await progress(1)
      return 'text'
    })
    const told: unknown[] = []
    const onprogress = (progress: unknown) => told.push(progress)
    const { contents } = await client.readResource({ uri: 'work://it' }, { onprogress })
    const { messages } = await client.getPrompt({ name: 'work' }, { onprogress })
    expect(told).toEqual([{ progress: 1 }, { progress: 1 }])
    expect([contents, messages]).toMatchObject([[{ text: 'text' }], [{ role: 'user' }]])
  })

  test('[LOG-02] is sent the log messages that a call asks for', async () => {
    const { client } = await connect(
      async ({ log }) => {
        await log('info', 'too low')
        await log('warning', { shard: 3 })
        return 'done'
      },
      { logging: true },
    )
    const told: unknown[] = []
    client.setNotificationHandler('notifications/message', ({ params }) => void told.push(params))
    await client.callTool({ ...WORK, _meta: { [LEVEL_KEY]: 'warning' } })
    expect(told).toEqual([{ level: 'warning', data: { shard: 3 } }])
  })

  test.each([
    ['before the first notification', false],
    ['between two notifications', true],
  ])('[CANC-01] aborts %s, and the work stops', async (_, isTold) => {
    const { work, begun, reason } = untilAborted()
    const { client } = await connect(work)
    const controller = new AbortController()
    const told = createGate()
    const call = client.callTool(WORK, {
      signal: controller.signal,
      ...(isTold && { onprogress: () => told.open() }),
    })
    await (isTold ? told.opened : begun)
    controller.abort('enough')
    await expect(call).rejects.toThrow(/enough/)
    expect(await reason).toMatchObject({ name: 'AbortError' })
    // The client goes on.
    expect(await client.listTools()).toMatchObject({ tools: [{ name: 'work' }] })
  })

  test('[CANC-01] runs out of patience, and the work stops', async () => {
    const { work, reason } = untilAborted()
    const { client } = await connect(work)
    await expect(client.callTool(WORK, { timeout: 30 })).rejects.toMatchObject({
      code: 'REQUEST_TIMEOUT',
    })
    expect(await reason).toMatchObject({ name: 'AbortError' })
  })

  test('[PROG-01] stays patient while it is told of progress', async () => {
    const patience = 150
    const { client } = await connect(async ({ progress }) => {
      const start = performance.now()
      for (let step = 1; performance.now() - start < patience * 3; step += 1) {
        await progress(step)
        await once(AbortSignal.timeout(patience / 10), 'abort')
      }
      return { done: true }
    })
    const options = { timeout: patience, onprogress: () => undefined }
    const result = await client.callTool(WORK, { ...options, resetTimeoutOnProgress: true })
    expect(result.structuredContent).toEqual({ done: true })
    await expect(client.callTool(WORK, options)).rejects.toThrow()
  })

  test('[CANC-10] is shown that a tool had no more time', async () => {
    const { work } = untilAborted()
    const { client } = await connect(work, { timeoutMs: 20 })
    expect(await client.callTool(WORK)).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'No answer within 20 ms' }],
    })
    const read = client.readResource({ uri: 'work://it' }, { onprogress: () => undefined })
    await expect(read).rejects.toThrow(/No answer within 20 ms/)
  })

  test('[L-PROG-01] of the older revision is told of progress too', async () => {
    const { client } = await connect(
      async ({ progress }) => {
        await progress(1, 1)
        return { done: true }
      },
      { revisions: BOTH },
      { negotiation: { mode: 'legacy' } },
    )
    const told: unknown[] = []
    const result = await client.callTool(WORK, { onprogress: (progress) => told.push(progress) })
    expect(told).toEqual([{ progress: 1, total: 1 }])
    expect(result.structuredContent).toEqual({ done: true })
  })
})
