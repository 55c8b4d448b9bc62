// SPDX-License-Identifier: Apache-2.0
import type { Method } from '../revision.ts'

/** Writes what `server/discover` answers, once. */
export function encodeDiscovery(
  versions: readonly string[],
  capabilities: string,
  instructions: string | undefined,
): string {
  const told = instructions === undefined ? '' : `,"instructions":${JSON.stringify(instructions)}`
  return `"supportedVersions":${JSON.stringify(versions)},"capabilities":${capabilities}${told}`
}

/** `server/discover`. @see MCP 2026-07-28, Discovery: DISC-01 to DISC-06 */
export const discover: Method = {
  run: ({ service, cacheText }) => ({ members: service.discovery + cacheText.discover }),
}
