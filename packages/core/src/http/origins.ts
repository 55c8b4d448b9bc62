// SPDX-License-Identifier: Apache-2.0
import { refuseOption } from '../protocol/refuse-option.ts'

/** Says whether every Origin value of a request may call. No value at all may: only browsers send one. */
export type OriginRule = (origins: readonly string[]) => boolean

const ORIGIN = /^([a-z][a-z0-9+.-]*):\/\/([^/?#@\s]+)$/

/**
 * Reads the option `allowedOrigins`: exact origins, or the choice of `'any'`.
 *
 * @throws BEAM_ERR_OPT_INVALID for what no browser would send, with the corrected spelling
 * @see MCP 2026-07-28, Streamable HTTP, Security: HTTP-03
 */
export function readAllowedOrigins(given: unknown): OriginRule {
  if (given === 'any') return () => true
  if (given === undefined) {
    return refuseOption(
      'allowedOrigins',
      "is required and has no default: a list of exact origins such as 'https://app.example' ([] admits no browser), or 'any'",
    )
  }
  if (!Array.isArray(given)) {
    return refuseOption(
      'allowedOrigins',
      "must be a list such as ['https://app.example'], or 'any'",
    )
  }
  const allowed = new Set(given.map(readOrigin))
  return (origins) => origins.every((origin) => allowed.has(origin))
}

function readOrigin(entry: unknown): string {
  if (typeof entry !== 'string') return refuseOption('allowedOrigins', 'must list strings')
  if (entry === 'null') return entry
  if (entry === 'any') return refuseEntry(entry, "write allowedOrigins: 'any', without a list")
  if (entry.includes('*')) return refuseEntry(entry, "list each origin, or choose 'any'")
  const corrected = correctOrigin(entry)
  if (corrected === undefined) return refuseEntry(entry, "write it as 'https://app.example'")
  return corrected === entry ? entry : refuseEntry(entry, `write it as '${corrected}'`)
}

/** An origin as a browser spells it: scheme and host in lower case, no default port, no path. */
function correctOrigin(entry: string): string | undefined {
  let url: URL
  try {
    url = new URL(entry.includes('://') ? entry : `${schemeFor(entry)}://${entry}`)
  } catch {
    return undefined
  }
  if (url.host === '' || url.host.includes('*')) return undefined
  if (url.origin !== 'null') return url.origin
  const plain = `${url.protocol}//${url.host}`.toLowerCase()
  return ORIGIN.test(plain) ? plain : undefined
}

/** What a bare host is most likely called by: a local one without TLS. */
function schemeFor(host: string): string {
  return /^(?:localhost|127\.|\[::1\])/i.test(host) ? 'http' : 'https'
}

function refuseEntry(entry: string, fix: string): never {
  return refuseOption('allowedOrigins', `has '${entry}', which no request can match; ${fix}`)
}
