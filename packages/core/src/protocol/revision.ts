// SPDX-License-Identifier: Apache-2.0
import type { Awaitable, Catalog, Dispatch } from '../catalog/catalog.ts'
import type { CatalogAccess } from '../catalog/catalog-access.ts'
import type { CallContext } from '../catalog/context.ts'
import type { MirroredParam } from '../catalog/mirrored-params.ts'
import type { Logger } from './logger.ts'
import type { CallReport } from './observe.ts'
import type { JsonObject } from './plain.ts'
import type { RequestMeta } from './request-meta.ts'
import type { WireError } from './wire-errors.ts'

/**
 * One protocol revision as a value: adding the next one is adding one file that fills this record.
 */
export interface Revision {
  /** The date that names it. */
  readonly version: string
  /** The methods it has; everything else is unknown. */
  readonly methods: ReadonlyMap<string, Method>
  /** Reads what the envelope of a request carries beside the version (its own duties in `_meta`). */
  readonly readMeta: (meta: JsonObject, isIntegerLexeme: () => boolean) => RequestMeta | WireError
  /** `resultType` of a result that is whole, or undefined where the revision has none. */
  readonly resultType: 'complete' | undefined
  /** Whether every result's `_meta` names the server. */
  readonly namesServer: boolean
  /** Whether cacheable results carry `ttlMs` and `cacheScope`. */
  readonly hasCacheFields: boolean
}

/** One method of a revision. */
export interface Method {
  /** The member of `params` that the `Mcp-Name` header repeats. @see HDR-03 */
  readonly mirrors?: 'name' | 'uri'
  readonly run: (call: Call) => Awaitable<Reply>
}

/** A method's outcome: the members of a result object as JSON text, or an error. */
export type Reply = Result | { readonly error: WireError }

/** A result before the revision's own members are added. */
export interface Result {
  /** JSON text without the braces, never empty: `"tools":[],"ttlMs":0,"cacheScope":"private"`. */
  readonly members: string
  /** Whether it says that a tool failed. */
  readonly isError?: boolean
  /** Members that the host put into the result's `_meta`. */
  readonly meta?: JsonObject | undefined
}

/** What start-up prepared and every call of a server shares. */
export interface Service {
  readonly catalog: Catalog
  readonly dispatch: Dispatch
  readonly access: CatalogAccess
  readonly pageSize: number
  readonly cache: Readonly<Record<CacheKey, CacheHint>>
  /** Whether resource reads may be cached for everyone, so that the caller is withheld from them. */
  readonly isReadPublic: boolean
  readonly serverName: string
  /** Told of each finished call of the host. */
  readonly onCall: ((report: CallReport) => void) | undefined
  /** The members of `server/discover` that are no cache hints. */
  readonly discovery: string
}

/** The results that carry cache hints. */
export type CacheKey = 'tools' | 'resources' | 'prompts' | 'discover'

/** How long a client may keep a result, and for whom. @see MCP 2026-07-28, Caching: CACHE-02 to 04 */
export interface CacheHint {
  /** Milliseconds, a whole number from 0; 0 is stale at once. */
  readonly ttlMs: number
  /** `public` lets any cache give it to anyone: the principal is then withheld from what builds it. */
  readonly cacheScope: 'public' | 'private'
}

/** Cache hints as the last members of a result. */
export type CacheText = Readonly<Record<CacheKey, string>>

/** One request on its way through a method. */
export interface Call {
  readonly params: JsonObject
  readonly context: CallContext
  readonly service: Service
  /** `,"ttlMs":0,"cacheScope":"private"` per kind; empty text where the revision has no such members. */
  readonly cacheText: CacheText
  readonly log: Logger
  /** Whether the message holds a number that no JavaScript number carries. */
  readonly hasInexact: boolean
  readonly mirror: HeaderMirror | undefined
}

/**
 * Compares what a transport repeats outside the body with the body. Only HTTP has one. Each check
 * answers the error of the first disagreement.
 *
 * @see MCP 2026-07-28, Streamable HTTP, Server Validation
 */
export interface HeaderMirror {
  /** Whether the transport names this revision. */
  readonly namesVersion: (version: string) => boolean
  /** The version a transport names, or undefined. */
  readonly version: string | undefined
  readonly checkVersion: (version: string) => WireError | undefined
  readonly checkMethod: (method: string) => WireError | undefined
  readonly checkName: (name: string) => WireError | undefined
  readonly checkParams: (
    mirrored: readonly MirroredParam[],
    args: JsonObject,
  ) => WireError | undefined
  /** A notification has no header duties, but may not contradict itself. */
  readonly checkNotification: (method: string, version: unknown) => WireError | undefined
}
