// SPDX-License-Identifier: Apache-2.0
import { createCatalog, defineTool } from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { kept, mismatch, see } from '../support/answers.ts'
import { createApp, ECHO, listen, watched } from '../support/app.ts'
import { call } from '../support/messages.ts'
import { type Line, linesFor, rawRequest, without } from '../support/raw-request.ts'
import { openRawSocket } from '../support/raw-socket.ts'

const CALL = call('echo', { text: 'hi' })

/** Sends the base call with two lines of one header. */
async function sendBoth(name: string, values: readonly [string, string]) {
  const wipe = defineTool({ name: 'wipe', handler: () => 'wiped' })
  const { options, seen } = watched(createCatalog({ tools: [ECHO, wipe] }))
  const socket = await openRawSocket(await listen(await createApp(options)))
  const lines = values.map((value): Line => [name, value])
  socket.send(rawRequest([...without(linesFor(CALL), name), ...lines], JSON.stringify(CALL)))
  return { answer: see(await socket.read()), seen }
}

const differs = (name: string) =>
  kept(400, mismatch(`${name} header does not match the corresponding request body value`))

describe('S03: one header name, two field lines', () => {
  test.each<[string, string, [string, string], unknown]>([
    ['(a) two methods', 'Mcp-Method', ['tools/list', 'tools/call'], differs('mcp-method')],
    ['(c) two names', 'Mcp-Name', ['echo', 'wipe'], differs('mcp-name')],
    ['(e) two names in the other order', 'Mcp-Name', ['wipe', 'echo'], differs('mcp-name')],
    [
      '(d) two versions',
      'MCP-Protocol-Version',
      ['2026-07-28', '2025-11-25'],
      kept(400, mismatch('mcp-protocol-version header does not match the body value')),
    ],
  ])('[A-40] %s are refused', async (_, name, values, answer) => {
    expect(await sendBoth(name, values)).toEqual({ answer, seen: [] })
  })

  test('[A-40] (b) the same method twice agrees with the body, and is served', async () => {
    const { answer, seen } = await sendBoth('Mcp-Method', ['tools/call', 'tools/call'])
    expect(answer.status).toBe(200)
    expect(seen).toEqual([{ tool: 'echo', args: { text: 'hi' } }])
  })
})
