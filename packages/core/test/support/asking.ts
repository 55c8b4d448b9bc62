// SPDX-License-Identifier: Apache-2.0
import {
  type CallContext,
  type CatalogParts,
  createStateSealer,
  definePrompt,
  defineResource,
  defineTool,
  type JsonRpcResponse,
  type ServerOptions,
  type StateSealer,
} from '@beam-mcp/core/server'
import { META } from './messages.ts'
import { RESULT_META, serve, type TestServer } from './server.ts'

/** A client that can be asked for everything. */
export const ABLE = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
}

/** 32 bytes of one value: a key whose tests can be repeated. */
export function keyOf(byte: number): Uint8Array {
  return new Uint8Array(32).fill(byte)
}

/** Seals for everyone, the principal being a string or none. */
export const SEALER: StateSealer = createStateSealer({ keys: [keyOf(1)], allowAnonymous: true })

/** What a retry brings, and what its client declares. */
export interface Round {
  readonly inputResponses?: unknown
  readonly requestState?: unknown
  readonly capabilities?: object
  readonly principal?: unknown
}

/** The params of one round. */
export function paramsOf(
  params: Readonly<Record<string, unknown>>,
  { capabilities = ABLE, principal, ...retry }: Round = {},
): Record<string, unknown> {
  const _meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': capabilities }
  return { ...params, ...retry, _meta }
}

/** What answers: the same callback behind a tool, a resource and a prompt. */
export type Handler = (context: CallContext) => unknown

/** The three methods that may ask, as requests of one callback. */
export const METHODS = [
  ['tools/call', { name: 'ask', arguments: {} }],
  ['resources/read', { uri: 'ask://it' }],
  ['prompts/get', { name: 'ask', arguments: {} }],
] as const

/** One of the {@link METHODS}. */
export type AskingMethod = (typeof METHODS)[number][0]

function partsOf(handler: Handler): CatalogParts {
  return {
    tools: [defineTool({ name: 'ask', handler: (_args, context) => handler(context) })],
    resources: [
      defineResource({
        uri: 'ask://it',
        name: 'it',
        read: (context) => handler(context) as string,
      }),
    ],
    prompts: [
      definePrompt({ name: 'ask', render: (_args, context) => handler(context) as string }),
    ],
  }
}

/** A server of one callback, and a shorthand for one round with it. */
export interface AskingServer extends TestServer {
  readonly round: (method: AskingMethod, round?: Round) => Promise<JsonRpcResponse | undefined>
  /** The messages of what was logged as an error. */
  readonly faults: () => readonly string[]
}

/** Serves one callback behind each of the {@link METHODS}. */
export function serveAsking(handler: Handler, options: Partial<ServerOptions> = {}): AskingServer {
  const server = serve(partsOf(handler), options)
  const round = (method: AskingMethod, given: Round = {}) => {
    const [, params] = METHODS.find(([name]) => name === method) ?? METHODS[0]
    return server.ask(method, paramsOf(params, given), given.principal)
  }
  const faults = (): readonly string[] =>
    server.log.lines
      .filter(({ level }) => level === 'error')
      .map(({ bindings }) => String((bindings['err'] as Error | undefined)?.message))
  return { ...server, round, faults }
}

/** The answer that asks. */
export function asks(members: Readonly<Record<string, unknown>>): JsonRpcResponse {
  const result = { ...members, resultType: 'input_required', _meta: RESULT_META }
  return { jsonrpc: '2.0', id: 1, result }
}

/** What of an answer was sealed; it has to be there. */
export function stateOf(answer: JsonRpcResponse | undefined): string {
  const state = (answer as { readonly result?: { readonly requestState?: unknown } } | undefined)
    ?.result?.requestState
  if (typeof state !== 'string') throw new Error(`no state in ${JSON.stringify(answer)}`)
  return state
}

/** The refusal of every state that does not open. */
export const STATE_REFUSED = {
  jsonrpc: '2.0',
  id: 1,
  error: { code: -32602, message: 'Invalid params: Invalid or expired requestState' },
}
