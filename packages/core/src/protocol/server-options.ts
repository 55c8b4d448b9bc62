// SPDX-License-Identifier: Apache-2.0
import type { Catalog, Dispatch } from '../catalog/catalog.ts'
import { isExtensionId } from '../catalog/meta-keys.ts'
import type { StateSealer } from '../state/state-sealer.ts'
import {
  type ReadSubscriptionOptions,
  readSubscriptionOptions,
  type SubscriptionOptions,
} from '../subscriptions/subscription-options.ts'
import { type CacheHints, findPublicList, readCacheHints } from './cache-hints.ts'
import { cutText } from './echo.ts'
import { encodeJson } from './encode-json.ts'
import type { Instrument } from './instrument.ts'
import { type Logger, STDERR_LOGGER } from './logger.ts'
import type { CallReport } from './observe.ts'
import {
  hasMethods,
  LONGEST_TIMER_MS,
  readCount,
  readFlag,
  readFunction,
  readMs,
} from './option-readers.ts'
import { isJsonObject, type JsonObject } from './plain.ts'
import { refuseOption, refuseUnknown } from './refuse-option.ts'
import { type Implementation, readServerInfo } from './server-info.ts'

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
  readonly cache?: Partial<CacheHints>
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
  readonly cache: CacheHints
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

const DEFAULT_BODY_LIMIT = 1_048_576
const DEFAULT_PAGE_SIZE = 50

/** What a transport has others of. */
export interface ServerDefaults {
  readonly revisions: readonly ProtocolVersion[]
}

const MODERN_ONLY: ServerDefaults = { revisions: ['2026-07-28'] }

/**
 * Checks the options of a server and fills in the defaults. What the host runs is kept as it was
 * given (catalog, dispatch, onCall, instrument, logger, the sealer, the notifier), and so are the icons of
 * serverInfo and the settings of extensions, which are written as JSON before anything is served.
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
  const cache = readCacheHints(given['cache'])
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
    timeoutMs: readTimeout(given['timeoutMs']),
    subscriptions: readSubscriptionOptions(given['subscriptions']),
    extensions: readExtensions(given['extensions']),
    instrument: readFunction<Instrument>('instrument', given['instrument']),
    stateSealer: readStateSealer(given['stateSealer']),
    logging: readFlag('logging', given['logging']),
    bodyLimit: readCount('bodyLimit', given['bodyLimit'], DEFAULT_BODY_LIMIT),
    onCall: readFunction<(report: CallReport) => void>('onCall', given['onCall']),
    logger: readLogger(given['logger']),
  })
}

function readCatalog(given: unknown, cache: CacheHints): Catalog {
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
  const open = findPublicList(cache)
  if (open !== undefined && catalog.allows !== undefined) {
    return refuseOption(
      `cache.${open}.cacheScope`,
      "is 'public', but catalog.allows hides entries per caller; a public result is anyone's: say 'private'",
    )
  }
  return catalog
}

/** No limit where there is none. */
function readTimeout(given: unknown): number | undefined {
  return given === undefined ? undefined : readMs('timeoutMs', given, LONGEST_TIMER_MS)
}

function readStateSealer(given: unknown): StateSealer | undefined {
  return given === undefined || hasMethods(given, ['seal', 'open'])
    ? (given as StateSealer | undefined)
    : refuseOption('stateSealer', 'must be what createStateSealer answers, or left out')
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
  return hasMethods(given, ['error', 'warn', 'info', 'debug'])
    ? (given as Logger)
    : refuseOption('logger', 'must have error, warn, info and debug, as a pino logger has')
}

/** The options among others that are the server's. */
export function pickServerOptions(given: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]),
  )
}
