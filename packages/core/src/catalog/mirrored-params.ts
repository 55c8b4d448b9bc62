// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject, ownMember } from '../protocol/plain.ts'
import { refuseEntry } from './entry-faults.ts'

/** One argument that a client repeats in a header, so that a proxy can route by it. */
export interface MirroredParam {
  /** The chain of property names from the arguments to the value. */
  readonly path: readonly string[]
  /** The annotation as the schema spells it: the header is `Mcp-Param-<name>`. */
  readonly name: string
  /** The header's name in lower case. */
  readonly field: string
  readonly type: 'string' | 'integer' | 'boolean'
}

const KEYWORD = 'x-mcp-header'
const TOKEN = /^[A-Za-z0-9!#$%&'*+\-.^_`|~]+$/
const DATA_KEYWORDS = new Set(['default', 'examples', 'const', 'enum', 'required', 'type'])
const MAPS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
])

/**
 * Finds the arguments that a tool's schema mirrors into headers, and refuses an annotation that a
 * client would have to drop the tool for.
 *
 * @param schema  an input schema whose depth is already bounded
 * @throws BEAM_ERR_CATALOG_ENTRY naming the tool, the place and the fix
 * @see MCP 2026-07-28, Streamable HTTP, Schema Extension: HDR-15, HDR-18 to HDR-20
 */
export function readMirroredParams(entry: string, schema: object): readonly MirroredParam[] {
  const found: MirroredParam[] = []
  visit({ entry, found }, schema, [], true)
  const seen = new Map<string, string>()
  for (const { field, name } of found) {
    const other = seen.get(field)
    if (other !== undefined) {
      refuseEntry(entry, `${KEYWORD} '${name}' is used twice (case does not count); rename one`)
    }
    seen.set(field, name)
  }
  return found
}

interface Sweep {
  readonly entry: string
  readonly found: MirroredParam[]
}

/** @param reachable  whether the place is reached through `properties` alone */
function visit(sweep: Sweep, schema: unknown, path: readonly string[], reachable: boolean): void {
  if (Array.isArray(schema)) {
    for (const item of schema as readonly unknown[]) visit(sweep, item, path, false)
    return
  }
  if (!isJsonObject(schema)) return
  if (Object.hasOwn(schema, KEYWORD)) collect(sweep, schema, path, reachable)
  for (const key of Object.keys(schema)) {
    const value = schema[key]
    if (MAPS.has(key)) visitMap(sweep, value, path, reachable && key === 'properties')
    else if (!DATA_KEYWORDS.has(key) && !key.startsWith('x-')) visit(sweep, value, path, false)
  }
}

function visitMap(sweep: Sweep, map: unknown, path: readonly string[], reachable: boolean): void {
  if (!isJsonObject(map)) return
  for (const key of Object.keys(map)) visit(sweep, map[key], [...path, key], reachable)
}

function collect(
  { entry, found }: Sweep,
  schema: JsonObject,
  path: readonly string[],
  reachable: boolean,
): void {
  const place = path.length === 0 ? 'the root' : `property '${path.join('.')}'`
  const name = schema[KEYWORD]
  if (typeof name !== 'string' || !TOKEN.test(name)) {
    return refuseEntry(entry, `${place}: ${KEYWORD} must be a header token such as 'Region'`)
  }
  if (!reachable || path.length === 0) {
    return refuseEntry(
      entry,
      `${place}: ${KEYWORD} '${name}' must stand on a property reached through 'properties' alone`,
    )
  }
  const { type } = schema
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') {
    return refuseEntry(
      entry,
      `${place}: ${KEYWORD} '${name}' needs "type" to be exactly string, integer or boolean`,
    )
  }
  found.push({ path, name, field: `mcp-param-${name.toLowerCase()}`, type })
}

/**
 * Reads the value that a header mirrors.
 *
 * @returns the value in the body; `undefined` where it is absent or null, which expect no header
 */
export function mirroredValue(args: JsonObject, path: readonly string[]): unknown {
  let value: unknown = args
  for (const key of path) {
    if (!isJsonObject(value)) return undefined
    value = ownMember(value, key)
  }
  return value === null ? undefined : value
}
