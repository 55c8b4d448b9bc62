// SPDX-License-Identifier: Apache-2.0
import { PassThrough } from 'node:stream'
import { createCatalog } from '@beam-mcp/core/server'
import { runStdio, type StdioOptions } from '@beam-mcp/core/stdio'
import { describe, expect, test } from 'vitest'
import { SERVER_INFO } from '../support/server.ts'
import { startRun } from '../support/stdio-run.ts'

const refusal = async (options: unknown): Promise<unknown> => {
  const listeners = process.listenerCount('SIGTERM')
  const { write } = process.stdout
  const thrown = await runStdio(options as StdioOptions).then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(process.listenerCount('SIGTERM')).toBe(listeners)
  expect(process.stdout.write).toBe(write)
  const { code, message } = thrown as { code: string; message: string }
  expect(code).toBe('BEAM_ERR_OPT_INVALID')
  return message
}

describe('the options of a run', () => {
  test.each([
    [{ input: null }, "Option 'input' must be a readable stream of bytes, or left out"],
    [{ input: 'x' }, "Option 'input' must be a readable stream of bytes, or left out"],
    [{ output: {} }, "Option 'output' must be a writable stream of bytes, or left out"],
    [{ signal: true }, "Option 'signal' must be an AbortSignal, or left out"],
    [{ maxConcurrency: 0 }, "Option 'maxConcurrency' must be a whole number above 0"],
    [{ maxConcurrency: 1.5 }, "Option 'maxConcurrency' must be a whole number above 0"],
    [{ maxConcurrency: '1' }, "Option 'maxConcurrency' must be a whole number above 0"],
    [
      { drainTimeoutMs: -1 },
      "Option 'drainTimeoutMs' must be a whole number of milliseconds from 0 to 2147483647",
    ],
    [
      { drainTimeoutMs: 2 ** 31 },
      "Option 'drainTimeoutMs' must be a whole number of milliseconds from 0 to 2147483647",
    ],
    [{ drainTimeout: 1 }, "Option 'drainTimeout' is unknown; did you mean 'drainTimeoutMs'?"],
    [{ dispatch: undefined }, expect.stringContaining("Option 'dispatch' is required")],
    [{ catalog: undefined }, expect.stringContaining("Option 'catalog' is required")],
    [{ pageSize: 0 }, "Option 'pageSize' must be a whole number above 0"],
    [{ bodyLimit: 0 }, "Option 'bodyLimit' must be a whole number above 0"],
    [{ revisions: [] }, expect.stringContaining("Option 'revisions'")],
    [{ logger: {} }, expect.stringContaining("Option 'logger' must have")],
    [{ authorize: () => true }, expect.stringContaining("Option 'authorize' is unknown")],
  ])('are refused with the option and the fix: %o', async (own, message) => {
    expect(await refusal({ ...createCatalog({}), ...own })).toEqual(message)
  })

  test.each([undefined, null, 'x', []])('are an object: %j', async (options) => {
    expect(await refusal(options)).toBe(
      "Option 'options' must be an object with catalog and dispatch",
    )
  })

  test('reach the server', async () => {
    const run = startRun({}, { revisions: ['2025-11-25'], instructions: 'Be kind.' })
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: SERVER_INFO }
    run.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
    expect(await run.next()).toMatchObject({
      result: { protocolVersion: '2025-11-25', instructions: 'Be kind.', serverInfo: SERVER_INFO },
    })
  })

  test('[IO-11] bound a line by bodyLimit', async () => {
    const run = startRun({}, { bodyLimit: 100 })
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    run.send(`${ping.padEnd(101)}\n${ping.padEnd(100)}\n`)
    expect(await run.take(2)).toEqual([
      { jsonrpc: '2.0', error: { code: -32600, message: 'Request line exceeds 100 bytes' } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ])
  })

  test('[IO-11] bound a line by a mebibyte', async () => {
    const run = startRun({})
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    run.send(`${ping.padEnd(1_048_577)}\n`, `${ping.padEnd(1_048_576)}\n`)
    expect(await run.take(2)).toEqual([
      { jsonrpc: '2.0', error: { code: -32600, message: 'Request line exceeds 1048576 bytes' } },
      { jsonrpc: '2.0', id: 1, result: {} },
    ])
  })

  test('take an input of text', async () => {
    const input = new PassThrough({ encoding: 'utf8' })
    const run = startRun({}, { input })
    input.write('{"jsonrpc":"2.0","id":"é","method":"ping"}\n')
    expect(await run.next()).toEqual({ jsonrpc: '2.0', id: 'é', result: {} })
  })

  test('take a logger that fails', async () => {
    const fail = (): never => {
      throw new Error('disk full')
    }
    const run = startRun({}, { logger: { error: fail, warn: fail, info: fail, debug: fail } })
    const warned = new Promise((resolve) => process.once('warning', resolve))
    run.send('{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n')
    expect(await run.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
    expect(await warned).toMatchObject({ message: 'disk full' })
  })
})
