// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from '../catalog/catalog.ts'
import type { TransportContext } from '../catalog/context.ts'
import type { Answer } from './exchange.ts'
import { idForLog, type JsonRpcId } from './json-rpc.ts'
import { asError, logSafely } from './logger.ts'
import type { CallKind } from './observe.ts'
import { isThenable } from './plain.ts'
import type { Call, Reply } from './revision.ts'
import type { TraceContext } from './trace-context.ts'

/** A request whose method is served, as an instrumentation is told of it: identity alone. */
export interface RequestStart {
  readonly method: string
  readonly requestId: JsonRpcId
  readonly protocolVersion: string
  readonly transport: TransportContext['transport']
  /** `serverInfo.name`. */
  readonly server: string
  readonly traceContext: TraceContext | undefined
}

/** What became of it. */
export interface RequestEnd {
  /** `error` for an error, and for a result that says that a tool failed. */
  readonly outcome: 'ok' | 'error'
  /** The JSON-RPC code of an error. */
  readonly errorCode: number | undefined
  /** What of the host's ran, by its listed name; undefined where nothing did. */
  readonly called: { readonly kind: CallKind; readonly name: string } | undefined
}

/**
 * Wraps every request whose method is served: the option `instrument`. It calls `serve` once and
 * waits for it; whatever it throws, and if it never calls, the request is served all the same.
 */
export type Instrument = (
  start: RequestStart,
  serve: () => Promise<RequestEnd>,
) => Awaitable<unknown>

/** What a request came to, beside its answer. */
export interface Outcome {
  readonly answer: Answer
  readonly end: RequestEnd
}

/** @param serve  never rejects */
export async function instrumented(
  call: Call,
  instrument: Instrument,
  serve: () => Awaitable<Outcome>,
): Promise<Answer> {
  let running: Promise<Outcome> | undefined
  const serveOnce = (): Promise<Outcome> => {
    running ??= Promise.resolve(serve())
    return running
  }
  try {
    const done = instrument(startOf(call), async () => (await serveOnce()).end)
    if (isThenable(done)) await done
  } catch (thrown) {
    const bindings = { err: asError(thrown), requestId: idForLog(call.context.requestId) }
    logSafely(call.log, 'error', bindings, 'instrument failed; the request is served all the same')
  }
  return (await serveOnce()).answer
}

/** What a reply says of its request. */
export function endOf(reply: Reply, { called }: Call): RequestEnd {
  return 'error' in reply
    ? { outcome: 'error', errorCode: reply.error.code, called }
    : { outcome: reply.isError === true ? 'error' : 'ok', errorCode: undefined, called }
}

function startOf({ context, service }: Call): RequestStart {
  const { method, requestId, protocolVersion, transport, traceContext } = context
  return { method, requestId, protocolVersion, transport, server: service.serverName, traceContext }
}
