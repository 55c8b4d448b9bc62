// SPDX-License-Identifier: Apache-2.0
import { findIconsFault, type Icon } from '../catalog/content.ts'
import { LIBRARY_VERSION } from '../version.ts'
import { isJsonObject, type JsonObject } from './plain.ts'
import { refuseOption, refuseUnknown } from './refuse-option.ts'

/** The server's identity, in the `_meta` of every result. @see META-11 */
export interface Implementation {
  readonly name: string
  readonly version: string
  readonly title?: string
  readonly description?: string
  readonly websiteUrl?: string
  readonly icons?: readonly Icon[]
}

const REQUIRED = ['name', 'version'] as const
const TEXTS = ['title', 'description', 'websiteUrl'] as const

/** @throws BEAM_ERR_OPT_INVALID */
export function readServerInfo(given: unknown): JsonObject {
  if (given === undefined) return { name: 'beam_mcp', version: LIBRARY_VERSION }
  if (!isJsonObject(given))
    return refuseOption('serverInfo', 'must be an object with name and version')
  for (const key of REQUIRED) {
    if (typeof given[key] !== 'string') refuseOption(`serverInfo.${key}`, 'must be a string')
  }
  for (const key of TEXTS) {
    const value = given[key]
    if (value !== undefined && typeof value !== 'string') {
      refuseOption(`serverInfo.${key}`, 'must be a string, or left out')
    }
  }
  const iconsFault = findIconsFault(given['icons'])
  if (iconsFault !== undefined) refuseOption('serverInfo.icons', iconsFault)
  refuseUnknown(given, [...REQUIRED, ...TEXTS, 'icons'], 'serverInfo.')
  return { ...given }
}
