// SPDX-License-Identifier: Apache-2.0
import { parseJson } from '../json/parse-json.ts'
import { readValue } from '../json/read-value.ts'
import type { JsonReading } from '../json/reading.ts'
import { createService, servedMethods } from './create-service.ts'
import { createEngine, type Engine } from './engine.ts'
import type { Answer, Exchange } from './exchange.ts'
import { type HandleContext, inProcess, withSubscription } from './in-process.ts'
import { encodeError, type JsonRpcId } from './json-rpc.ts'
import type { JsonObject } from './plain.ts'
import { readingError } from './reading-error.ts'
import type { Method, Revision } from './revision.ts'
import { REVISION_2025_11_25 } from './revisions/2025-11-25.ts'
import { REVISION_2026_07_28 } from './revisions/2026-07-28.ts'
import {
  type ProtocolVersion,
  type ReadServerOptions,
  readServerOptions,
  type ServerDefaults,
  type ServerOptions,
} from './server-options.ts'
import type { Service } from './service.ts'

/** An error inside an answer. */
export interface JsonRpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** One answer as an object. A result and an error exclude each other. */
export interface JsonRpcResponse {
  readonly jsonrpc: '2.0'
  /** Left out where the request's id could not be read. */
  readonly id?: JsonRpcId
  readonly result?: JsonObject
  readonly error?: JsonRpcError
}

/** A protocol server without a transport. */
export interface McpServer<Principal = unknown> {
  /**
   * Serves one decoded message.
   *
   * @param message  a JSON value; it is copied before anything reads it
   * @returns the answer, or undefined for a notification. Host faults are answers (`-32603`)
   * @throws what `ready` throws, on the first message alone
   */
  readonly handle: (
    message: unknown,
    context?: HandleContext<Principal>,
  ) => Promise<JsonRpcResponse | undefined>
  /**
   * Asks the catalog once, without a principal, and compiles all of it.
   *
   * @throws BEAM_ERR_CATALOG_INVALID, BEAM_ERR_CATALOG_ENTRY or BEAM_ERR_SCHEMA_UNSUPPORTED, naming
   * the entry and the fix
   */
  readonly ready: () => Promise<void>
  /** Ends what would never end by itself: subscriptions, each with its result. */
  readonly close: () => void
}

/** A server as the transports of this package see it. */
export interface TransportServer extends McpServer {
  readonly engine: Engine
  readonly options: ReadServerOptions
  /** `handle` with what a transport adds. */
  readonly serveValue: (
    message: unknown,
    exchange: Exchange,
  ) => Promise<JsonRpcResponse | undefined>
}

/**
 * Makes a protocol server: one message in, one answer or none out. It keeps nothing between two
 * requests but the compiled form of the catalog.
 *
 * @throws BEAM_ERR_OPT_INVALID for an option that is missing, unknown or of the wrong shape
 * @see docs/architecture.md
 */
export function createServer<Principal = unknown>(
  options: ServerOptions<Principal>,
): McpServer<Principal> {
  const { handle, ready, close } = createTransportServer(options)
  return { handle, ready, close }
}

/** What a transport adds to a server. */
export interface TransportParts {
  readonly defaults?: ServerDefaults
  /** Methods of the transport's own, in every revision: `shutdown` of a process. */
  readonly methods?: ReadonlyMap<string, Method>
}

const REVISIONS: Readonly<Record<ProtocolVersion, Revision>> = {
  '2026-07-28': REVISION_2026_07_28,
  '2025-11-25': REVISION_2025_11_25,
}

/** @throws BEAM_ERR_OPT_INVALID */
export function createTransportServer(
  given: unknown,
  { defaults, methods = new Map() }: TransportParts = {},
): TransportServer {
  const options = readServerOptions(given, defaults)
  const revisions = options.revisions.map((version) => {
    const revision = REVISIONS[version]
    return { ...revision, methods: new Map([...servedMethods(revision, options), ...methods]) }
  })
  const service = createService(options, revisions)
  const engine = createEngine(service, revisions, options.serverInfo)
  const ready = readyOnce(service)
  const serveValue: TransportServer['serveValue'] = async (message, exchange) => {
    await ready()
    const reading = readValue(message)
    if (!reading.ok) return decode({ status: 400, body: refuseReading(reading.refusal) }, undefined)
    return decode(await engine.serve(reading, exchange), reading.value)
  }
  return {
    engine,
    options,
    ready,
    close: () => service.listeners?.close(),
    serveValue,
    handle: (message, context) => serveValue(message, inProcess(context, options.logger)),
  }
}

/** A check that succeeded is not repeated; one that failed is, since a database may have come up. */
function readyOnce({ access }: Service): () => Promise<void> {
  let pending: Promise<void> | undefined
  return () => {
    pending ??= access.check().catch((thrown: unknown) => {
      pending = undefined
      throw thrown
    })
    return pending
  }
}

function refuseReading(refusal: Extract<JsonReading, { ok: false }>['refusal']): string {
  return encodeError(undefined, readingError(refusal))
}

/** The answer as an object; an id that JSON numbers can't carry is put back as it was sent. */
function decode({ body }: Answer, message: unknown): JsonRpcResponse | undefined {
  if (body === undefined) return undefined
  const response = parseJson(body) as JsonRpcResponse
  const id: unknown = (message as { id?: unknown } | null)?.id
  if (typeof id !== 'bigint' || response.id === undefined) return response
  const { result } = response
  return { ...response, id, ...(result !== undefined && { result: withSubscription(result, id) }) }
}
