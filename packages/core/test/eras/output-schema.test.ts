// SPDX-License-Identifier: Apache-2.0
import { defineTool, type JsonObject, toolError, toolResult } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { request } from '../support/messages.ts'
import { BOTH, bare } from '../support/older-client.ts'
import { INTERNAL, serve } from '../support/server.ts'

const OBJECT = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
  additionalProperties: false,
}
const LIST = { type: 'array', items: { type: 'integer' }, maxItems: 2 }
const SECRET = 'never-sent'
const WITHOUT = toolResult({ content: [{ type: 'text', text: SECRET }] })

const MISMATCHES: readonly (readonly [string, JsonObject, unknown])[] = [
  ['an object with another member', OBJECT, { n: 1, [SECRET]: 1 }],
  ['an object of another type', OBJECT, { n: SECRET }],
  ['a list for an object', OBJECT, [SECRET]],
  ['null for an object', OBJECT, null],
  ['text for an object', OBJECT, SECRET],
  ['nothing beside its blocks', OBJECT, WITHOUT],
  ['an object beside its blocks', OBJECT, toolResult({ content: [], structuredContent: {} })],
  ['a list with another item', LIST, [SECRET]],
  ['a longer list', LIST, [1, 2, 3]],
  ['an object for a list', LIST, { [SECRET]: 1 }],
]

describe.each([
  ['2026-07-28', request],
  ['2025-11-25', bare],
] as const)('structured content of %s', (_, message) => {
  const ask = async (outputSchema: JsonObject, answer: unknown) => {
    const tool = defineTool({ name: 't', outputSchema, handler: () => answer })
    const { server, log } = serve({ tools: [tool] }, { revisions: BOTH })
    return { answer: await server.handle(message('tools/call', { name: 't' })), log }
  }

  test.each(MISMATCHES)(
    '[TOOL-18] that breaks its schema is a host fault, logged and never sent: %s',
    async (_what, schema, given) => {
      const { answer, log } = await ask(schema, given)
      expect(answer).toEqual(INTERNAL)
      expect(log.lines).toMatchObject([
        { level: 'error', bindings: { err: { code: 'BEAM_ERR_CONTRACT' }, tool: 't' } },
      ])
    },
  )

  test('[TOOL-18] need not come with an error that the caller sees', async () => {
    const { answer, log } = await ask(OBJECT, toolError('no such town'))
    expect(answer?.result).toMatchObject({
      content: [{ type: 'text', text: 'no such town' }],
      isError: true,
    })
    expect(log.lines).toEqual([])
  })

  test('[TOOL-17] [TOOL-18] that fits is sent', async () => {
    const { answer } = await ask(OBJECT, { n: 1 })
    expect(answer?.result).toMatchObject({ structuredContent: { n: 1 }, isError: false })
  })
})
