// SPDX-License-Identifier: Apache-2.0
import { refuseOption } from '../protocol/server-options.ts'

/** Says whether every Host a request names is one of this server's own. */
export type HostRule = (hosts: readonly string[]) => boolean

const HOST = /^(?:\[[0-9a-f:.]+\]|[^\s/@?#:[\]]+)(?::[0-9]{1,5})?$/

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
  if (HOST.test(host) && host !== '*') return host
  const corrected = correctHost(entry)
  const fix =
    corrected === undefined
      ? "write it as 'app.example' or 'app.example:8443'"
      : `write it as '${corrected}'`
  return refuseOption('allowedHosts', `has '${entry}', which no request can name; ${fix}`)
}

/** The host of a url that was written in its place. */
function correctHost(entry: string): string | undefined {
  try {
    const { host } = new URL(entry)
    return host !== '' && HOST.test(host) ? host : undefined
  } catch {
    return undefined
  }
}
