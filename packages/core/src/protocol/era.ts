// SPDX-License-Identifier: Apache-2.0
import type { HeaderMirror } from './exchange.ts'
import { versionOf } from './request-meta.ts'
import type { ServedRevisions } from './served-revisions.ts'

/** Opens a connection of the older era, and of no other. */
export const HANDSHAKE = 'initialize'
/** Asks which revisions there are; it belongs to the newer era whatever it names. */
export const PROBE = 'server/discover'
/** Only the newer era has it: on HTTP it is never taken for older traffic. */
const LISTEN = 'subscriptions/listen'

/**
 * The era of one message. On HTTP it is the older one only if neither the body nor a header names a
 * newer revision; a transport without headers goes by the body alone, and there the handshake and
 * the probe say their era themselves.
 *
 * @see MCP 2026-07-28, Versioning, Backward Compatibility: VER-05, L-HTTP-17, L-IO-10, L-IO-11
 */
export function isLegacy(
  { method, params }: { readonly method: string; readonly params: unknown },
  mirror: HeaderMirror | undefined,
  { modern, legacy }: ServedRevisions,
): boolean {
  if (legacy === undefined) return false
  if (method === PROBE) return modern === undefined
  if (mirror === undefined && method === HANDSHAKE) return true
  const oldest = legacy.revision.version
  const named = versionOf(params)
  if (named !== undefined && named !== oldest) return false
  if (modern === undefined || mirror === undefined) return true
  return method !== LISTEN && !mirror.versions.some((version) => version > oldest)
}
