// SPDX-License-Identifier: Apache-2.0
import { admitLegacy } from './admit-legacy.ts'
import { cutText, echo } from './echo.ts'
import { HANDSHAKE, isLegacy, PROBE } from './era.ts'
import type { Exchange, HeaderMirror, Reading } from './exchange.ts'
import type { Request } from './json-rpc.ts'
import { isJsonObject, type JsonObject, ownMember } from './plain.ts'
import {
  type RequestMeta,
  readVersionedMeta,
  TOKEN_PATH,
  UNKNOWN_CLIENT,
  VERSION_KEY,
  versionOf,
} from './request-meta.ts'
import type { Method } from './revision.ts'
import type { Served, ServedRevisions } from './served-revisions.ts'
import { methodNotFound, unsupportedVersion, type WireError } from './wire-errors.ts'

/** A request that may reach its method. */
export interface Admission {
  readonly served: Served
  readonly method: Method
  readonly params: JsonObject
  readonly meta: JsonObject
  readonly client: RequestMeta
  /** Undefined where the revision has no mirrored headers. */
  readonly mirror: HeaderMirror | undefined
}

/** What a request comes to before its method runs. */
export type Admitted = Admission | { readonly error: WireError }

/**
 * Decides whether a request is well formed, in the order that satisfies every rule at once.
 *
 * @see docs/http.md, "Order of checks"; docs/eras.md
 */
export function admit(
  request: Request,
  reading: Reading,
  exchange: Exchange,
  served: ServedRevisions,
): Admitted {
  const { legacy } = served
  return legacy !== undefined && isLegacy(request, exchange.mirror, served)
    ? admitLegacy(request, reading, exchange, legacy)
    : admitModern(request, reading, exchange.mirror, served)
}

/** @see MCP 2026-07-28, Versioning and Streamable HTTP */
function admitModern(
  { method, params }: Request,
  reading: Reading,
  mirror: HeaderMirror | undefined,
  served: ServedRevisions,
): Admitted {
  const { modern, legacy, versions } = served
  // 1. The opening of an older client, which can show its user no more than this text.
  if (method === HANDSHAKE && legacy === undefined && isOpening(params, mirror, versions)) {
    return { error: refuseHandshake(params, mirror, versions) }
  }
  if (method === PROBE && legacy !== undefined && modern !== undefined && mirror === undefined) {
    return admitProbe(params, modern, versions)
  }
  // 2. The revision, in the body, in the header, and served.
  const versioned = readVersionedMeta(params)
  if (!versioned.ok) return { error: versioned.error }
  const { meta, version } = versioned
  const versionMismatch = mirror?.checkVersion(version)
  if (versionMismatch !== undefined) return { error: versionMismatch }
  if (modern === undefined || version !== modern.revision.version) {
    return { error: unsupportedVersion(versions, cutText(version)) }
  }
  // 3. The headers that repeat the method and its target.
  const found = modern.revision.methods.get(method)
  const read = params as JsonObject
  const headerMismatch = mirror?.checkMethod(method) ?? checkName(mirror, targetName(found, read))
  if (headerMismatch !== undefined) return { error: headerMismatch }
  // 4. The rest of the envelope, then the method itself.
  const client = modern.revision.readMeta(meta, () => reading.isIntegerLexeme(TOKEN_PATH))
  if ('code' in client) return { error: client }
  if (found === undefined) return { error: methodNotFound(cutText(method)) }
  return { served: modern, method: found, params: read, meta, client, mirror }
}

/**
 * The probe of a client that does not know the era yet, on a transport that serves both: answered
 * whatever it carries, unless it names a revision that is not served, or names it by no string.
 *
 * @see MCP 2026-07-28, stdio, Backward Compatibility: IO-10, L-IO-11
 */
function admitProbe(params: unknown, modern: Served, versions: readonly string[]): Admitted {
  const given = isJsonObject(params) ? ownMember(params, '_meta') : undefined
  const meta = isJsonObject(given) ? given : {}
  const versioned = Object.hasOwn(meta, VERSION_KEY) ? readVersionedMeta(params) : undefined
  if (versioned?.ok === false) return { error: versioned.error }
  if (versioned !== undefined && !versions.includes(versioned.version)) {
    return { error: unsupportedVersion(versions, cutText(versioned.version)) }
  }
  const method = modern.revision.methods.get(PROBE)
  if (method === undefined) return { error: methodNotFound(PROBE) }
  const read = isJsonObject(params) ? params : {}
  return { served: modern, method, params: read, meta, client: UNKNOWN_CLIENT, mirror: undefined }
}

/** Whether an `initialize` is an older client's: one that names a revision served here is not. */
function isOpening(
  params: unknown,
  mirror: HeaderMirror | undefined,
  versions: readonly string[],
): boolean {
  const isModern =
    versionOf(params) !== undefined ||
    versions.some((version) => mirror?.versions.includes(version) === true)
  return !isModern
}

/** Names what is served, in the text too. @see VER-07, A-04 */
function refuseHandshake(
  params: unknown,
  mirror: HeaderMirror | undefined,
  versions: readonly string[],
): WireError {
  const asked = isJsonObject(params) ? ownMember(params, 'protocolVersion') : undefined
  const requested = asked === undefined ? (mirror?.versions[0] ?? 'none') : echo(asked)
  const text = `Unsupported protocol version: this server has no initialize handshake; it serves ${versions.join(', ')}`
  return unsupportedVersion(versions, cutText(requested), text)
}

function checkName(
  mirror: HeaderMirror | undefined,
  name: string | undefined,
): WireError | undefined {
  return name === undefined ? undefined : mirror?.checkName(name)
}

/** The member of params that a header repeats, where there is one and it can be compared. */
export function targetName(method: Method | undefined, params: JsonObject): string | undefined {
  if (method?.mirrors === undefined) return undefined
  const name = ownMember(params, method.mirrors)
  return typeof name === 'string' ? name : undefined
}
