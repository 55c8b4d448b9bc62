// SPDX-License-Identifier: Apache-2.0
import type { Catalog, Dispatch } from '../catalog/catalog.ts'
import type { CatalogAccess } from '../catalog/catalog-access.ts'
import type { StateSealer } from '../state/state-sealer.ts'
import type { CacheHints } from './cache-hints.ts'
import type { Instrument } from './instrument.ts'
import type { Listeners } from './listeners.ts'
import type { CallReport } from './observe.ts'

/** What start-up prepared and every call of a server shares. */
export interface Service {
  readonly catalog: Catalog
  readonly dispatch: Dispatch
  readonly access: CatalogAccess
  readonly pageSize: number
  readonly cache: CacheHints
  /** Whether resource reads may be cached for everyone, so that the caller is withheld from them. */
  readonly isReadPublic: boolean
  readonly serverName: string
  /** Told of each finished call of the host. */
  readonly onCall: ((report: CallReport) => void) | undefined
  /** Whether log messages may be sent to a client that asks for them. */
  readonly hasLogging: boolean
  /** Milliseconds that a callback of the host has to answer in; undefined: no limit. */
  readonly timeoutMs: number | undefined
  /** Everyone who listens for changes; undefined where nobody may. */
  readonly listeners: Listeners | undefined
  /** The ids of the extensions that the server declares. */
  readonly extensions: ReadonlySet<string>
  /** Wraps every request whose method is served. */
  readonly instrument: Instrument | undefined
  /** Seals the states that handlers want back. */
  readonly stateSealer: StateSealer | undefined
  /** The members of `server/discover` that are no cache hints. */
  readonly discovery: string
  /** The members of what `initialize` answers: to a caller that is remembered, and to any other. */
  readonly handshake: { readonly session: string; readonly stateless: string }
}
