// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from '../catalog/catalog.ts'
import type { ToolForm } from '../catalog/tool-form.ts'
import type { Retry } from '../input/retry.ts'
import type { CacheText } from './cache-hints.ts'
import type { Exchange, HeaderMirror } from './exchange.ts'
import type { Logger } from './logger.ts'
import type { CallKind } from './observe.ts'
import type { JsonObject } from './plain.ts'
import type { RequestContext } from './request-context.ts'
import type { RequestMeta } from './request-meta.ts'
import type { Service } from './service.ts'
import type { Session } from './session.ts'
import type { WireError } from './wire-errors.ts'

/**
 * One protocol revision as a value: adding the next one is adding one file that fills this record.
 */
export interface Revision {
  /** The date that names it. */
  readonly version: string
  /** `modern`: each request names it in `_meta`. `legacy`: it opens with a handshake. */
  readonly era: 'modern' | 'legacy'
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
  /** The code of a resource that is not there. @see RES-06, L-RES-01 */
  readonly resourceNotFoundCode: -32602 | -32002
  /** How tools are listed, and what their structured content may be. @see L-TOOL-02 */
  readonly toolForm: ToolForm
  /** The HTTP status of every error of a method, or undefined for each error's own. @see L-HTTP-16 */
  readonly errorStatus: 200 | undefined
}

/** One method of a revision. */
export interface Method {
  /** The member of `params` that the `Mcp-Name` header repeats. @see HDR-03 */
  readonly mirrors?: 'name' | 'uri'
  /** What it is about, for `authorizeCall`, where no header repeats it. */
  readonly targetOf?: (params: JsonObject) => string | undefined
  /** Whether `params` that are no object are as good as none. */
  readonly ignoresParams?: boolean
  /** Whether it writes to its stream itself: nothing of a handler's may be on it. @see SUB-08 */
  readonly ownsStream?: boolean
  /** Whether its client may be asked for input before it is answered. @see MRTR-02 */
  readonly mayAskClient?: boolean
  /** Whether it is never answered, id or not. */
  readonly isSilent?: boolean
  readonly run: (call: Call) => Awaitable<Reply>
}

/** A method's outcome: the members of a result object as JSON text, or an error. */
export type Reply = Result | { readonly error: WireError }

/** A result before the revision's own members are added. */
export interface Result {
  /** JSON text without the braces: `"tools":[],"ttlMs":0,"cacheScope":"private"`; empty for `{}`. */
  readonly members: string
  /** Whether it says that a tool failed. */
  readonly isError?: boolean
  /** Members that the host put into the result's `_meta`. */
  readonly meta?: JsonObject | undefined
  /** Members of `_meta` as JSON text, for what JSON objects can't hold: a `bigint`. */
  readonly metaText?: string
  /** What follows the end of a subscription, on transports where messages of all requests share a way. */
  readonly epilogue?: string
  /** `resultType` of a result that is not whole, or that an extension owns. */
  readonly resultType?: string
}

/** One request on its way through a method. */
export interface Call {
  readonly params: JsonObject
  readonly context: RequestContext
  readonly service: Service
  readonly revision: Revision
  /** `,"ttlMs":0,"cacheScope":"private"` per kind; empty text where the revision has no such members. */
  readonly cacheText: CacheText
  readonly log: Logger
  /** Whether the message holds a number that no JavaScript number carries. */
  readonly hasInexact: boolean
  readonly mirror: HeaderMirror | undefined
  readonly session: Session | undefined
  /** What of the host's it is about, by its listed name; undefined until that is found. */
  called: { readonly kind: CallKind; readonly name: string } | undefined
  /** Opens the way for messages before the answer. */
  readonly openNotifications: Exchange['openNotifications']
  readonly expiresAt: number | undefined
  /** Names the endpoint, where the transport has more than one. */
  readonly endpoint: (() => string) | undefined
  /** What a state is sealed for; the params themselves where nothing is sealed. */
  readonly boundParams: JsonObject
  /** What a retry brings; undefined for a first request, and in the older era. */
  readonly retry: Retry | undefined
}
