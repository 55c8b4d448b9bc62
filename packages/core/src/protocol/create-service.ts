// SPDX-License-Identifier: Apache-2.0
import { createCatalogAccess } from '../catalog/catalog-access.ts'
import { encodeCapabilities, type Features } from './capabilities.ts'
import { Listeners } from './listeners.ts'
import { encodeDiscovery } from './methods/discover.ts'
import { encodeHandshake } from './methods/handshake.ts'
import type { Method, Revision } from './revision.ts'
import type { ReadServerOptions } from './server-options.ts'
import type { Service } from './service.ts'

/** Prepares what every call of a server shares. */
export function createService(options: ReadServerOptions, revisions: readonly Revision[]): Service {
  const { cache, catalog, bodyLimit, logger } = options
  const isPublic = [cache.tools, cache.resources, cache.prompts].some(
    ({ cacheScope }) => cacheScope === 'public',
  )
  const handshake = (logging: boolean): string =>
    encodeHandshake(
      '2025-11-25',
      encodeCapabilities(legacyFeatures(options, logging)),
      options.serverInfo,
      options.instructions,
    )
  return {
    catalog,
    dispatch: options.dispatch,
    access: createCatalogAccess(catalog, { isPublic, maxValueBytes: bodyLimit, log: logger }),
    pageSize: options.pageSize,
    cache,
    isReadPublic: cache.resources.cacheScope === 'public',
    serverName: String(options.serverInfo['name']),
    onCall: options.onCall,
    hasLogging: options.logging,
    timeoutMs: options.timeoutMs,
    listeners: options.subscriptions && new Listeners(options.subscriptions, logger),
    extensions: new Set(Object.keys(options.extensions)),
    instrument: options.instrument,
    stateSealer: options.stateSealer,
    discovery: encodeDiscovery(
      revisions.map(({ version }) => version),
      encodeCapabilities(featuresOf(options)),
      options.instructions,
    ),
    handshake: { session: handshake(options.logging), stateless: handshake(false) },
  }
}

function featuresOf({ catalog, logging, subscriptions, extensions }: ReadServerOptions): Features {
  return { completions: catalog.complete !== undefined, logging, subscriptions, extensions }
}

/** What a client of the older era is promised: nobody tells it of changes. */
function legacyFeatures(options: ReadServerOptions, logging: boolean): Features {
  return { ...featuresOf(options), logging, subscriptions: undefined, extensions: {} }
}

/** Methods of features that are not offered do not exist. @see ERR-10 */
export function servedMethods(
  { methods }: Revision,
  options: ReadServerOptions,
): ReadonlyMap<string, Method> {
  const { completions, logging, subscriptions } = featuresOf(options)
  const absent = new Set([
    ...(completions ? [] : ['completion/complete']),
    ...(logging ? [] : ['logging/setLevel']),
    ...(subscriptions === undefined ? ['subscriptions/listen'] : []),
  ])
  return new Map([...methods].filter(([name]) => !absent.has(name)))
}
