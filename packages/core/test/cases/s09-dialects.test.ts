// SPDX-License-Identifier: Apache-2.0
import { createCatalog, defineTool } from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { createApp, post, watched } from '../support/app.ts'
import { call, request } from '../support/messages.ts'

const MODERN = {
  type: 'object',
  properties: {
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { $ref: '#/$defs/count' }] },
    card: { type: 'string' },
    name: { type: 'string' },
  },
  dependentRequired: { card: ['name'] },
  $defs: { count: { type: 'integer' } },
}
const DRAFT_07 = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: { pair: { type: 'array', items: [{ type: 'string' }, { type: 'integer' }] } },
}

/** An endpoint with one tool of this schema; whether it takes some arguments, and what it lists. */
async function serve(inputSchema: object, outputSchema?: object) {
  const tool = defineTool({
    name: 'tool',
    inputSchema,
    ...(outputSchema && { outputSchema }),
    handler: () => ({ ok: true }),
  })
  const { options, seen } = watched(createCatalog({ tools: [tool] }))
  const app = await createApp(options)
  const takes = async (args: object): Promise<boolean> => {
    const before = seen.length
    const { result } = (await post(app, call('tool', args))).json()
    expect(seen.length - before).toBe(result.isError ? 0 : 1)
    return !result.isError
  }
  const listed = async () => (await post(app, request('tools/list'))).json().result.tools[0]
  return { app, takes, listed }
}

describe('S09: which JSON Schema is this?', () => {
  test.each([
    ['(a) no $schema', MODERN],
    ['(b) $schema 2020-12', { $schema: 'https://json-schema.org/draft/2020-12/schema', ...MODERN }],
  ])(
    '%s is enforced as 2020-12, every keyword of it, and listed as it was written',
    async (_, schema) => {
      const { takes, listed } = await serve(schema)
      expect(await takes({ pair: ['a', 1], card: '1', name: 'x' })).toBe(true)
      expect(await takes({ pair: ['a', 'b'] })).toBe(false)
      expect(await takes({ pair: [1, 1] })).toBe(false)
      expect(await takes({ card: '1' })).toBe(false)
      expect((await listed()).inputSchema).toEqual(schema)
    },
  )

  test('(c) draft-07 is enforced as draft-07, and listed as it was written', async () => {
    const { takes, listed } = await serve(DRAFT_07)
    expect(await takes({ pair: ['a', 1] })).toBe(true)
    expect(await takes({ pair: ['a', 'b'] })).toBe(false)
    expect((await listed()).inputSchema).toEqual(DRAFT_07)
  })

  test('(d) any other dialect is refused at start-up, naming tool and dialect', async () => {
    const { app } = await serve({ $schema: 'https://example.test/dialect', type: 'object' })
    await expect(app.ready()).rejects.toMatchObject({
      code: 'BEAM_ERR_SCHEMA_UNSUPPORTED',
      message: expect.stringMatching(/'tool'.*https:\/\/example\.test\/dialect/),
    })
  })

  test('(e) an output schema gains no label', async () => {
    const output = { type: 'object', properties: { ok: { type: 'boolean' } } }
    const { takes, listed } = await serve({ type: 'object' }, output)
    expect((await listed()).outputSchema).toEqual(output)
    expect(await takes({})).toBe(true)
  })
})
