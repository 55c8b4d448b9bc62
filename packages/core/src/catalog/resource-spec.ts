// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'
import type { Completer } from './completion.ts'
import { type Annotations, findAnnotationsFault, type Icon } from './content.ts'
import {
  checkIcons,
  checkMeta,
  checkName,
  checkOptionalFunction,
  checkOptionalString,
  encodeEntry,
  entryLabel,
  refuseEntry,
} from './entry-faults.ts'
import { readUriTemplate } from './uri-template.ts'

interface ResourceFields {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly annotations?: Annotations
  readonly icons?: readonly Icon[]
  readonly _meta?: JsonObject
}

/** One resource by its uri. @see MCP 2026-07-28, Resources: RES-02 */
export interface ResourceSpec extends ResourceFields {
  /** Unique in the catalog; compared as it is written. */
  readonly uri: string
  /** Bytes of the contents, from 0. */
  readonly size?: number
}

/** A family of resources by a template of `{var}` and `{+var}`. @see RES-03 */
export interface ResourceTemplateSpec extends ResourceFields {
  readonly uriTemplate: string
  /** Completers by variable; never on the wire. */
  readonly complete?: Readonly<Record<string, Completer | undefined>>
}

/**
 * Checks a resource and writes its wire form.
 *
 * @returns the JSON text that `resources/list` carries for it
 * @throws BEAM_ERR_CATALOG_ENTRY naming the resource and the fix
 */
export function encodeResourceSpec(spec: JsonObject): string {
  const entry = entryLabel('resource', spec['uri'])
  const uri = checkName(entry, spec, 'uri')
  const { size } = spec
  if (size !== undefined && !(Number.isSafeInteger(size) && Number(size) >= 0)) {
    refuseEntry(entry, 'size must be a whole number of bytes from 0, or left out')
  }
  return encodeEntry(entry, { uri, ...commonMembers(entry, spec), size })
}

/**
 * Checks a resource template and writes its wire form.
 *
 * @returns the JSON text that `resources/templates/list` carries, the matcher and the variables
 * @throws BEAM_ERR_CATALOG_ENTRY naming the template and the fix
 */
export function encodeResourceTemplateSpec(spec: JsonObject): {
  readonly json: string
  readonly matches: (uri: string) => boolean
  readonly variables: ReadonlySet<string>
} {
  const entry = entryLabel('resource template', spec['uriTemplate'])
  const uriTemplate = checkName(entry, spec, 'uriTemplate')
  const reading = readUriTemplate(uriTemplate)
  if (!reading.ok) {
    return refuseEntry(entry, `${reading.why} is not understood; use {var} or {+var}`)
  }
  const { matches, variables } = reading
  checkCompleters(entry, spec['complete'], variables)
  const json = encodeEntry(entry, { uriTemplate, ...commonMembers(entry, spec) })
  return { json, matches, variables }
}

function checkCompleters(entry: string, given: unknown, variables: ReadonlySet<string>): void {
  if (given === undefined) return
  if (!isJsonObject(given)) {
    return refuseEntry(entry, 'complete must be an object of a function per variable, or left out')
  }
  const listed = variables.size === 0 ? 'it has none' : `there are: ${[...variables].join(', ')}`
  for (const name of Object.keys(given)) {
    if (!variables.has(name)) {
      refuseEntry(entry, `complete has '${name}', which is no variable of the template; ${listed}`)
    }
    checkOptionalFunction(entry, given, name, `complete.${name}`)
  }
}

function commonMembers(entry: string, spec: JsonObject): JsonObject {
  const name = checkName(entry, spec, 'name')
  for (const key of ['title', 'description', 'mimeType']) checkOptionalString(entry, spec, key)
  const fault = findAnnotationsFault(spec['annotations'])
  if (fault !== undefined) refuseEntry(entry, `annotations: ${fault}`)
  checkIcons(entry, spec['icons'])
  checkMeta(entry, spec['_meta'])
  const { title, description, mimeType, annotations, icons, _meta } = spec
  return { name, title, description, mimeType, annotations, icons, _meta }
}

/** Says which of the two a listed entry is; a template is known by its `uriTemplate`. */
export function isTemplateSpec(spec: unknown): spec is JsonObject {
  return isJsonObject(spec) && spec['uriTemplate'] !== undefined
}
