// SPDX-License-Identifier: Apache-2.0
import { createCatalog, defineTool } from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { errorAnswer, kept, SERVER_META, see } from '../support/answers.ts'
import { createApp, ECHO, post, watched } from '../support/app.ts'
import { call, request } from '../support/messages.ts'

const NOW = defineTool({ name: 'now', handler: (args) => args })
const NEED = defineTool({
  name: 'need',
  inputSchema: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
  handler: (args) => args,
})

async function serve() {
  const { options, seen } = watched(createCatalog({ tools: [ECHO, NOW, NEED] }))
  return { app: await createApp(options), seen }
}

describe('S08: calls without arguments', () => {
  const NONE: [string, unknown][] = [
    ['no arguments', undefined],
    ['empty arguments', {}],
  ]

  test.each(NONE)(
    '[TOOL-11] %s run a tool that needs none, which is handed {}',
    async (_, args) => {
      const { app, seen } = await serve()
      for (const name of ['echo', 'now']) {
        expect((await post(app, call(name, args))).json().result.structuredContent).toEqual({})
      }
      expect(seen).toEqual([
        { tool: 'echo', args: {} },
        { tool: 'now', args: {} },
      ])
    },
  )

  test.each(NONE)(
    '[TOOL-14] %s are a fault of a tool that needs one, which names it',
    async (_, args) => {
      const { app, seen } = await serve()
      const { status, body } = see(await post(app, call('need', args)))
      expect(status).toBe(200)
      expect(body).toEqual({
        jsonrpc: '2.0',
        id: 1,
        result: {
          content: [{ type: 'text', text: expect.stringContaining('town') }],
          structuredContent: {
            error: expect.objectContaining({ tool: 'need', reason: 'invalid_arguments' }),
          },
          isError: true,
          resultType: 'complete',
          _meta: SERVER_META,
        },
      })
      expect(JSON.stringify(body)).not.toMatch(/ajv|schemaPath|instancePath|\.ts|\.js/i)
      expect(seen).toHaveLength(0)
    },
  )

  const KINDS: [unknown, string][] = [
    [null, 'null'],
    [[], 'an array'],
    ['x', 'a string'],
    [0, 'a number'],
  ]

  test.each(KINDS)(
    '[A-07] [A-34] %j in place of arguments is refused by every tool',
    async (args, kind) => {
      const { app, seen } = await serve()
      for (const name of ['echo', 'now', 'need']) {
        expect(see(await post(app, call(name, args)))).toEqual(
          kept(
            200,
            errorAnswer(-32602, `Invalid params: arguments must be an object, got ${kind}`, {
              id: 1,
            }),
          ),
        )
      }
      expect(seen).toHaveLength(0)
    },
  )

  test('the tool without a schema is listed with an object schema', async () => {
    const { app } = await serve()
    const { result } = (await post(app, request('tools/list'))).json()
    const listed = result.tools.find((tool: { name: string }) => tool.name === 'now')
    expect(listed).toEqual({
      name: 'now',
      inputSchema: { type: 'object', properties: {}, additionalProperties: true },
    })
  })
})
