// SPDX-License-Identifier: Apache-2.0
import { createCatalog, defineTool } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { readJson } from '../../src/json/read-json.ts'
import { createTransportServer } from '../../src/protocol/create-server.ts'
import { META } from '../support/messages.ts'
import { recordLog, SERVER_INFO } from '../support/server.ts'

const handed: string[] = []
const { logger } = recordLog()
const { engine, ready } = createTransportServer({
  ...createCatalog({
    tools: [
      defineTool({
        name: 't',
        inputSchema: { type: 'object', additionalProperties: true },
        handler: (args) => {
          handed.push(JSON.stringify(args))
          return 'ran'
        },
      }),
    ],
  }),
  serverInfo: SERVER_INFO,
  logger,
})

/** Serves one message as the transports do: from its bytes. */
async function serveText(args: string, id = '1') {
  handed.length = 0
  const meta = JSON.stringify(META)
  const text = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"_meta":${meta},"name":"t","arguments":${args}}}`
  const reading = readJson(Buffer.from(text))
  if (!reading.ok) throw new Error(reading.refusal.message)
  await ready()
  return engine.serve(reading, {
    transportContext: { transport: 'http' },
    principal: undefined,
    log: logger,
  })
}

describe('a message from its bytes', () => {
  test.each(['0', '-7', '"a"', '9007199254740993', '-123456789012345678901234567890'])(
    '[ENV-03] is answered with the id %s to the digit',
    async (id) => {
      const { status, body } = await serveText('{}', id)
      expect(status).toBe(200)
      expect(body).toMatch(`{"jsonrpc":"2.0","id":${id},"result":{`)
    },
  )

  test.each(['1.0', '1e0', '0.5', 'null', 'true', '1e400'])(
    '[ENV-02] [ENV-04] with the id %s is refused without one',
    async (id) => {
      const { status, body } = await serveText('{}', id)
      expect(status).toBe(400)
      expect(JSON.parse(body ?? '')).toEqual({
        jsonrpc: '2.0',
        error: { code: -32600, message: 'Invalid Request: id must be a string or an integer' },
      })
    },
  )

  const INTEGER = 'must be an integer within ±9007199254740991'
  const FLOAT = 'must be a number that a 64-bit float can hold'
  test.each([
    ['{"n":9007199254740992}', 'n', INTEGER],
    ['{"a":{"b":[1,-9007199254740993]}}', 'a.b[1]', INTEGER],
    ['{"n":1e400}', 'n', FLOAT],
    ['{"a":[{"b":-1e400}]}', 'a[0].b', FLOAT],
    [`{"n":${'9'.repeat(5000)}}`, 'n', FLOAT],
    ['{"__proto__":1e400}', '__proto__', FLOAT],
  ])('[TOOL-14] never rounds a number of its arguments: case %#', async (args, path, why) => {
    const { status, body } = await serveText(args)
    expect(status).toBe(200)
    expect(JSON.parse(body ?? '').result).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: `Invalid arguments for t: ${path} ${why}` }],
      structuredContent: {
        error: { tool: 't', reason: 'invalid_arguments', path, message: `${path} ${why}` },
      },
    })
    expect(handed).toEqual([])
  })

  test('hands over numbers that a float holds', async () => {
    await serveText('{"a":9007199254740991,"b":1.5e300,"c":1.0,"d":5e-324}')
    expect(handed).toEqual(['{"a":9007199254740991,"b":1.5e+300,"c":1,"d":5e-324}'])
  })
})
