// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from '../catalog/catalog.ts'
import type { CallContext, TransportContext } from '../catalog/context.ts'
import type { JsonAccepted } from '../json/reading.ts'
import { cutText, echo } from './echo.ts'
import { hostFault } from './host-fault.ts'
import {
  encodeError,
  encodeId,
  type JsonRpcId,
  type Notification,
  readEnvelope,
} from './json-rpc.ts'
import type { Logger } from './logger.ts'
import { isJsonObject, type JsonObject, ownMember } from './plain.ts'
import { type RequestMeta, readVersionedMeta, SERVER_KEY } from './request-meta.ts'
import type {
  CacheHint,
  CacheText,
  Call,
  HeaderMirror,
  Method,
  Reply,
  Result,
  Revision,
  Service,
} from './revision.ts'
import { settle } from './settle.ts'
import { methodNotFound, unsupportedVersion, type WireError } from './wire-errors.ts'

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
  readonly challenge?: string | undefined
}

/** Serves messages: a transport's whole view of the protocol. */
export interface Engine {
  /** One message in, one answer out: at once where nothing has to be waited for. Never rejects. */
  readonly serve: (reading: Reading, exchange: Exchange) => Awaitable<Answer>
}

const ACCEPTED: Answer = { status: 202, body: undefined }

/**
 * @param service  what every call shares
 * @param revisions  the revisions served, newest first
 * @param serverInfo  the server's identity as every result names it
 */
export function createEngine(
  service: Service,
  revisions: readonly Revision[],
  serverInfo: JsonObject,
): Engine {
  const served = new Map(
    revisions.map((revision) => [revision.version, prepare(revision, service, serverInfo)]),
  )
  const versions = [...served.keys()]
  const serve = (reading: Reading, exchange: Exchange): Awaitable<Answer> => {
    const envelope = readEnvelope(reading.value, reading.isIntegerLexeme)
    if (envelope.kind === 'refused') return refusal(envelope.id, envelope.error)
    if (envelope.kind === 'notification') return accept(envelope, exchange.mirror)
    const admission = admit(envelope.method, envelope.params, reading, exchange, served, versions)
    if ('error' in admission) return refusal(envelope.id, admission.error)
    return run(admission, envelope.id, envelope.method, reading, exchange, service)
  }
  return { serve }
}

/** Only a transport that has a status for it says that a notification is refused. @see ENV-08 */
function accept({ method, params, fault }: Notification, mirror: HeaderMirror | undefined): Answer {
  const refused = mirror && (fault ?? mirror.checkNotification(method, versionOf(params)))
  return refused === undefined ? ACCEPTED : refusal(undefined, refused)
}

function refusal(id: JsonRpcId | undefined, error: WireError, challenge?: string): Answer {
  return { status: error.status, body: encodeError(id, error), challenge }
}

/** A revision with the texts that end its results. */
interface Served {
  readonly revision: Revision
  readonly cacheText: CacheText
  readonly tail: string
  readonly serverInfo: JsonObject
}

function prepare(revision: Revision, { cache }: Service, serverInfo: JsonObject): Served {
  const type = revision.resultType === undefined ? '' : `,"resultType":"${revision.resultType}"`
  const meta = revision.namesServer
    ? `,"_meta":${JSON.stringify({ [SERVER_KEY]: serverInfo })}`
    : ''
  const hint = ({ ttlMs, cacheScope }: CacheHint): string =>
    revision.hasCacheFields ? `,"ttlMs":${ttlMs},"cacheScope":"${cacheScope}"` : ''
  const cacheText = {
    tools: hint(cache.tools),
    resources: hint(cache.resources),
    prompts: hint(cache.prompts),
    discover: hint(cache.discover),
  }
  return { revision, cacheText, tail: `${type}${meta}`, serverInfo }
}

/** A request that may reach its method. */
interface Admission {
  readonly served: Served
  readonly method: Method
  readonly params: JsonObject
  readonly meta: JsonObject
  readonly client: RequestMeta
}

/**
 * Decides whether a request is well formed, in the order that satisfies every rule at once.
 *
 * @see docs/http.md, "Order of checks"; MCP 2026-07-28, Versioning and Streamable HTTP
 */
function admit(
  method: string,
  params: unknown,
  reading: Reading,
  { mirror }: Exchange,
  served: ReadonlyMap<string, Served>,
  versions: readonly string[],
): Admission | { readonly error: WireError } {
  // 1. The opening of an older client, which can show its user no more than this text.
  if (method === 'initialize' && isLegacyOpening(params, mirror, versions)) {
    return { error: refuseHandshake(params, mirror, versions) }
  }
  // 2. The revision, in the body, in the header, and served.
  const versioned = readVersionedMeta(params)
  if (!versioned.ok) return { error: versioned.error }
  const { meta, version } = versioned
  const versionMismatch = mirror?.checkVersion(version)
  if (versionMismatch !== undefined) return { error: versionMismatch }
  const chosen = served.get(version)
  if (chosen === undefined) return { error: unsupportedVersion(versions, cutText(version)) }
  // 3. The headers that repeat the method and its target.
  const found = chosen.revision.methods.get(method)
  const read = params as JsonObject
  const headerMismatch = mirror?.checkMethod(method) ?? checkName(mirror, targetName(found, read))
  if (headerMismatch !== undefined) return { error: headerMismatch }
  // 4. The rest of the envelope, then the method itself.
  const client = chosen.revision.readMeta(meta, () =>
    reading.isIntegerLexeme(['params', '_meta', 'progressToken']),
  )
  if ('code' in client) return { error: client }
  if (found === undefined) return { error: methodNotFound(cutText(method)) }
  return { served: chosen, method: found, params: read, meta, client }
}

function checkName(
  mirror: HeaderMirror | undefined,
  name: string | undefined,
): WireError | undefined {
  return name === undefined ? undefined : mirror?.checkName(name)
}

function versionOf(params: unknown): unknown {
  const reading = readVersionedMeta(params)
  return reading.ok ? reading.version : undefined
}

function isLegacyOpening(
  params: unknown,
  mirror: HeaderMirror | undefined,
  versions: readonly string[],
): boolean {
  const isModern =
    versionOf(params) !== undefined || versions.some((one) => mirror?.namesVersion(one))
  return !isModern
}

/** Names what is served, in the text too. @see VER-07, A-04 */
function refuseHandshake(
  params: unknown,
  mirror: HeaderMirror | undefined,
  versions: readonly string[],
): WireError {
  const asked = isJsonObject(params) ? ownMember(params, 'protocolVersion') : undefined
  const requested = asked === undefined ? (mirror?.version ?? 'none') : echo(asked)
  const text = `Unsupported protocol version: this server has no initialize handshake; it serves ${versions.join(', ')}`
  return unsupportedVersion(versions, cutText(requested), text)
}

/** The member of params that a header repeats, where there is one and it can be compared. */
function targetName(method: Method | undefined, params: JsonObject): string | undefined {
  if (method?.mirrors === undefined) return undefined
  const name = ownMember(params, method.mirrors)
  return typeof name === 'string' ? name : undefined
}

function run(
  { served, method, params, meta, client }: Admission,
  id: JsonRpcId,
  name: string,
  reading: Reading,
  exchange: Exchange,
  service: Service,
): Awaitable<Answer> {
  const context: CallContext = {
    principal: exchange.principal,
    requestId: id,
    method: name,
    protocolVersion: served.revision.version,
    clientInfo: client.clientInfo,
    clientCapabilities: client.clientCapabilities,
    meta,
    // Last: V8 takes microseconds to add members to an object that began as a spread.
    ...exchange.transportContext,
  }
  const { log, mirror } = exchange
  const { cacheText } = served
  const { hasInexact } = reading
  const call: Call = { params, context, service, cacheText, log, hasInexact, mirror }
  const target = targetName(method, params)
  const { authorizeCall } = exchange
  return settle<Reply | Refusal, Answer>(
    authorizeCall === undefined
      ? () => method.run(call)
      : async () => (await authorizeCall({ method: name, name: target })) ?? method.run(call),
    (reply) => answer(id, reply, served),
    (thrown) => {
      const named = { method: name, ...(target !== undefined && { target: cutText(target) }) }
      return answer(id, hostFault(call, thrown, 'A request failed', named), served)
    },
  )
}

function answer(id: JsonRpcId, reply: Reply | Refusal, served: Served): Answer {
  if ('error' in reply) {
    return refusal(id, reply.error, 'challenge' in reply ? reply.challenge : undefined)
  }
  const body = `{"jsonrpc":"2.0","id":${encodeId(id)},"result":{${reply.members}${tailOf(reply, served)}}}`
  return { status: 200, body }
}

/** The revision's own members; the host's `_meta` joins the server's identity and never replaces it. */
function tailOf({ meta }: Result, { tail, serverInfo, revision }: Served): string {
  if (meta === undefined) return tail
  const type = revision.resultType === undefined ? '' : `,"resultType":"${revision.resultType}"`
  const own = revision.namesServer ? { ...meta, [SERVER_KEY]: serverInfo } : meta
  return `${type},"_meta":${JSON.stringify(own)}`
}
