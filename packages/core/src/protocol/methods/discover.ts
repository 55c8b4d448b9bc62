// SPDX-License-Identifier: Apache-2.0
import type { Method } from '../revision.ts'

/** What is served, the same for every catalog: three features, none of which announces changes. */
const CAPABILITIES =
  '{"tools":{"listChanged":false},"resources":{"listChanged":false,"subscribe":false},"prompts":{"listChanged":false}}'

/** Writes what `server/discover` answers, once. */
export function encodeDiscovery(
  versions: readonly string[],
  instructions: string | undefined,
): string {
  const told = instructions === undefined ? '' : `,"instructions":${JSON.stringify(instructions)}`
  return `"supportedVersions":${JSON.stringify(versions)},"capabilities":${CAPABILITIES}${told}`
}

/** `server/discover`. @see MCP 2026-07-28, Discovery: DISC-01 to DISC-06 */
export const discover: Method = {
  run: ({ service, cacheText }) => ({ members: service.discovery + cacheText.discover }),
}
