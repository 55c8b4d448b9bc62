// SPDX-License-Identifier: Apache-2.0
import type { Catalog, Dispatch } from '../catalog/catalog.ts'
import { findIconsFault, type Icon } from '../catalog/content.ts'
import { isExtensionId } from '../catalog/meta-keys.ts'
import type { StateSealer } from '../state/state-sealer.ts'
import {
  type ReadSubscriptionOptions,
  readSubscriptionOptions,
  type SubscriptionOptions,
} from '../subscriptions/subscription-options.ts'
import { LIBRARY_VERSION } from '../version.ts'
import { cutText } from './echo.ts'
import { encodeJson } from './encode-json.ts'
import type { Instrument } from './instrument.ts'
import { type Logger, STDERR_LOGGER } from './logger.ts'
import type { CallReport } from './observe.ts'
import { isJsonObject, type JsonObject } from './plain.ts'
import { refuseOption, refuseUnknown } from './refuse-option.ts'
import type { CacheHint, CacheKey } from './service.ts'

/** The server's identity, in the `_meta` of every result. @see META-11 */
export interface Implementation {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
  readonly icons?: readonly Icon[]
}

/** A revision of the protocol that can be served, newest first. */
export const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25'] as const

/** The date that names a revision. */
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number]

/** What a protocol server is made of, whatever the transport. */
export interface ServerOptions<Principal = unknown> {
  /** What is offered. Required. */
  readonly catalog: Catalog<Principal>
  /** Runs a tool. Required. */
  readonly dispatch: Dispatch<Principal>
  /** @default { name: 'beam_mcp', version: <this package's> } */
  readonly serverInfo?: Implementation
  /**
   * The revisions served. `2025-11-25` lets clients in that open with `initialize`; it remembers
   * nothing of them but on stdio.
   *
   * @default ['2026-07-28']; on stdio both
   * @see docs/eras.md
   */
  readonly revisions?: readonly ProtocolVersion[]
  /** Told to the model about the server as a whole, in `server/discover` and `initialize`. */
  readonly instructions?: string
  /** Entries of a page of resources, templates or prompts, from 1. @default 50 */
  readonly pageSize?: number
  /** Cache hints for each kind of result. `resources` also goes with reads. @default ttlMs 0, private */
  readonly cache?: Partial<Record<CacheKey, CacheHint>>
  /**
   * Milliseconds that a tool, a reader or a renderer has to answer in; a tool's own `timeoutMs` goes
   * before. The signal is aborted and the caller told. @default no limit
   */
  readonly timeoutMs?: number
  /** Lets clients listen for changes; `true` for all kinds. @default false @see docs/subscriptions.md */
  readonly subscriptions?: boolean | SubscriptionOptions<Principal>
  /**
   * The extensions that the host serves, by id, each with its settings. Nothing is declared that is
   * not named here. @default {} @see MCP 2026-07-28, Extensions: EXT-01 to EXT-04
   */
  readonly extensions?: Readonly<Record<string, JsonObject>>
  /** Wraps every request whose method is served; made by `@beam-mcp/core/opentelemetry`, say. */
  readonly instrument?: Instrument
  /** Seals the `state` of `inputRequired`; made by {@link createStateSealer}. */
  readonly stateSealer?: StateSealer
  /**
   * Whether `context.log` reaches clients that ask for log messages; the feature is deprecated in
   * 2026-07-28. @default false
   */
  readonly logging?: boolean
  /** Bytes of the largest message a transport admits; bounds what a pattern can meet. @default 1_048_576 */
  readonly bodyLimit?: number
  /** Told of each finished tool call, resource read and prompt: identity, outcome and duration alone. */
  onCall?(report: CallReport<Principal>): void
  /** A pino-compatible logger for host faults and warnings. @default standard error */
  readonly logger?: Logger
}

/** The same, checked and with every default filled in. */
export interface ReadServerOptions {
  readonly catalog: Catalog
  readonly dispatch: Dispatch
  readonly serverInfo: JsonObject
  /** Newest first. */
  readonly revisions: readonly ProtocolVersion[]
  readonly instructions: string | undefined
  readonly pageSize: number
  readonly cache: Readonly<Record<CacheKey, CacheHint>>
  readonly timeoutMs: number | undefined
  readonly subscriptions: ReadSubscriptionOptions | undefined
  readonly extensions: Readonly<Record<string, JsonObject>>
  readonly instrument: Instrument | undefined
  readonly stateSealer: StateSealer | undefined
  readonly logging: boolean
  readonly bodyLimit: number
  readonly onCall: ((report: CallReport) => void) | undefined
  readonly logger: Logger
}

/** The names of {@link ServerOptions}. */
export const SERVER_OPTION_NAMES = [
  'catalog',
  'dispatch',
  'serverInfo',
  'revisions',
  'instructions',
  'pageSize',
  'cache',
  'timeoutMs',
  'subscriptions',
  'extensions',
  'instrument',
  'stateSealer',
  'logging',
  'bodyLimit',
  'onCall',
  'logger',
] as const

const CACHE_KEYS: readonly CacheKey[] = ['tools', 'resources', 'prompts', 'discover']
const DEFAULT_BODY_LIMIT = 1_048_576
const DEFAULT_PAGE_SIZE = 50

/** What a transport has others of. */
export interface ServerDefaults {
  readonly revisions: readonly ProtocolVersion[]
}

const MODERN_ONLY: ServerDefaults = { revisions: ['2026-07-28'] }

/**
 * Checks the options of a server and fills in the defaults. Of the given object the
 * host's own catalog, dispatch, onCall and logger are kept, and the icons of serverInfo.
 *
 * @throws BEAM_ERR_OPT_INVALID naming the option and the fix
 */
export function readServerOptions(
  given: unknown,
  defaults: ServerDefaults = MODERN_ONLY,
): ReadServerOptions {
  if (!isJsonObject(given))
    return refuseOption('options', 'must be an object with catalog and dispatch')
  refuseUnknown(given, SERVER_OPTION_NAMES)
  const cache = readCache(given['cache'])
  const catalog = readCatalog(given['catalog'], cache)
  const { dispatch, instructions } = given
  if (typeof dispatch !== 'function') {
    return refuseOption(
      'dispatch',
      'is required: a function (tool, args, context) that runs a tool',
    )
  }
  if (instructions !== undefined && typeof instructions !== 'string') {
    return refuseOption('instructions', 'must be a string, or left out')
  }
  return Object.freeze({
    catalog,
    dispatch: dispatch as Dispatch,
    serverInfo: readServerInfo(given['serverInfo']),
    revisions: readRevisions(given['revisions'], defaults.revisions),
    instructions,
    pageSize: readCount('pageSize', given['pageSize'], DEFAULT_PAGE_SIZE),
    cache,
    timeoutMs: readTimeout('timeoutMs', given['timeoutMs']),
    subscriptions: readSubscriptionOptions(given['subscriptions']),
    extensions: readExtensions(given['extensions']),
    instrument: readFunction('instrument', given['instrument']) as Instrument | undefined,
    stateSealer: readStateSealer(given['stateSealer']),
    logging: readFlag('logging', given['logging']),
    bodyLimit: readCount('bodyLimit', given['bodyLimit'], DEFAULT_BODY_LIMIT),
    onCall: readFunction('onCall', given['onCall']) as ReadServerOptions['onCall'],
    logger: readLogger(given['logger']),
  })
}

function readCatalog(given: unknown, cache: Readonly<Record<CacheKey, CacheHint>>): Catalog {
  if (typeof given !== 'object' || given === null) {
    return refuseOption('catalog', 'is required: an object with a function capabilities')
  }
  const catalog = given as Catalog & JsonObject
  if (typeof catalog.capabilities !== 'function' && catalog['catalog'] !== undefined) {
    return refuseOption(
      'catalog',
      'is what createCatalog answers, whole: spread it, ...createCatalog(…)',
    )
  }
  if (typeof catalog.capabilities !== 'function') {
    return refuseOption('catalog', 'must have a function capabilities')
  }
  for (const name of ['readResource', 'getPrompt', 'complete', 'allows'] as const) {
    if (catalog[name] !== undefined && typeof catalog[name] !== 'function') {
      return refuseOption(`catalog.${name}`, 'must be a function, or left out')
    }
  }
  const open = CACHE_KEYS.find((key) => key !== 'discover' && cache[key].cacheScope === 'public')
  if (open !== undefined && catalog.allows !== undefined) {
    return refuseOption(
      `cache.${open}.cacheScope`,
      "is 'public', but catalog.allows hides entries per caller; a public result is anyone's: say 'private'",
    )
  }
  return catalog
}

/** A whole number from 1. */
export function readCount(option: string, given: unknown, fallback: number): number {
  if (given === undefined) return fallback
  return Number.isSafeInteger(given) && Number(given) > 0
    ? Number(given)
    : refuseOption(option, 'must be a whole number above 0')
}

/** True or false; left out is false. */
export function readFlag(option: string, given: unknown): boolean {
  return given === undefined || typeof given === 'boolean'
    ? (given ?? false)
    : refuseOption(option, 'must be true or false, or left out')
}

function readStateSealer(given: unknown): StateSealer | undefined {
  const { seal, open } = isJsonObject(given) ? given : {}
  return given === undefined || (typeof seal === 'function' && typeof open === 'function')
    ? (given as StateSealer | undefined)
    : refuseOption('stateSealer', 'must be what createStateSealer answers, or left out')
}

function readTimeout(option: string, given: unknown): number | undefined {
  return given === undefined ? undefined : readMs(option, given, LONGEST_TIMER_MS)
}

/** Milliseconds: the longest timer Node holds. */
export const LONGEST_TIMER_MS = 2_147_483_647

/** Whole milliseconds from 1 to the longest timer there is. */
export function readMs(option: string, given: unknown, fallback: number): number {
  const ms = readCount(option, given, fallback)
  return ms <= LONGEST_TIMER_MS
    ? ms
    : refuseOption(
        option,
        `must be at most ${LONGEST_TIMER_MS} milliseconds, the longest timer there is`,
      )
}

function readCache(given: unknown): Readonly<Record<CacheKey, CacheHint>> {
  const hints: unknown = given === undefined ? {} : given
  if (!isJsonObject(hints)) {
    return refuseOption('cache', 'must be an object of { ttlMs, cacheScope } per kind')
  }
  refuseUnknown(hints, CACHE_KEYS, 'cache.')
  return {
    tools: readHint('tools', hints),
    resources: readHint('resources', hints),
    prompts: readHint('prompts', hints),
    discover: readHint('discover', hints),
  }
}

function readHint(key: CacheKey, hints: JsonObject): CacheHint {
  const hint: unknown = hints[key] === undefined ? {} : hints[key]
  if (!isJsonObject(hint)) return refuseOption(`cache.${key}`, 'must be { ttlMs, cacheScope }')
  refuseUnknown(hint, ['ttlMs', 'cacheScope'], `cache.${key}.`)
  const { ttlMs = 0, cacheScope = 'private' } = hint
  if (!Number.isSafeInteger(ttlMs) || Number(ttlMs) < 0) {
    return refuseOption(`cache.${key}.ttlMs`, 'must be a whole number of milliseconds from 0')
  }
  if (cacheScope !== 'public' && cacheScope !== 'private') {
    return refuseOption(`cache.${key}.cacheScope`, "must be 'public' or 'private'")
  }
  return { ttlMs: Number(ttlMs), cacheScope }
}

function readServerInfo(given: unknown): JsonObject {
  if (given === undefined) return { name: 'beam_mcp', version: LIBRARY_VERSION }
  if (!isJsonObject(given))
    return refuseOption('serverInfo', 'must be an object with name and version')
  for (const key of ['name', 'version'] as const) {
    if (typeof given[key] !== 'string') refuseOption(`serverInfo.${key}`, 'must be a string')
  }
  for (const key of ['title', 'description', 'websiteUrl'] as const) {
    const value = given[key]
    if (value !== undefined && typeof value !== 'string') {
      refuseOption(`serverInfo.${key}`, 'must be a string, or left out')
    }
  }
  const iconsFault = findIconsFault(given['icons'])
  if (iconsFault !== undefined) refuseOption('serverInfo.icons', iconsFault)
  refuseUnknown(
    given,
    ['name', 'version', 'title', 'description', 'websiteUrl', 'icons'],
    'serverInfo.',
  )
  return { ...given }
}

function readRevisions(
  given: unknown,
  fallback: readonly ProtocolVersion[],
): readonly ProtocolVersion[] {
  if (given === undefined) return fallback
  const listed: readonly unknown[] = Array.isArray(given) ? given : []
  const known: readonly unknown[] = PROTOCOL_VERSIONS
  const isList = listed.length > 0 && new Set(listed).size === listed.length
  return isList && listed.every((version) => known.includes(version))
    ? PROTOCOL_VERSIONS.filter((version) => listed.includes(version))
    : refuseOption(
        'revisions',
        `must list one or more of ${PROTOCOL_VERSIONS.join(', ')}, each once`,
      )
}

function readFunction(option: string, given: unknown): unknown {
  return given === undefined || typeof given === 'function'
    ? given
    : refuseOption(option, 'must be a function, or left out')
}

/** Written as JSON now, so that what cannot be is refused at start-up. */
function readExtensions(given: unknown): Readonly<Record<string, JsonObject>> {
  if (given === undefined) return {}
  if (!isJsonObject(given)) return refuseOption('extensions', 'must be an object of settings by id')
  for (const [id, settings] of Object.entries(given)) {
    if (!isExtensionId(id)) {
      refuseOption(
        `extensions['${cutText(id)}']`,
        "must be named as in 'com.example/jobs' (EXT-01)",
      )
    }
    const encoding = encodeJson(settings)
    if (!encoding.ok || !encoding.json.startsWith('{')) {
      refuseOption(`extensions['${id}']`, 'must be an object of plain JSON; {} for no settings')
    }
  }
  return given as Readonly<Record<string, JsonObject>>
}

function readLogger(given: unknown): Logger {
  if (given === undefined) return STDERR_LOGGER
  const logger = given as Partial<Logger> | null
  const isLogger =
    typeof logger?.error === 'function' &&
    typeof logger.warn === 'function' &&
    typeof logger.info === 'function' &&
    typeof logger.debug === 'function'
  return isLogger
    ? (logger as Logger)
    : refuseOption('logger', 'must have error, warn, info and debug, as a pino logger has')
}
