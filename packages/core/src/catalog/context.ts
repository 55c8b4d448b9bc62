// SPDX-License-Identifier: Apache-2.0
import type { InputRequest, InputResponseOf } from '../input/requests.ts'
import type { JsonRpcId } from '../protocol/json-rpc.ts'
import type { LogLevel } from '../protocol/log-levels.ts'
import type { JsonObject } from '../protocol/plain.ts'
import type { TraceContext } from '../protocol/trace-context.ts'

/**
 * What a transport adds to a context. Declaration merging fills it in: importing the Fastify
 * plugin adds `request`, so that this file needs no Fastify.
 */
export interface TransportContext {
  /** The transport the message came by; `in-process` for `handle`. */
  readonly transport: 'http' | 'stdio' | 'in-process'
}

/**
 * What `capabilities` is told of the caller: nothing at start-up, and the transport alone where a
 * list is public, since a public list may not depend on who asks.
 */
export interface CatalogContext<Principal = unknown> extends Partial<TransportContext> {
  /** The identity that `authorize` answered with. */
  readonly principal: Principal | undefined
}

/**
 * What `readResource` is told of the call. Where the cache scope of `resources` is public it is told
 * nothing of the caller: `principal` is then undefined, whatever its type says.
 */
export interface ReadContext<Principal = unknown> extends CallContext<Principal> {
  /** The listed uri, or the listed template that admits the uri: what a reader may route by. */
  readonly matched: string
}

/** What every other callback of the host is told of the call. */
export interface CallContext<Principal = unknown> extends TransportContext {
  /** The identity that `authorize` answered with, or that an in-process caller gave. */
  readonly principal: Principal
  /** The JSON-RPC id of the request, digits and type kept. */
  readonly requestId: JsonRpcId
  /** The method, for example `tools/call`. */
  readonly method: string
  /** The revision the request is served by. */
  readonly protocolVersion: string
  /** What the client says of itself; self-reported, for display and logs alone (META-03). */
  readonly clientInfo: JsonObject | undefined
  /** What the client declared for this request (`clientCapabilities`). */
  readonly clientCapabilities: JsonObject
  /** The extensions that the client declared for this request, with their settings. @see EXT-02 */
  readonly clientExtensions: JsonObject
  /** The request's whole `params._meta`, unknown keys included. */
  readonly meta: JsonObject
  /** `traceparent` and what goes with it in `_meta`, where they are well formed. @see TRACE-02 */
  readonly traceContext: TraceContext | undefined
  /**
   * Aborted when nobody waits for the answer any more. What is answered after that is dropped.
   *
   * @see MCP 2026-07-28, Cancellation: CANC-01 to CANC-04
   */
  readonly signal: AbortSignal
  /**
   * The client's answer to what it was asked for under a key; undefined where there is none, so that
   * the handler asks with {@link inputRequired}. An answer that does not fit ends the request with
   * `-32602`. Only tools, readers and renderers are ever answered.
   *
   * @param request  what it is an answer to, as the handler asks for it
   * @see MCP 2026-07-28, Multi Round-Trip Requests: MRTR-12 to MRTR-15
   */
  input<Request extends InputRequest>(
    key: string,
    request: Request,
  ): InputResponseOf<Request> | undefined
  /**
   * The state that the handler asked to have back; undefined on a first call and without the option
   * `stateSealer`. It may have been used before, by the same caller and for the same request.
   */
  readonly state: unknown
  /**
   * Tells the client how far the work has come, if the request asked for it; otherwise, and for a
   * value that does not increase, nothing happens.
   *
   * @param progress  finite, greater each time
   * @param total  finite, where the whole is known
   * @returns settles when the client can take more; it never rejects
   * @see MCP 2026-07-28, Progress: PROG-01 to PROG-05
   */
  readonly progress: (progress: number, total?: number, message?: string) => Promise<void>
  /**
   * Sends the client a log message, if the host enabled `logging` and the request asked for this level
   * or a lower one; otherwise nothing happens.
   *
   * @param data  any JSON value; nothing secret (LOG-07)
   * @returns settles when the client can take more; it never rejects
   * @see MCP 2026-07-28, Logging: LOG-01 to LOG-07
   */
  readonly log: (level: LogLevel, data: unknown) => Promise<void>
}
