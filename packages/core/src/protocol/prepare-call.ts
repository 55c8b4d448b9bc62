// SPDX-License-Identifier: Apache-2.0
import { isRetry, Retry } from '../input/retry.ts'
import { copyBoundParams } from '../state/bound-params.ts'
import type { StateBinding } from '../state/state-sealer.ts'
import type { Admission } from './admit.ts'
import { Cancellation, type Watch } from './cancellation.ts'
import type { Exchange, Reading } from './exchange.ts'
import { bindingOf } from './input-required.ts'
import type { Request } from './json-rpc.ts'
import { Notifier } from './notifier.ts'
import type { JsonObject } from './plain.ts'
import { RequestContext } from './request-context.ts'
import type { RequestMeta } from './request-meta.ts'
import type { Call, Method, Revision } from './revision.ts'
import type { Served } from './served-revisions.ts'
import type { Service } from './service.ts'

/** A call that its method can run, and what to do when it is answered. */
export interface PreparedCall {
  readonly call: Call
  /** Nothing more goes out for it, and nothing is looked out for. */
  readonly close: () => void
}

/** Puts together what a method, and the host behind it, know of one admitted request. */
export function prepareCall(
  { served, method, params, meta, client, mirror }: Admission,
  { id, method: name }: Request,
  { hasInexact }: Reading,
  exchange: Exchange,
  service: Service,
): PreparedCall {
  const { revision, cacheText } = served
  const facts = {
    principal: exchange.principal,
    requestId: id,
    method: name,
    protocolVersion: revision.version,
    clientInfo: client.clientInfo,
    clientCapabilities: client.clientCapabilities,
    meta,
  }
  const cancellation = exchange.cancellation ?? new Cancellation(disconnectOf(revision, exchange))
  const notifier = method.ownsStream === true ? undefined : notifierOf(client, exchange, service)
  const retry = retryOf(served, method, params, () => bindingOf(call), service)
  const ports = { cancellation, notifier, retry }
  const call: Call = {
    params,
    context: new RequestContext(facts, exchange.transportContext, ports),
    service,
    revision,
    cacheText,
    log: exchange.log,
    hasInexact,
    mirror,
    session: exchange.session,
    called: undefined,
    openNotifications: exchange.openNotifications,
    expiresAt: exchange.expiresAt,
    endpoint: exchange.endpoint,
    boundParams: boundParamsOf(method, params, service),
    retry,
  }
  const close = (): void => {
    notifier?.close()
    cancellation.end()
  }
  return { call, close }
}

/** In the older era a caller that hangs up still wants its work done. @see L-HTTP-10, CANC-01 */
function disconnectOf({ era }: Revision, { watchDisconnect }: Exchange): Watch | undefined {
  return era === 'modern' ? watchDisconnect : undefined
}

/** Only what may be sealed for is copied. @see MRTR-02 */
function boundParamsOf(method: Method, params: JsonObject, { stateSealer }: Service): JsonObject {
  return stateSealer !== undefined && method.mayAskClient === true
    ? copyBoundParams(params)
    : params
}

/** The older era has none: what such a request carries is not looked at. */
function retryOf(
  { revision }: Served,
  method: Method,
  params: JsonObject,
  binding: () => StateBinding,
  { stateSealer }: Service,
): Retry | undefined {
  return revision.era === 'modern' && method.mayAskClient === true && isRetry(params)
    ? new Retry(params, stateSealer, binding)
    : undefined
}

function notifierOf(
  { progressToken, logLevel }: RequestMeta,
  { openNotifications: open, log }: Exchange,
  { hasLogging }: Service,
): Notifier | undefined {
  const wanted = hasLogging ? logLevel : undefined
  if (open === undefined || (progressToken === undefined && wanted === undefined)) return undefined
  return new Notifier({ open, progressToken, logLevel: wanted, log })
}
