// SPDX-License-Identifier: Apache-2.0
import type { TransportContext } from '../catalog/context.ts'
import type { MirroredParam } from '../catalog/mirrored-params.ts'
import type { JsonAccepted } from '../json/reading.ts'
import type { Cancellation, Watch } from './cancellation.ts'
import type { JsonRpcId } from './json-rpc.ts'
import type { Logger } from './logger.ts'
import type { JsonObject } from './plain.ts'
import type { Session } from './session.ts'
import type { WireError } from './wire-errors.ts'

/** A message a reader admitted. */
export type Reading = Omit<JsonAccepted, 'ok'>

/** What a transport adds to one message. */
export interface Exchange {
  /** The members of the context that only the transport knows: `transport`, `request`. */
  readonly transportContext: TransportContext
  readonly principal: unknown
  readonly log: Logger
  readonly mirror?: HeaderMirror | undefined
  /** The host's scopes per call; an answer is a refusal. Never asked for a notification. */
  readonly authorizeCall?: ((target: CallTarget) => Promise<Refusal | undefined>) | undefined
  /** The end of the caller's interest, where the transport is told of it. */
  readonly cancellation?: Cancellation | undefined
  /** Looks out for a caller that hangs up, which cancels its request in the newer era alone. */
  readonly watchDisconnect?: Watch | undefined
  /**
   * Opens the way for the notifications of this request, at the first of them; undefined where the
   * client takes none. They are told under the token: of progress, or the id of a subscription.
   */
  readonly openNotifications?: ((token?: JsonRpcId) => NotificationSink | undefined) | undefined
  /** When the caller's admission ends, in milliseconds since 1970; its subscriptions end then. */
  readonly expiresAt?: number | undefined
  /** Names the endpoint, where the transport has more than one: what a state is sealed for. */
  readonly endpoint?: (() => string) | undefined
  /** What a handshake left; only a transport with one caller for its whole life has one. */
  readonly session?: Session | undefined
}

/** Carries the notifications of one request, in order and before its answer. */
export interface NotificationSink {
  /**
   * @param message  one JSON-RPC message as JSON text
   * @returns false when the client is behind: best wait for {@link drained}
   */
  readonly send: (message: string) => boolean
  /** Settles when the client has caught up, or is gone. */
  readonly drained: () => Promise<void>
}

/** What a request is about, before the catalog is asked whether there is such a thing. */
export interface CallTarget {
  readonly method: string
  /** The tool's or prompt's name, or the uri; undefined for methods without one. */
  readonly name: string | undefined
}

/** A refusal that a decision hook chose. */
export interface Refusal {
  readonly error: WireError
  /** The `WWW-Authenticate` value. */
  readonly challenge?: string | undefined
}

/** One answer, or none. */
export interface Answer {
  /** The HTTP status it travels with; other transports have none. */
  readonly status: number
  /** JSON text; undefined for an accepted notification. */
  readonly body: string | undefined
  /**
   * The message that follows the end of a subscription, on transports where messages of all requests
   * share a way.
   */
  readonly epilogue?: string | undefined
  readonly challenge?: string | undefined
}

/**
 * Compares what a transport repeats outside the body with the body. Only HTTP has one. Each check
 * answers the error of the first disagreement.
 *
 * @see MCP 2026-07-28, Streamable HTTP, Server Validation
 */
export interface HeaderMirror {
  /** Every version a transport names, in the order they came. */
  readonly versions: readonly string[]
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
