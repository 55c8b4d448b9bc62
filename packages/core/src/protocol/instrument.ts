// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from '../catalog/catalog.ts'
import type { TransportContext } from '../catalog/context.ts'
import type { Answer } from './exchange.ts'
import { idForLog, type JsonRpcId } from './json-rpc.ts'
import { asError, logSafely } from './logger.ts'
import type { CallKind } from './observe.ts'
import type { Call, Reply } from './revision.ts'
import { runUnawaited } from './settle.ts'
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
  /** What of the host's it was about, by its listed name; undefined where nothing listed was. */
  readonly called: { readonly kind: CallKind; readonly name: string } | undefined
}

/**
 * Wraps every request whose method is served: the option `instrument`. It calls `serve` before it
 * first waits, so that the request runs inside what it set up; called later or again, `serve` answers
 * for the same run. Nobody waits for the instrument: the answer goes out when the request is served,
 * and what it does at once when `serve` settles comes before that. What it throws is logged, and the
 * request is served all the same.
 *
 * @param serve  never rejects
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

/**
 * An instrument can neither hold a request back nor hang it: where it has not begun by the time that
 * it answers, the request is served without it.
 *
 * @param serve  never rejects
 */
export async function instrumented(
  call: Call,
  instrument: Instrument,
  serve: () => Promise<Outcome>,
): Promise<Answer> {
  let running: Promise<Outcome> | undefined
  const serveOnce = (): Promise<Outcome> => {
    running ??= serve()
    return running
  }
  const complain = (thrown: unknown): void => {
    const bindings = { err: asError(thrown), requestId: idForLog(call.context.requestId) }
    logSafely(call.log, 'error', bindings, 'instrument failed; the request is served all the same')
  }
  // One step and no more, so that what follows it in the instrument comes before the answer.
  const serveForEnd = (): Promise<RequestEnd> => serveOnce().then(({ end }) => end)
  runUnawaited(() => instrument(startOf(call), serveForEnd), complain)
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
