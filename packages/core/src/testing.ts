// SPDX-License-Identifier: Apache-2.0

// The subpath `@beam-mcp/core/testing`: a client for a host's own tests, over `app.inject`.
import type { FastifyInstance } from 'fastify'
import type { CompletionRequest } from './catalog/completion.ts'
import { type MirroredParam, mirroredValue, readMirroredParams } from './catalog/mirrored-params.ts'
import { encodeSentinel } from './http/sentinel.ts'
import { parseJson } from './json/parse-json.ts'
import type { JsonRpcError } from './protocol/create-server.ts'
import type { JsonRpcId } from './protocol/json-rpc.ts'
import { isJsonObject, type JsonObject } from './protocol/plain.ts'

/** How a test client calls. */
export interface TestClientOptions {
  /** The endpoint's full path. @default '/mcp' */
  readonly path?: string
  /** Headers of every request: `authorization`, say. */
  readonly headers?: Readonly<Record<string, string>>
  /** `clientCapabilities` of every request. @default {} */
  readonly clientCapabilities?: JsonObject
  /**
   * More members of `_meta` of every request: `{ progressToken: 1 }` asks for progress, and
   * `{ 'io.modelcontextprotocol/logLevel': 'debug' }` for log messages.
   */
  readonly meta?: JsonObject
}

/** One answer as HTTP brought it. */
export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly id?: JsonRpcId
  readonly result?: JsonObject
  readonly error?: JsonRpcError
  /** The notifications that came before the answer, in their order; empty where it came alone. */
  readonly notifications: readonly TestNotification[]
}

/** One notification of a stream. */
export interface TestNotification {
  readonly method: string
  readonly params: JsonObject
}

/** A client that sends correct requests through `app.inject`: no port, no socket. */
export interface TestClient {
  /** Any request; the required headers and `_meta` are added, which `params._meta` adds to. */
  readonly request: (method: string, params?: JsonObject) => Promise<TestAnswer>
  /** A notification; the answer has a status alone. */
  readonly notify: (method: string, params?: JsonObject) => Promise<TestAnswer>
  readonly discover: () => Promise<TestAnswer>
  readonly listTools: () => Promise<TestAnswer>
  /**
   * Mirrors arguments into `Mcp-Param-*` headers where the listed schema says so: the first call sends
   * a `tools/list` before it.
   */
  readonly callTool: (name: string, args?: JsonObject) => Promise<TestAnswer>
  readonly listResources: (cursor?: string) => Promise<TestAnswer>
  readonly listResourceTemplates: (cursor?: string) => Promise<TestAnswer>
  readonly readResource: (uri: string) => Promise<TestAnswer>
  readonly listPrompts: (cursor?: string) => Promise<TestAnswer>
  readonly getPrompt: (name: string, args?: Readonly<Record<string, string>>) => Promise<TestAnswer>
  /** @param context  values already chosen: `{ arguments: { country: 'no' } }` */
  readonly complete: (
    ref: CompletionRequest['ref'],
    argument: CompletionRequest['argument'],
    context?: { readonly arguments: CompletionRequest['arguments'] },
  ) => Promise<TestAnswer>
}

const VERSION = '2026-07-28'
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'

/**
 * Makes a client for tests of a host.
 *
 * @param app  the application; `inject` makes it ready
 * @see docs/http.md, "Testing"
 */
export function createTestClient(
  app: Pick<FastifyInstance, 'inject'>,
  options: TestClientOptions = {},
): TestClient {
  let nextId = 1
  const send = (message: JsonObject, headers: Readonly<Record<string, string>>) =>
    inject(app, options, message, headers)
  const request = (
    method: string,
    params: JsonObject = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestAnswer> => {
    const id = nextId
    nextId += 1
    const meta = metaOf(options, params)
    const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }
    return send(message, { ...mirrorHeaders(method, params, meta), ...headers })
  }
  const page = (method: string) => (cursor?: string) =>
    request(method, cursor === undefined ? {} : { cursor })
  const mirroredOf = mirroredByTool(() => request('tools/list'))
  return {
    request: (method, params) => request(method, params),
    notify: (method, params = {}) => send({ jsonrpc: '2.0', method, params }, {}),
    discover: () => request('server/discover'),
    listTools: () => request('tools/list'),
    callTool: async (name, args = {}) => {
      const headers = paramHeaders(await mirroredOf(name), args)
      return request('tools/call', { name, arguments: args }, headers)
    },
    listResources: page('resources/list'),
    listResourceTemplates: page('resources/templates/list'),
    readResource: (uri) => request('resources/read', { uri }),
    listPrompts: page('prompts/list'),
    getPrompt: (name, args = {}) => request('prompts/get', { name, arguments: args }),
    complete: (ref, argument, context) =>
      request('completion/complete', { ref, argument, ...(context && { context }) }),
  }
}

async function inject(
  app: Pick<FastifyInstance, 'inject'>,
  { path = '/mcp', headers: own = {} }: TestClientOptions,
  message: JsonObject,
  headers: Readonly<Record<string, string>>,
): Promise<TestAnswer> {
  const response = await app.inject({
    method: 'POST',
    url: path,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
      ...own,
    },
    payload: JSON.stringify(message),
  })
  const { statusCode: status, headers: answered } = response
  const messages = readMessages(response.body, String(answered['content-type'] ?? ''))
  const isNotification = (message: JsonObject): boolean => Object.hasOwn(message, 'method')
  const notifications = messages.filter(isNotification) as unknown as TestNotification[]
  const answer = messages.find((message) => !isNotification(message))
  return { ...answer, notifications, status, headers: answered }
}

/** The messages of a body: one, none, or those of a stream. */
function readMessages(body: string, type: string): readonly JsonObject[] {
  const texts = type.startsWith('text/event-stream')
    ? body.split('\n').filter((line) => line.startsWith(DATA))
    : [body].filter((text) => text !== '')
  return texts
    .map((text) => parseJson(text.startsWith(DATA) ? text.slice(DATA.length) : text))
    .filter((message) => isJsonObject(message))
}

const DATA = 'data: '

function metaOf(
  { clientCapabilities = {}, meta = {} }: TestClientOptions,
  params: JsonObject,
): JsonObject {
  const given = params['_meta']
  return {
    [VERSION_KEY]: VERSION,
    'io.modelcontextprotocol/clientCapabilities': clientCapabilities,
    ...meta,
    ...(isJsonObject(given) ? given : {}),
  }
}

function mirrorHeaders(
  method: string,
  params: JsonObject,
  meta: JsonObject,
): Record<string, string> {
  const name = params['name'] ?? params['uri']
  return {
    'mcp-protocol-version': String(meta[VERSION_KEY]),
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': encodeSentinel(name) }),
  }
}

/** Learns from the first `tools/list` that is answered what each tool mirrors; others mirror nothing. */
function mirroredByTool(
  list: () => Promise<TestAnswer>,
): (name: string) => Promise<readonly MirroredParam[]> {
  let known: ReadonlyMap<unknown, readonly MirroredParam[]> | undefined
  return async (name) => {
    if (known === undefined) {
      const { result } = await list()
      if (result !== undefined) known = readMirrored(result['tools'])
    }
    return known?.get(name) ?? []
  }
}

function readMirrored(tools: unknown): ReadonlyMap<unknown, readonly MirroredParam[]> {
  const listed: readonly unknown[] = Array.isArray(tools) ? tools : []
  return new Map(
    listed.filter(isJsonObject).map(({ name, inputSchema }) => {
      const schema = isJsonObject(inputSchema) ? inputSchema : {}
      return [name, readMirroredParams(`tool '${String(name)}'`, schema)]
    }),
  )
}

function paramHeaders(
  mirrored: readonly MirroredParam[],
  args: JsonObject,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { path, field } of mirrored) {
    const value = mirroredValue(args, path)
    if (value !== undefined) headers[field] = encodeSentinel(String(value))
  }
  return headers
}
