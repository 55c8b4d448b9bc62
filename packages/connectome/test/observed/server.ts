// SPDX-License-Identifier: Apache-2.0
import {
  type CatalogParts,
  createCatalog,
  createServer,
  type JsonRpcResponse,
  type Logger,
} from '@beam-mcp/core/server'

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

const silent = (): void => {}
const SILENT: Logger = { error: silent, warn: silent, info: silent, debug: silent }

/** A server in process, and a shorthand for each way to reach what it lists. */
export interface TestServer {
  readonly ask: (
    method: string,
    params?: Readonly<Record<string, unknown>>,
  ) => Promise<JsonRpcResponse | undefined>
  readonly call: (name: string, args?: Readonly<Record<string, unknown>>) => Promise<unknown>
  readonly read: (uri: string) => Promise<unknown>
  readonly get: (name: string, args?: Readonly<Record<string, string>>) => Promise<unknown>
}

/** A real protocol server of these parts under this name. */
export function serve(name: string, parts: CatalogParts): TestServer {
  const server = createServer({
    ...createCatalog(parts),
    serverInfo: { name, version: '1.0.0' },
    logger: SILENT,
  })
  const ask: TestServer['ask'] = (method, params = {}) =>
    server.handle({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } })
  return {
    ask,
    call: (tool, args = {}) => ask('tools/call', { name: tool, arguments: args }),
    read: (uri) => ask('resources/read', { uri }),
    get: (prompt, args = {}) => ask('prompts/get', { name: prompt, arguments: args }),
  }
}
