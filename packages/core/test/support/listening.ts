// SPDX-License-Identifier: Apache-2.0
import type { Agent } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type Catalog,
  createCatalog,
  defineResource,
  defineResourceTemplate,
  type SubscriptionOptions,
} from '@beam-mcp/core'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { expect } from 'vitest'
import { SERVER_META } from './answers.ts'
import {
  collectLog,
  createApp,
  ECHO,
  type EndpointOptions,
  type LogLines,
  ownLines,
} from './app.ts'
import { type OpenCall, sendCall } from './event-streams.ts'
import { headersFor, request } from './messages.ts'

const KEY = 'io.modelcontextprotocol/subscriptionId'

/** Asks to listen. */
export function listenFor(notifications: unknown, id: unknown = 1): Record<string, unknown> {
  return request('subscriptions/listen', { notifications }, id)
}

/** One message of a subscription. */
function tagged(method: string, id: unknown, params: object = {}): Record<string, unknown> {
  const _meta = { [KEY]: id }
  return { jsonrpc: '2.0', method: `notifications/${method}`, params: { ...params, _meta } }
}

export const acknowledged = (notifications: object, id: unknown = 1) =>
  tagged('subscriptions/acknowledged', id, { notifications })
export const toolsChanged = (id: unknown = 1) => tagged('tools/list_changed', id)
export const promptsChanged = (id: unknown = 1) => tagged('prompts/list_changed', id)
export const resourcesChanged = (id: unknown = 1) => tagged('resources/list_changed', id)
export const updated = (uri: string, id: unknown = 1) => tagged('resources/updated', id, { uri })

/** The result that ends a subscription. */
export function ended(id: unknown = 1, serverMeta: object = SERVER_META): Record<string, unknown> {
  return {
    jsonrpc: '2.0',
    id,
    result: { resultType: 'complete', _meta: { [KEY]: id, ...serverMeta } },
  }
}

/** Everything that can be listened for; the list alone. */
export const ALL_LISTS = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
}

/** Two cities that are listed, and rivers by a template. */
export const ATLAS = createCatalog({
  tools: [ECHO],
  resources: ['a', 'b'].map((name) =>
    defineResource({ uri: `atlas://city/${name}`, name, read: () => name }),
  ),
  resourceTemplates: [
    defineResourceTemplate({
      uriTemplate: 'atlas://river/{name}',
      name: 'river',
      read: (uri) => uri,
    }),
  ],
})

/** The atlas, of which a rule decides what is seen. */
export function atlasFor(allows: NonNullable<Catalog['allows']>): typeof ATLAS {
  return { ...ATLAS, catalog: { ...ATLAS.catalog, allows } }
}

/** An application that tells of changes, and what it logs. */
export interface Changing {
  readonly app: FastifyInstance
  readonly log: LogLines
  /** The messages of what this package logged above level info. */
  readonly complaints: () => readonly unknown[]
}

export async function serveChanges(
  options: Omit<Partial<EndpointOptions>, 'subscriptions'> & {
    readonly subscriptions?: boolean | SubscriptionOptions
  } = {},
  fastify: FastifyServerOptions = {},
): Promise<Changing> {
  const log = collectLog('info')
  const all = { ...ATLAS, subscriptions: true, ...options } as EndpointOptions
  const app = await createApp(all, { logger: log.logger, ...fastify })
  const complaints = (): readonly unknown[] =>
    ownLines(log)
      .filter(({ level }) => Number(level) > 30)
      .map(({ msg }) => msg)
  return { app, log, complaints }
}

/** How a listener is opened. */
export interface ListenerOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Keeps the connection afterwards. @default one that does not */
  readonly agent?: Agent | false
}

/** Opens a subscription on a connection of its own; it has been acknowledged. */
export async function openListener(
  port: number,
  notifications: object,
  id: unknown = 1,
  { headers = {}, agent = false }: ListenerOptions = {},
): Promise<OpenCall & { readonly filter: unknown }> {
  const message = listenFor(notifications, id)
  const stream = await sendCall(port, message, headers, headersFor(message), agent).answer
  expect(stream.status).toBe(200)
  expect(stream.headers['content-type']).toBe('text/event-stream')
  const first = await stream.next()
  const filter = first?.params?.['notifications']
  expect(first).toEqual(acknowledged(filter as object, id))
  return { ...stream, filter }
}

/** Listens on a free port; the test itself closes the application, with whatever is connected. */
export async function listenAlone(app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}
