// SPDX-License-Identifier: Apache-2.0
import { BEAM_ERR_CATALOG_ENTRY } from '../errors.ts'
import { encodeJson } from '../protocol/encode-json.ts'
import type { JsonObject } from '../protocol/plain.ts'
import { findIconsFault } from './content.ts'
import { findMetaFault } from './meta-keys.ts'

/**
 * Refuses an entry of the catalog.
 *
 * @throws BEAM_ERR_CATALOG_ENTRY always, with the entry's name in front
 */
export function refuseEntry(entry: string, why: string): never {
  throw new BEAM_ERR_CATALOG_ENTRY(entry, why)
}

/** How an error names an entry: by its name or uri, where it has one. */
export function entryLabel(kind: string, name: unknown): string {
  return typeof name === 'string' ? `${kind} '${name}'` : `a ${kind} without a name`
}

/** An optional member that is a string where it is there. */
export function checkOptionalString(entry: string, spec: JsonObject, key: string): void {
  const value = spec[key]
  if (value !== undefined && typeof value !== 'string') {
    refuseEntry(entry, `${key} must be a string, or left out`)
  }
}

/** An optional member that is a function where it is there. @param label  how a refusal names it */
export function checkOptionalFunction(
  entry: string,
  spec: JsonObject,
  key: string,
  label = key,
): void {
  const value = spec[key]
  if (value !== undefined && typeof value !== 'function') {
    refuseEntry(entry, `${label} must be a function, or left out`)
  }
}

/** A member that has to be a non-empty string. */
export function checkName(entry: string, spec: JsonObject, key: string): string {
  const value = spec[key]
  if (typeof value !== 'string' || value === '') {
    refuseEntry(entry, `${key} must be a non-empty string`)
  }
  if (!value.isWellFormed()) {
    refuseEntry(entry, `${key} holds an unpaired surrogate, which no client can send`)
  }
  return value
}

/** Icons, where there are any. @see CONT-10 */
export function checkIcons(entry: string, icons: unknown): void {
  const fault = findIconsFault(icons)
  if (fault !== undefined) refuseEntry(entry, `icons ${fault}`)
}

/** `_meta`: an object whose keys are the host's own, or left out. @see META-08 to META-10 */
export function checkMeta(entry: string, meta: unknown): void {
  const fault = findMetaFault(meta)
  if (fault !== undefined) refuseEntry(entry, `_meta ${fault}`)
}

/**
 * Writes the members of an entry that are set, in the order given.
 *
 * @throws BEAM_ERR_CATALOG_ENTRY where a member has no JSON form, or one that loses it
 */
export function encodeEntry(entry: string, members: JsonObject): string {
  const encoding = encodeJson(members)
  return encoding.ok ? encoding.json : refuseEntry(entry, `it holds ${encoding.why}`)
}
