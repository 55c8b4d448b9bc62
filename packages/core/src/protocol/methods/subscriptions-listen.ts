// SPDX-License-Identifier: Apache-2.0
import type { ReadSubscriptionOptions } from '../../subscriptions/subscription-options.ts'
import { callAt } from '../call-at.ts'
import { encodeId, type JsonRpcId } from '../json-rpc.ts'
import type { ListenerRefusal, Listeners, Place } from '../listeners.ts'
import { SUBSCRIPTION_KEY } from '../request-meta.ts'
import type { Call, Method, Reply } from '../revision.ts'
import { internalError, invalidParams, invalidRequest, type WireError } from '../wire-errors.ts'
import { findTarget } from './resources-read.ts'
import { Delivery } from './subscription-delivery.ts'
import { readFilter, type SubscriptionFilter } from './subscription-filter.ts'

/**
 * `subscriptions/listen`: the acknowledgement first, then what was asked for and may be seen, and a
 * result when the server ends it.
 *
 * @see MCP 2026-07-28, Subscriptions: SUB-01 to SUB-16
 */
export const subscriptionsListen: Method = {
  ownsStream: true,
  run: async (call) => {
    const { listeners } = call.service
    if (listeners === undefined) return { error: internalError() }
    const reading = readFilter(call.params, listeners.options.maxUris)
    if (!reading.ok) return { error: invalidParams(reading.why) }
    const place = listeners.take(call.context.principal)
    if (typeof place === 'string') return { error: refusalOf(place, listeners.options) }
    try {
      const filter = await accept(call, reading.filter, listeners.options)
      return await listen(call, listeners, place, filter)
    } finally {
      place.leave()
    }
  },
}

/** The part of what was asked for that is served, and that the caller may see. @see SUB-04, SUB-15 */
async function accept(
  call: Call,
  { tools, prompts, resources, uris }: SubscriptionFilter,
  options: ReadSubscriptionOptions,
): Promise<SubscriptionFilter> {
  return {
    tools: tools && options.tools,
    prompts: prompts && options.prompts,
    resources: resources && options.resources,
    uris: options.resourceUpdates && uris.length > 0 ? await pickReadable(call, uris) : [],
  }
}

async function pickReadable(call: Call, uris: readonly string[]): Promise<readonly string[]> {
  const catalog = await call.service.access.current(call.context)
  const readable: string[] = []
  for (const uri of uris) {
    // Nobody waits for the rest any more.
    if (call.context.isAbandoned) break
    if ((await findTarget(call, catalog, uri)) !== undefined) readable.push(uri)
  }
  return readable
}

async function listen(
  call: Call,
  listeners: Listeners,
  place: Place,
  filter: SubscriptionFilter,
): Promise<Reply> {
  const { requestId, transport } = call.context
  const refusal = await listeners.ready()
  if (refusal !== undefined) return { error: refusalOf(refusal, listeners.options) }
  const sink = call.context.isAbandoned ? undefined : call.openNotifications?.(requestId)
  if (sink === undefined) return { error: transport === 'in-process' ? NO_CALLBACK : NO_STREAM }
  const metaText = `"${SUBSCRIPTION_KEY}":${encodeId(requestId)}`
  const tag = `"_meta":{${metaText}}`
  sink.send(
    `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":${encodeFilter(filter)},${tag}}}`,
  )
  const mayRead = async (uri: string): Promise<boolean> => {
    const catalog = await call.service.access.current(call.context)
    return (await findTarget(call, catalog, uri)) !== undefined
  }
  const delivery = new Delivery({ sink, filter, tag, mayRead, log: call.log })
  await untilEnd(call, place, delivery)
  return { members: '', metaText, epilogue: farewell(requestId, tag) }
}

/** Settles when the server ends it, when its caller is gone, or when its admission expires. */
function untilEnd({ context, expiresAt }: Call, place: Place, delivery: Delivery): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      stopTimer?.()
      delivery.close()
      place.leave()
      resolve()
    }
    const stopTimer = expiresAt === undefined ? undefined : callAt(expiresAt, end)
    place.join({ deliver: (event) => delivery.tell(event), end })
    // Last, since it may call back at once.
    context.onCancel(end)
  })
}

function encodeFilter({ tools, prompts, resources, uris }: SubscriptionFilter): string {
  return JSON.stringify({
    ...(tools && { toolsListChanged: true }),
    ...(prompts && { promptsListChanged: true }),
    ...(resources && { resourcesListChanged: true }),
    ...(uris.length > 0 && { resourceSubscriptions: uris }),
  })
}

/** On stdio nothing else shows that a subscription is over. @see SUB-13, A-11 */
function farewell(requestId: JsonRpcId, tag: string): string {
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${encodeId(requestId)},"reason":"the server ended the subscription",${tag}}}`
}

/** A subscription is a stream; a client that takes none can't have one. @see A-06 */
const NO_STREAM: WireError = invalidRequest(
  'Not acceptable: subscriptions/listen needs text/event-stream',
  406,
)

const NO_CALLBACK: WireError = invalidRequest('subscriptions/listen needs onNotification', 406)

function refusalOf(why: ListenerRefusal, options: ReadSubscriptionOptions): WireError {
  switch (why) {
    case 'all':
      return busy(`Too many listeners: the server holds at most ${options.maxListeners}`, 503)
    case 'principal':
      return busy(
        `Too many listeners: a caller holds at most ${options.maxListenersPerPrincipal}`,
        429,
      )
    case 'closed':
      return busy('The server is shutting down', 503)
    default:
      return internalError(503)
  }
}

function busy(message: string, status: number): WireError {
  return { ...internalError(status), message }
}
