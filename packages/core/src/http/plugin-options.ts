// SPDX-License-Identifier: Apache-2.0
import type { FastifyRequest } from 'fastify'
import type { Awaitable } from '../catalog/catalog.ts'
import type { CallTarget } from '../protocol/exchange.ts'
import { readFlag, readFunction, readMs } from '../protocol/option-readers.ts'
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'
import { refuseOption, refuseUnknown } from '../protocol/refuse-option.ts'
import {
  pickServerOptions,
  SERVER_OPTION_NAMES,
  type ServerOptions,
} from '../protocol/server-options.ts'
import type { Decision, Denial } from './decision.ts'
import { type HostRule, readAllowedHosts } from './hosts.ts'
import { type OriginRule, readAllowedOrigins } from './origins.ts'

/** A request as the host's scopes per call are asked about it. */
export interface AuthorizeCallTarget<Principal> extends CallTarget {
  readonly principal: Principal
  /** Undefined for a call in process. */
  readonly request: FastifyRequest | undefined
}

/** The options of the plugin. Whatever is not named here is refused. */
export interface BeamMcpOptions<Principal = unknown>
  extends Omit<ServerOptions<Principal>, 'logger'> {
  /**
   * Decides each request before a byte of its body is read; it may not read the body itself.
   * Required: there is no safe default.
   */
  authorize(request: FastifyRequest): Awaitable<Decision<Principal>>
  /**
   * Origins of pages that may call, exactly as a browser sends them, or `'any'`. Required: there is
   * no safe default. A request without an Origin goes on to `authorize`.
   */
  readonly allowedOrigins: readonly string[] | 'any'
  /**
   * Hosts this server answers to, `host` or `host:port`; every `Host` and `:authority` has to be one
   * of them. Left out, hosts are not looked at.
   */
  readonly allowedHosts?: readonly string[]
  /** Reads bodies without a declared length too, under the same cap and deadline. @default false */
  readonly allowChunked?: boolean
  /** Decides on the exact bytes of the body, before anything is decoded: for signatures. */
  authorizeBody?(
    request: FastifyRequest,
    rawBody: Buffer,
  ): Awaitable<{ readonly ok: true } | Denial>
  /** Decides each request whose method is served, by what it is about: for scopes per tool. */
  authorizeCall?(target: AuthorizeCallTarget<Principal>): Awaitable<{ readonly ok: true } | Denial>
  /** Milliseconds a decision hook has to answer in, then 503. @default 10_000 */
  readonly authorizeTimeoutMs?: number
  /** The endpoint is the scope's prefix and this. @default '/mcp' */
  readonly path?: string
  /** Milliseconds for the whole body, then 408. @default 15_000 */
  readonly bodyTimeout?: number
  /** Milliseconds between two comments that keep a quiet stream open. @default 15_000 */
  readonly keepAliveMs?: number
  /** The decorator's name on the registering scope; false for none. @default 'mcp' */
  readonly decorator?: string | false
}

/** The options of the HTTP side, checked and with every default filled in. */
export interface ReadPluginOptions {
  readonly server: JsonObject
  readonly authorize: (request: FastifyRequest) => unknown
  readonly authorizeBody: ((request: FastifyRequest, rawBody: Buffer) => unknown) | undefined
  readonly authorizeCall: ((target: AuthorizeCallTarget<unknown>) => unknown) | undefined
  readonly admitsOrigins: OriginRule
  readonly admitsHosts: HostRule | undefined
  readonly allowChunked: boolean
  /** Whether pages of every origin may call, whatever name they reach this server by. */
  readonly isOpenToRebinding: boolean
  readonly authorizeTimeoutMs: number
  readonly bodyTimeout: number
  readonly keepAliveMs: number
  readonly path: string
  readonly decorator: string | false
}

const OWN_NAMES = [
  'authorize',
  'allowedOrigins',
  'allowedHosts',
  'allowChunked',
  'authorizeBody',
  'authorizeCall',
  'authorizeTimeoutMs',
  'path',
  'bodyTimeout',
  'keepAliveMs',
  'decorator',
] as const

const DEFAULT_AUTHORIZE_TIMEOUT_MS = 10_000
const DEFAULT_BODY_TIMEOUT_MS = 15_000
const DEFAULT_KEEP_ALIVE_MS = 15_000

/**
 * Checks the options of the plugin, those of the protocol server excepted.
 *
 * @throws BEAM_ERR_OPT_INVALID naming the option and the fix
 */
export function readPluginOptions(given: unknown): ReadPluginOptions {
  if (!isJsonObject(given)) return refuseOption('options', 'must be an object')
  const serverNames = SERVER_OPTION_NAMES.filter((name) => name !== 'logger')
  refuseUnknown(given, [...OWN_NAMES, ...serverNames])
  return Object.freeze({
    server: pickServerOptions(given, serverNames),
    authorize: readAuthorize(given['authorize']),
    authorizeBody: readFunction<NonNullable<ReadPluginOptions['authorizeBody']>>(
      'authorizeBody',
      given['authorizeBody'],
    ),
    authorizeCall: readFunction<NonNullable<ReadPluginOptions['authorizeCall']>>(
      'authorizeCall',
      given['authorizeCall'],
    ),
    admitsOrigins: readAllowedOrigins(given['allowedOrigins']),
    admitsHosts: readAllowedHosts(given['allowedHosts']),
    allowChunked: readFlag('allowChunked', given['allowChunked']),
    isOpenToRebinding: given['allowedOrigins'] === 'any' && given['allowedHosts'] === undefined,
    authorizeTimeoutMs: readMs(
      'authorizeTimeoutMs',
      given['authorizeTimeoutMs'],
      DEFAULT_AUTHORIZE_TIMEOUT_MS,
    ),
    keepAliveMs: readMs('keepAliveMs', given['keepAliveMs'], DEFAULT_KEEP_ALIVE_MS),
    bodyTimeout: readMs('bodyTimeout', given['bodyTimeout'], DEFAULT_BODY_TIMEOUT_MS),
    path: readPath(given['path']),
    decorator: readDecorator(given['decorator']),
  })
}

function readAuthorize(given: unknown): ReadPluginOptions['authorize'] {
  return typeof given === 'function'
    ? (given as ReadPluginOptions['authorize'])
    : refuseOption(
        'authorize',
        'is required and has no default: a function of the request that answers { ok: true } or { ok: false }',
      )
}

function readPath(given: unknown): string {
  if (given === undefined) return '/mcp'
  if (typeof given !== 'string' || !given.startsWith('/')) {
    return refuseOption('path', "must begin with '/'; '/' is the prefix itself")
  }
  if (given !== '/' && given.endsWith('/')) {
    const corrected = given.replace(/\/+$/, '') || '/'
    return refuseOption('path', `must not end with '/': write '${corrected}'`)
  }
  return REACHABLE.test(given)
    ? given
    : refuseOption(
        'path',
        'may hold the characters of a path segment alone: no query, no space, no wildcard',
      )
}

/** Segments of what RFC 3986, 3.3 admits, `:parameter` included; no wildcard, no pattern. */
const REACHABLE = /^\/$|^(?:\/[A-Za-z0-9\-._~!$&'+,;=:@%]+)+$/

function readDecorator(given: unknown): string | false {
  if (given === undefined) return 'mcp'
  return given === false || (typeof given === 'string' && given !== '')
    ? given
    : refuseOption('decorator', 'must be a name, or false for no decorator')
}
