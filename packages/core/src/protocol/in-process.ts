// SPDX-License-Identifier: Apache-2.0
import { parseJson } from '../json/parse-json.ts'
import { Cancellation } from './cancellation.ts'
import type { Exchange } from './exchange.ts'
import type { JsonRpcId } from './json-rpc.ts'
import { asError, type Logger, logSafely } from './logger.ts'
import { isJsonObject, type JsonObject } from './plain.ts'
import { SUBSCRIPTION_KEY } from './request-meta.ts'
import { runUnawaited } from './settle.ts'

/** What an in-process caller says of itself. */
export interface HandleContext<Principal = unknown> {
  readonly principal?: Principal
  /** Aborted when the caller no longer waits: `context.signal` of the host's callbacks. */
  readonly signal?: AbortSignal
  /** Told of the progress and log messages that the request asked for, and of a subscription's. */
  readonly onNotification?: (notification: JsonObject) => void
}

/** What an in-process caller says of itself, as the engine takes it. */
export function inProcess(context: HandleContext | undefined, log: Logger): Exchange {
  return {
    transportContext: { transport: 'in-process' },
    principal: context?.principal,
    log,
    cancellation: cancellationOf(context?.signal),
    openNotifications: openCallback(context, log),
  }
}

/** A caller that no longer waits is told nothing more. @see CANC-04 */
function openCallback(
  { onNotification, signal }: HandleContext = {},
  log: Logger,
): Exchange['openNotifications'] {
  if (onNotification === undefined) return undefined
  const complain = (thrown: unknown): void =>
    logSafely(log, 'error', { err: asError(thrown) }, 'onNotification failed')
  return (token) => ({
    send: (message) => {
      if (signal?.aborted === true) return true
      runUnawaited(() => onNotification(decodeNotification(message, token)), complain)
      return true
    },
    drained: () => Promise.resolve(),
  })
}

/** A token that JSON numbers can't carry is put back as it was sent. */
function decodeNotification(message: string, token: JsonRpcId | undefined): JsonObject {
  const notification = parseJson(message) as JsonObject
  const { params } = notification
  if (typeof token !== 'bigint' || !isJsonObject(params)) return notification
  return Object.hasOwn(params, 'progressToken')
    ? { ...notification, params: { ...params, progressToken: token } }
    : { ...notification, params: withSubscription(params, token) }
}

/** Puts the id of a subscription back into the `_meta` of its message, as it was sent. */
export function withSubscription(holder: JsonObject, id: JsonRpcId): JsonObject {
  const { _meta } = holder
  return isJsonObject(_meta) && Object.hasOwn(_meta, SUBSCRIPTION_KEY)
    ? { ...holder, _meta: { ..._meta, [SUBSCRIPTION_KEY]: id } }
    : holder
}

/** A caller's signal as the engine knows it; looked at when a handler first asks. */
function cancellationOf(signal: AbortSignal | undefined): Cancellation | undefined {
  if (signal === undefined) return undefined
  return new Cancellation((cancel) => {
    const abort = (): void => cancel(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
    return () => signal.removeEventListener('abort', abort)
  })
}
