// SPDX-License-Identifier: Apache-2.0
import { BEAM_ERR_OPT_INVALID } from '../errors.ts'
import { nearestName } from './nearest-name.ts'
import type { JsonObject } from './plain.ts'

/** What `createCatalog` takes, and a newcomer may hand to the transport itself. */
const CATALOG_PARTS = ['tools', 'resources', 'resourceTemplates', 'prompts', 'allows']

/** @throws BEAM_ERR_OPT_INVALID always */
export function refuseOption(option: string, why: string): never {
  throw new BEAM_ERR_OPT_INVALID(option, why)
}

/**
 * Refuses an option that nothing reads, with the nearest name that something does.
 *
 * @throws BEAM_ERR_OPT_INVALID
 */
export function refuseUnknown(options: JsonObject, known: readonly string[], prefix = ''): void {
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue
    if (CATALOG_PARTS.includes(key) && known.includes('catalog')) {
      refuseOption(key, `belongs into createCatalog; write ...createCatalog({ ${key} }) instead`)
    }
    const near = nearestName(key, known)
    refuseOption(
      prefix + key,
      near === undefined
        ? `is unknown; there are: ${known.join(', ')}`
        : `is unknown; did you mean '${prefix}${near}'?`,
    )
  }
}
