// SPDX-License-Identifier: Apache-2.0
import type { Method } from '../revision.ts'

/** What is served, the same for every catalog: three features, none of which announces changes. */
const CAPABILITIES =
  '{"tools":{"listChanged":false},"resources":{"listChanged":false,"subscribe":false},"prompts":{"listChanged":false}}'

/** `server/discover`. @see MCP 2026-07-28, Discovery: DISC-01 to DISC-06 */
export const discover: Method = {
  run: ({ service, cacheText }) => {
    const versions = JSON.stringify(service.supportedVersions)
    const { instructions } = service
    const told = instructions === undefined ? '' : `,"instructions":${JSON.stringify(instructions)}`
    return {
      members: `"supportedVersions":${versions},"capabilities":${CAPABILITIES}${told}${cacheText.discover}`,
    }
  },
}
