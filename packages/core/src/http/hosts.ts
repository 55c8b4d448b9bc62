// SPDX-License-Identifier: Apache-2.0
import { isIPv6 } from 'node:net'
import { refuseOption } from '../protocol/refuse-option.ts'

/** Says whether every Host a request names is one of this server's own. */
export type HostRule = (hosts: readonly string[]) => boolean

const HOST = /^(?:\[[0-9a-f:.]+\]|[^\s/@?#:*[\]]+)(?::[0-9]{1,5})?$/
const SCHEME = /^([a-z][a-z0-9+.-]*:)?\/\//i

/**
 * Reads the option `allowedHosts`: `host` or `host:port` as clients send it, without regard to case.
 * It keeps a page that has rebound its own name to this address from calling.
 *
 * @returns undefined where the option is not given: hosts are then not looked at
 * @throws BEAM_ERR_OPT_INVALID for what no request can name, with the corrected spelling
 * @see MCP 2026-07-28, Streamable HTTP, Security: HTTP-04
 */
export function readAllowedHosts(given: unknown): HostRule | undefined {
  if (given === undefined) return undefined
  if (!Array.isArray(given) || given.length === 0) {
    return refuseOption('allowedHosts', "must list hosts such as 'localhost:3000', or be left out")
  }
  const allowed = new Set(given.map(readHost))
  return (hosts) => hosts.length > 0 && hosts.every((host) => allowed.has(host.toLowerCase()))
}

function readHost(entry: unknown): string {
  if (typeof entry !== 'string') return refuseOption('allowedHosts', 'must list strings')
  const host = entry.toLowerCase()
  const corrected = correctHost(host)
  if (corrected === host) return host
  const fix =
    corrected === undefined
      ? "write it as 'app.example' or 'app.example:8443'"
      : `write it as '${corrected}'`
  return refuseOption('allowedHosts', `has '${entry}', which no request can name; ${fix}`)
}

/** A host as a request names it, also that of a url written in its place. */
function correctHost(entry: string): string | undefined {
  const trimmed = entry.trim()
  const bare = isIPv6(trimmed) ? `[${trimmed}]` : trimmed
  try {
    const host = SCHEME.test(bare) ? new URL(bare, 'http://x').host : hostAsSent(bare)
    return HOST.test(host) ? host : undefined
  } catch {
    return undefined
  }
}

/** A url leaves out its scheme's own port; without a scheme no port is that. */
function hostAsSent(entry: string): string {
  const { host, port } = new URL(`http://${entry}`)
  return port === '' ? new URL(`https://${entry}`).host : host
}
