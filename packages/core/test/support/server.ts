// SPDX-License-Identifier: Apache-2.0
import {
  type Capabilities,
  type Catalog,
  type CatalogParts,
  createCatalog,
  createServer,
  type JsonRpcResponse,
  type Logger,
  type McpServer,
  type ServerOptions,
} from '@beam-mcp/core/server'
import { request } from './messages.ts'
import { checkAnswer } from './published-types.ts'

/** The identity that a test server's results name. */
export const SERVER_INFO = { name: 'test', version: '9.8.7' }

/** The `_meta` of every result of a test server. */
export const RESULT_META = { 'io.modelcontextprotocol/serverInfo': SERVER_INFO }

/** The members that end every result of a test server. */
export const COMPLETE = { resultType: 'complete', _meta: RESULT_META }

/** The cache members of a server that was told nothing. */
export const UNCACHED = { ttlMs: 0, cacheScope: 'private' }

/** One line of a log. */
export interface LogLine {
  readonly level: string
  readonly bindings: Readonly<Record<string, unknown>>
  readonly message: string
}

/** A logger, and what it was told. */
export interface RecordedLog {
  readonly lines: LogLine[]
  readonly logger: Logger
}

/** Records what a server logs. */
export function recordLog(): RecordedLog {
  const lines: LogLine[] = []
  const at =
    (level: string) =>
    (bindings: object, message: string): void =>
      void lines.push({ level, bindings: { ...bindings }, message })
  return {
    lines,
    logger: { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') },
  }
}

/** A server, what it logged and a shorthand for one request to it. */
export interface TestServer {
  readonly server: McpServer
  readonly log: RecordedLog
  /** Sends one request of this method; `params` gain the required `_meta`. */
  readonly ask: (
    method: string,
    params?: Readonly<Record<string, unknown>>,
    principal?: unknown,
  ) => Promise<JsonRpcResponse | undefined>
}

/** Makes a server of these options; what is left out is filled in. */
export function createTestServer(options: Partial<ServerOptions> = {}): TestServer {
  const log = recordLog()
  const made = createServer({
    ...createCatalog({}),
    serverInfo: SERVER_INFO,
    logger: log.logger,
    ...options,
  })
  const server = checkServer(made)
  return {
    server,
    log,
    ask: (method, params = {}, principal) => server.handle(request(method, params), { principal }),
  }
}

/** Makes a server of exactly these options; each of its answers is judged by the published types. */
export function createCheckedServer(options: ServerOptions): McpServer {
  return checkServer(createServer(options))
}

/** Judges each answer of a server by the published types. */
function checkServer(server: McpServer): McpServer {
  return {
    ...server,
    handle: async (message, context) => {
      const answer = await server.handle(message, context)
      if (answer !== undefined) checkAnswer(message, answer)
      return answer
    },
  }
}

/** Makes a server of tools, resources and prompts with their handlers. */
export function serve(parts: CatalogParts, options: Partial<ServerOptions> = {}): TestServer {
  return createTestServer({ ...createCatalog(parts), ...options })
}

/** A catalog of these lists whose readers are never reached. */
export function catalogOf(lists: Readonly<Record<string, unknown>>): Catalog {
  const capabilities = { tools: [], resources: [], prompts: [], ...lists } as Capabilities
  return {
    capabilities: () => capabilities,
    readResource: () => 'unused',
    getPrompt: () => ({ messages: [] }),
  }
}

/** The answer that carries an error with the id of {@link request}. */
export function errorAnswer(code: number, message: string, data?: unknown): JsonRpcResponse {
  return { jsonrpc: '2.0', id: 1, error: { code, message, ...(data !== undefined && { data }) } }
}

/** The answer that carries a result with the id of {@link request}. */
export function resultAnswer(members: Readonly<Record<string, unknown>>): JsonRpcResponse {
  return { jsonrpc: '2.0', id: 1, result: { ...members, ...COMPLETE } }
}

/** What a caller is told of every host fault. */
export const INTERNAL = errorAnswer(-32603, 'Internal error')

/** The answer of a tool that answered a value which is no string. */
export function valueAnswer(value: unknown): JsonRpcResponse {
  return resultAnswer({
    content: [{ type: 'text', text: JSON.stringify(value) }],
    structuredContent: value,
    isError: false,
  })
}

/** The answer of a tool that answered text. */
export function textAnswer(text: string): JsonRpcResponse {
  return resultAnswer({ content: [{ type: 'text', text }], isError: false })
}

/** Runs what has to throw and gives back the error's code and message. */
export async function failure(
  run: () => unknown,
): Promise<{ readonly code: unknown; readonly message: string }> {
  try {
    await run()
  } catch (thrown) {
    const { code, message } = thrown as { code?: unknown; message: string }
    return { code, message }
  }
  throw new Error('nothing was thrown')
}
