// SPDX-License-Identifier: Apache-2.0
import { BEAM_ERR_CATALOG_INVALID } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'
import type { Capabilities, Catalog } from './catalog.ts'
import { hasCompleters } from './completers.ts'

const LISTS = ['tools', 'resources', 'prompts'] as const

/**
 * Checks the shape of what `capabilities` answered: an object whose three keys are all there and
 * all lists. An absent key is malformed, not empty.
 *
 * @throws BEAM_ERR_CATALOG_INVALID naming what is missing or of the wrong shape
 */
export function readCapabilities(answer: unknown): Capabilities {
  if (!isJsonObject(answer)) {
    throw new BEAM_ERR_CATALOG_INVALID(
      'capabilities() must answer an object with tools, resources and prompts',
    )
  }
  const missing = LISTS.filter((key) => answer[key] === undefined)
  if (missing.length > 0) {
    throw new BEAM_ERR_CATALOG_INVALID(
      `capabilities() left out ${missing.join(', ')}; answer an empty list for what is not offered`,
    )
  }
  for (const key of LISTS) {
    if (!Array.isArray(answer[key])) {
      throw new BEAM_ERR_CATALOG_INVALID(`capabilities().${key} must be a list`)
    }
  }
  return answer as JsonObject & Capabilities
}

/**
 * Holds the lists to the readers that serve them.
 *
 * @throws BEAM_ERR_CATALOG_INVALID where something is listed that nothing can read
 */
export function checkReaders(catalog: Catalog, capabilities: Capabilities): void {
  if (capabilities.resources.length > 0 && catalog.readResource === undefined) {
    throw new BEAM_ERR_CATALOG_INVALID('resources are listed but the catalog has no readResource')
  }
  if (capabilities.prompts.length > 0 && catalog.getPrompt === undefined) {
    throw new BEAM_ERR_CATALOG_INVALID('prompts are listed but the catalog has no getPrompt')
  }
  if (catalog.complete === undefined && hasCompleters(capabilities)) {
    throw new BEAM_ERR_CATALOG_INVALID(
      'entries have completers but the catalog has no complete that would ask them; createCatalog makes one',
    )
  }
}
