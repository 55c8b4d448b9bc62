// SPDX-License-Identifier: Apache-2.0
import { tracingChannel } from 'node:diagnostics_channel'
import type { Awaitable } from '../catalog/catalog.ts'
import type { TransportContext } from '../catalog/context.ts'
import type { JsonRpcId } from './json-rpc.ts'
import { asError, logSafely } from './logger.ts'
import type { Call, Reply } from './revision.ts'
import { runUnawaited } from './settle.ts'
import type { TraceContext } from './trace-context.ts'

/** How a call of the host ended: anything but a success is `error`. */
export type CallOutcome = 'ok' | 'error'

/** What runs of the host's: a tool, a resource's reader, a prompt's renderer. */
export type CallKind = 'tool' | 'resource' | 'prompt'

/**
 * What is published on `beam_mcp.dispatch`, `beam_mcp.read` and `beam_mcp.prompt`: identity alone.
 * Never an argument, a result, a requested uri, a header, an error or a reason. The same object is
 * published at the start and, with the last two members set, at the end.
 */
export interface CallEvent {
  /** `serverInfo.name`. */
  readonly server: string
  readonly requestId: JsonRpcId
  /** The tool's name, on `beam_mcp.dispatch`. */
  readonly tool?: string
  /** The listed uri or the listed template that matched, on `beam_mcp.read`. */
  readonly resource?: string
  /** The prompt's name, on `beam_mcp.prompt`. */
  readonly prompt?: string
  /** The trace that the request belongs to, as its client says. */
  readonly traceContext?: TraceContext
  /** Milliseconds from start to end. */
  durationMs?: number
  outcome?: CallOutcome
}

/** One finished call, as the option `onCall` is told of it. */
export interface CallReport<Principal = unknown> {
  readonly kind: CallKind
  /** The tool's or prompt's name, the listed uri or the listed template that matched. */
  readonly name: string
  readonly principal: Principal
  readonly outcome: CallOutcome
  readonly durationMs: number
  readonly requestId: JsonRpcId
  readonly transport: TransportContext['transport']
}

/** The channels' names, for `diagnostics_channel.tracingChannel`. */
export const CHANNEL_NAMES = {
  tool: 'beam_mcp.dispatch',
  resource: 'beam_mcp.read',
  prompt: 'beam_mcp.prompt',
} as const

const CHANNELS = {
  tool: tracingChannel<unknown, CallEvent>(CHANNEL_NAMES.tool),
  resource: tracingChannel<unknown, CallEvent>(CHANNEL_NAMES.resource),
  prompt: tracingChannel<unknown, CallEvent>(CHANNEL_NAMES.prompt),
}

/** Takes a reply as the end of its call: tells who listens, and answers it as it is. Never throws. */
export type Finish = (reply: Reply) => Reply

/**
 * Runs a call of the host and tells who listens. Nobody listening costs a branch.
 *
 * `start` is published with `runStores`, so that a subscriber can bind an `AsyncLocalStorage` to
 * what the call does. A subscriber that throws does not touch the call: Node reports it as an
 * uncaught exception.
 *
 * @param run  never rejects, and gives its one reply to `finish` where it comes about: to wait for it
 * here would cost a promise of each call
 */
export function observe(
  call: Call,
  kind: CallKind,
  name: string,
  run: (finish: Finish) => Awaitable<Reply>,
): Awaitable<Reply> {
  const { start, end } = CHANNELS[kind]
  const isHeard = start.hasSubscribers || end.hasSubscribers
  return isHeard || call.service.onCall !== undefined ? publish(call, kind, name, run) : run(asItIs)
}

/** The end of a call that nobody listens to. */
export const asItIs: Finish = (reply) => reply

function publish(
  call: Call,
  kind: CallKind,
  name: string,
  run: (finish: Finish) => Awaitable<Reply>,
): Awaitable<Reply> {
  const { start, end } = CHANNELS[kind]
  const event = eventOf(call, kind, name)
  const startedAt = performance.now()
  const finish: Finish = (reply) => {
    const durationMs = performance.now() - startedAt
    const outcome = 'error' in reply || reply.isError === true ? 'error' : 'ok'
    endEvent(event, durationMs, outcome)
    end.publish(event)
    if (call.service.onCall !== undefined) report(call, kind, name, outcome, durationMs)
    return reply
  }
  return start.runStores(event, run, undefined, finish)
}

/** What a subscriber froze ends as it began: that is between those who listen. */
function endEvent(event: CallEvent, durationMs: number, outcome: CallOutcome): void {
  try {
    event.durationMs = durationMs
    event.outcome = outcome
  } catch {}
}

function eventOf({ context, service }: Call, kind: CallKind, name: string): CallEvent {
  const { requestId, traceContext } = context
  const event = identityOf(service.serverName, requestId, kind, name)
  return traceContext === undefined ? event : { ...event, traceContext }
}

/** Literals, one for each kind: a computed member would give each event's shape anew. */
function identityOf(server: string, requestId: JsonRpcId, kind: CallKind, name: string): CallEvent {
  switch (kind) {
    case 'tool':
      return { server, requestId, tool: name }
    case 'resource':
      return { server, requestId, resource: name }
    case 'prompt':
      return { server, requestId, prompt: name }
    default:
      return kind satisfies never
  }
}

function report(
  { context, service, log }: Call,
  kind: CallKind,
  name: string,
  outcome: CallOutcome,
  durationMs: number,
): void {
  const { principal, requestId, transport } = context
  const complain = (thrown: unknown): void =>
    logSafely(
      log,
      'error',
      { err: asError(thrown) },
      'onCall failed; the call is answered all the same',
    )
  const told = { kind, name, principal, outcome, durationMs, requestId, transport }
  runUnawaited(() => service.onCall?.(told), complain)
}
