// SPDX-License-Identifier: Apache-2.0
import {
  BEAM_ERR_OPT_INVALID,
  type CallContext,
  createBeam,
  createServer,
  type JsonRpcResponse,
  type McpServer,
  toolError,
} from '@beam-mcp/core/server'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const hold = <_Claim extends true>(): void => {}

// The plugin alone adds it.
hold<Same<'request' extends keyof CallContext ? true : false, false>>()

const beam = createBeam<string>()
const greet = beam.defineTool({
  name: 'greet',
  inputSchema: { type: 'object', properties: { loud: { type: 'boolean' } } },
  handler: ({ loud }, { principal }) => {
    hold<Same<typeof principal, string>>()
    hold<Same<typeof loud, unknown>>()
    return principal === '' ? toolError('Say who you are.') : { greeting: `Hello, ${principal}` }
  },
})
const server: McpServer<string> = createServer<string>(beam.createCatalog({ tools: [greet] }))
const answer: JsonRpcResponse | undefined = await server.handle(
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'greet',
      arguments: { loud: true },
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  },
  { principal: 'Ada' },
)
const greeting = JSON.stringify(answer?.result?.['structuredContent'])
if (greeting !== '{"greeting":"Hello, Ada"}') throw new Error(greeting)

let code: string | undefined
try {
  // @ts-expect-error catalog and dispatch are required
  createServer({})
} catch (error) {
  code = error instanceof BEAM_ERR_OPT_INVALID ? error.code : undefined
}
if (code !== 'BEAM_ERR_OPT_INVALID') throw new Error(`no such error: ${code}`)
