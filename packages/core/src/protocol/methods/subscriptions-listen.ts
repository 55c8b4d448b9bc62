// SPDX-License-Identifier: Apache-2.0
import type { ChangeEvent } from '../../subscriptions/event-bus.ts'
import type { ReadSubscriptionOptions } from '../../subscriptions/subscription-options.ts'
import type { NotificationSink } from '../exchange.ts'
import { encodeId, type JsonRpcId } from '../json-rpc.ts'
import type { ListenerRefusal, Listeners, Place } from '../listeners.ts'
import { asError, logSafely } from '../logger.ts'
import type { Call, Method, Reply } from '../revision.ts'
import { internalError, invalidParams, invalidRequest, type WireError } from '../wire-errors.ts'
import { findTarget } from './resources-read.ts'
import { readFilter, type SubscriptionFilter } from './subscription-filter.ts'

/** The subscription that a message belongs to, in its `_meta`. @see META-06 */
const SUBSCRIPTION_KEY = 'io.modelcontextprotocol/subscriptionId'

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
      return await listen(
        call,
        listeners,
        place,
        await accept(call, reading.filter, listeners.options),
      )
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
  const readable: string[] = []
  for (const uri of options.resourceUpdates ? uris : []) {
    if (await mayRead(call, uri)) readable.push(uri)
  }
  return {
    tools: tools && options.tools,
    prompts: prompts && options.prompts,
    resources: resources && options.resources,
    uris: readable,
  }
}

async function mayRead(call: Call, uri: string): Promise<boolean> {
  const catalog = await call.service.access.current(call.context)
  return (await findTarget(call, catalog, uri)) !== undefined
}

async function listen(
  call: Call,
  listeners: Listeners,
  place: Place,
  filter: SubscriptionFilter,
): Promise<Reply> {
  const { requestId, signal } = call.context
  if (!(await listeners.ready())) return { error: refusalOf('bus', listeners.options) }
  const sink = signal.aborted ? undefined : call.openNotifications?.()
  if (sink === undefined) return { error: NO_STREAM }
  const tag = `"_meta":{"${SUBSCRIPTION_KEY}":${encodeId(requestId)}}`
  sink.send(
    `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":${encodeFilter(filter)},${tag}}}`,
  )
  await untilEnd(call, place, filter, createDelivery(sink, tag))
  return {
    members: '',
    metaText: `"${SUBSCRIPTION_KEY}":${encodeId(requestId)}`,
    ...(call.context.transport === 'stdio' && { epilogue: farewell(requestId, tag) }),
  }
}

/** Settles when the server ends it, when its caller is gone, or when its admission expires. */
function untilEnd(
  call: Call,
  place: Place,
  filter: SubscriptionFilter,
  delivery: Delivery,
): Promise<void> {
  const { signal } = call.context
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      delivery.close()
      signal.removeEventListener('abort', end)
      place.leave()
      resolve()
    }
    const timer = expiryTimer(call.expiresAt, end)
    signal.addEventListener('abort', end, { once: true })
    place.join({ deliver: (event) => tell(call, filter, event, delivery), end })
    if (signal.aborted) end()
  })
}

/** The longest timer Node holds: an admission that lasts longer is looked at again then. */
const LONGEST_MS = 2_147_483_647

function expiryTimer(expiresAt: number | undefined, end: () => void): NodeJS.Timeout | undefined {
  if (expiresAt === undefined) return undefined
  const left = expiresAt - Date.now()
  if (left > LONGEST_MS) return undefined
  return setTimeout(end, Math.max(0, left))
}

const LISTS = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
} as const

function tell(
  call: Call,
  filter: SubscriptionFilter,
  event: ChangeEvent,
  { send }: Delivery,
): void {
  if (event.kind !== 'resource') {
    if (filter[event.kind]) send(event.kind, LISTS[event.kind], '')
    return
  }
  const { uri } = event
  if (!filter.uris.includes(uri)) return
  const params = `"uri":${JSON.stringify(uri)},`
  mayRead(call, uri)
    .then((isReadable) => {
      if (isReadable) send(`resource ${uri}`, 'notifications/resources/updated', params)
    })
    .catch((thrown: unknown) =>
      logSafely(call.log, 'error', { err: asError(thrown) }, 'A listener could not be told'),
    )
}

/** The way to one listener. */
interface Delivery {
  /** @param key  tells changes apart: of each one waits at most */
  readonly send: (key: string, method: string, params: string) => void
  /** Nothing is sent after the end. */
  readonly close: () => void
}

/**
 * Sends at once, or, to a client that reads slowly, once it has caught up: each change one time,
 * however often it came.
 */
function createDelivery(sink: NotificationSink, tag: string): Delivery {
  const waiting = new Map<string, string>()
  let isBehind = false
  let isClosed = false
  const push = (message: string): void => {
    if (isClosed || sink.send(message)) return
    isBehind = true
    void sink.drained().then(() => {
      isBehind = false
      const messages = [...waiting.values()]
      waiting.clear()
      for (const one of messages) push(one)
    })
  }
  return {
    send: (key, method, params) => {
      const message = `{"jsonrpc":"2.0","method":"${method}","params":{${params}${tag}}}`
      if (isBehind) waiting.set(key, message)
      else push(message)
    },
    close: () => {
      isClosed = true
    },
  }
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
