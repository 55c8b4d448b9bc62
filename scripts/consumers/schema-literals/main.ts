// SPDX-License-Identifier: Apache-2.0
import { jsonSchema } from '@beam-mcp/core/json-schema'
import { createCatalog, createServer, defineTool } from '@beam-mcp/core/server'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const hold = <_Claim extends true>(): void => {}

const repeat = defineTool({
  name: 'repeat',
  inputSchema: jsonSchema({
    type: 'object',
    properties: { text: { type: 'string' }, times: { type: 'integer', maximum: 9 } },
    required: ['text'],
    additionalProperties: false,
  }),
  handler: ({ text, times }) => {
    hold<Same<typeof text, string>>()
    hold<Same<typeof times, number | undefined>>()
    return text.repeat(times ?? 1)
  },
})

const answer = await createServer(createCatalog({ tools: [repeat] })).handle({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'repeat',
    arguments: { text: 'ab', times: 2 },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
})
const content = JSON.stringify(answer?.result?.['content'])
if (content !== '[{"type":"text","text":"abab"}]') throw new Error(content)
