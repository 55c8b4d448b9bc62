// SPDX-License-Identifier: Apache-2.0
import { type CallContext, defineTool } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import type { Message } from '../support/collect.ts'
import { request } from '../support/messages.ts'
import { COMPLETE, SERVER_INFO } from '../support/server.ts'
import { startRun, type TestRun } from '../support/stdio-run.ts'

const CLIENT = { name: 'desktop', version: '3.2.1' }
const BOTH = ['2026-07-28', '2025-11-25']

/** Tells by which revision it was called, and by whom. */
const who = defineTool({
  name: 'who',
  description: 'Tells who calls.',
  inputSchema: { type: 'object' },
  handler: (_args, context: CallContext) =>
    `${context.protocolVersion} ${String(context.clientInfo?.['name'])}`,
})

const bare = (method: string, params?: object, id?: unknown): object => ({
  jsonrpc: '2.0',
  method,
  ...(params !== undefined && { params }),
  ...(id !== undefined && { id }),
})

const initialize = (protocolVersion: string, id: unknown): object =>
  bare('initialize', { protocolVersion, capabilities: {}, clientInfo: CLIENT }, id)

async function ask(run: TestRun, message: object): Promise<Message> {
  run.send(message)
  return run.next()
}

const said = ({ result }: Message): unknown =>
  (result as { content: { text: string }[] }).content[0]?.text

describe('one process', () => {
  test('[L-IO-01, L-IO-11] answers a probe, and a handshake after it', async () => {
    const run = startRun({ tools: [who] })
    expect(await ask(run, bare('server/discover', undefined, 1))).toMatchObject({
      id: 1,
      result: { supportedVersions: BOTH, resultType: 'complete' },
    })
    const { result } = await ask(run, initialize('2025-11-25', 2))
    expect(result).toMatchObject({ protocolVersion: '2025-11-25', serverInfo: SERVER_INFO })
    expect(result).not.toHaveProperty('resultType')
    run.send(bare('notifications/initialized'))
    expect(said(await ask(run, bare('tools/call', { name: 'who' }, 3)))).toBe('2025-11-25 desktop')
  })

  test.each(['2024-11-05', '2026-07-28', 'next'])(
    'offers 2025-11-25 to a client that asks for %s, and stays up',
    async (version) => {
      const run = startRun({ tools: [who] })
      expect(await ask(run, initialize(version, 0))).toMatchObject({
        id: 0,
        result: { protocolVersion: '2025-11-25' },
      })
      expect(await ask(run, bare('ping', undefined, 1))).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: {},
      })
    },
  )

  test('[L-IO-02, L-IO-10] remembers a handshake for its own revision alone', async () => {
    const run = startRun({ tools: [who] })
    expect(said(await ask(run, bare('tools/call', { name: 'who' }, 1)))).toBe(
      '2025-11-25 undefined',
    )
    await ask(run, initialize('2025-11-25', 2))
    expect(said(await ask(run, bare('tools/call', { name: 'who' }, 3)))).toBe('2025-11-25 desktop')
    const modern = await ask(run, request('tools/call', { name: 'who' }, 4))
    expect(modern).toEqual({
      jsonrpc: '2.0',
      id: 4,
      result: {
        content: [{ type: 'text', text: '2026-07-28 undefined' }],
        isError: false,
        ...COMPLETE,
      },
    })
  })

  test('[L-IO-02] shares no handshake with another run', async () => {
    const [one, other] = [startRun({ tools: [who] }), startRun({ tools: [who] })]
    await ask(one, initialize('2025-11-25', 1))
    expect(said(await ask(other, bare('tools/call', { name: 'who' }, 2)))).toBe(
      '2025-11-25 undefined',
    )
  })

  test('serves one revision alone where it is told to', async () => {
    const run = startRun({ tools: [who] }, { revisions: ['2026-07-28'] })
    expect(await ask(run, initialize('2025-11-25', 1))).toMatchObject({
      id: 1,
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } },
    })
    expect(said(await ask(run, request('tools/call', { name: 'who' }, 2)))).toBe(
      '2026-07-28 undefined',
    )
  })
})
