// SPDX-License-Identifier: Apache-2.0
import type { Admitted } from './admit.ts'
import { cutText } from './echo.ts'
import { HANDSHAKE } from './era.ts'
import type { Exchange, HeaderMirror, Reading } from './exchange.ts'
import type { Request } from './json-rpc.ts'
import { isJsonObject, type JsonObject, ownMember } from './plain.ts'
import { type RequestMeta, TOKEN_PATH } from './request-meta.ts'
import type { Revision } from './revision.ts'
import type { Served } from './served-revisions.ts'
import type { Session } from './session.ts'
import { invalidParams, invalidRequest, methodNotFound, type WireError } from './wire-errors.ts'

/**
 * Admits a request of the older era. No request needs a handshake before it: another instance, or
 * none, may have seen it.
 *
 * @see MCP 2025-11-25: L-HTTP-04 to L-HTTP-08, L-HTTP-15; docs/eras.md
 */
export function admitLegacy(
  { method, params }: Request,
  reading: Reading,
  { mirror, session }: Exchange,
  legacy: Served,
): Admitted {
  const { revision } = legacy
  const isHandshake = method === HANDSHAKE
  const refused = isHandshake ? undefined : checkLegacyVersion(mirror, revision.version)
  if (refused !== undefined) return { error: refused }
  const read = isJsonObject(params) ? params : {}
  const meta = readMeta(read, isHandshake)
  if (meta === undefined) return { error: invalidParams('params._meta must be an object', 400) }
  const client = revision.readMeta(isHandshake ? {} : meta, () =>
    reading.isIntegerLexeme(TOKEN_PATH),
  )
  if ('code' in client) return { error: client }
  const found = revision.methods.get(method)
  if (found === undefined) return { error: withStatus(methodNotFound(cutText(method)), revision) }
  if (params !== undefined && !isJsonObject(params) && found.ignoresParams !== true) {
    return { error: invalidParams('params must be an object') }
  }
  const told = session === undefined ? client : { ...client, ...pickClient(session) }
  return { served: legacy, method: found, params: read, meta, client: told, mirror: undefined }
}

/**
 * The header names what the handshake agreed on, or is forgotten.
 *
 * @see MCP 2025-11-25, Transports, Protocol Version Header: L-HTTP-06, L-HTTP-07
 */
export function checkLegacyVersion(
  mirror: HeaderMirror | undefined,
  version: string,
): WireError | undefined {
  const other = mirror?.versions.find((named) => named !== version)
  return other === undefined
    ? undefined
    : invalidRequest(`Unsupported MCP-Protocol-Version: ${cutText(other)} (supported: ${version})`)
}

/** An error with the status that its revision gives to all of them, where it does. */
export function withStatus(error: WireError, { errorStatus }: Revision): WireError {
  return errorStatus === undefined ? error : { ...error, status: errorStatus }
}

/** The handshake is answered whatever its `_meta` is; undefined is a fault of any other request. */
function readMeta(params: JsonObject, isHandshake: boolean): JsonObject | undefined {
  const given = ownMember(params, '_meta')
  if (isJsonObject(given)) return given
  return given === undefined || isHandshake ? {} : undefined
}

function pickClient({
  clientInfo,
  clientCapabilities,
  logLevel,
}: Session): Omit<RequestMeta, 'progressToken'> {
  return { clientInfo, clientCapabilities, logLevel }
}
