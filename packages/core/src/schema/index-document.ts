// SPDX-License-Identifier: Apache-2.0
import { type Dialect, dialectOf, shapeOf, subschemasOf } from './dialect.ts'
import { cut, isObject, type JsonObject, member, pointTo } from './json.ts'
import { equalsJson } from './json-equality.ts'
import type { Refuse } from './refuse.ts'

/** A subschema and where it stands. */
export interface Location {
  /** From the document's root, `''` for the root. */
  readonly pointer: string
  readonly schema: JsonObject | boolean
  readonly resource: Resource
}

/** The document, or a part of it that has an `$id` of its own. */
export interface Resource {
  /** Absolute, without a fragment. */
  readonly uri: string
  readonly pointer: string
  /** Names given by `$anchor`, `$dynamicAnchor` and draft-07's `$id: "#…"`. */
  readonly anchors: Map<string, Location>
  /** Those among them that `$dynamicAnchor` gave. */
  readonly dynamicAnchors: Map<string, Location>
}

/** Everything of a schema document that references need. */
export interface DocumentIndex {
  readonly dialect: Dialect
  readonly root: Location
  /** Every keyword that occurs. */
  readonly keywords: ReadonlySet<string>
  /** The subschema at a pointer from the root. */
  at(pointer: string): Location | undefined
  /**
   * Follows a reference.
   *
   * @throws BEAM_ERR_SCHEMA_UNSUPPORTED where it leaves the document or leads to no schema
   */
  resolve(reference: string, from: Location, keyword: string): Location
}

/** Stands for the place that a document without an `$id` was read from; nothing is ever read there. */
const BASE = 'schema://document/'

/**
 * Walks a schema document: refuses keywords that its dialect lacks, and records where its subschemas,
 * `$id`s and anchors are.
 *
 * @param document  plain JSON that is valid by its dialect's meta-schema
 * @throws BEAM_ERR_SCHEMA_UNSUPPORTED on an unknown keyword, a second dialect, or a name given to
 *   two different schemas
 * @see JSON Schema 2020-12, Core, sections 8.2 and 9
 */
export function indexDocument(
  document: JsonObject,
  dialect: Dialect,
  refuse: Refuse,
): DocumentIndex {
  const locations = new Map<string, Location>()
  const resources = new Map<string, Resource>()
  const keywords = new Set<string>()

  function walk(schema: JsonObject | boolean, pointer: string, outer: Resource): Location {
    const resource = isObject(schema) ? enterResource(schema, pointer, outer) : outer
    const location = { pointer, schema, resource }
    locations.set(pointer, location)
    if (!isObject(schema)) return location
    nameLocation(location, schema)
    for (const [keyword, value] of Object.entries(schema)) {
      const shape = shapeOf(dialect, keyword, pointer, refuse)
      if (shape !== 'note') keywords.add(keyword)
      const base = pointTo(pointer, keyword)
      for (const [token, inner] of subschemasOf(shape, value)) {
        walk(inner, token === undefined ? base : pointTo(base, token), resource)
      }
    }
    return location
  }

  function enterResource(schema: JsonObject, pointer: string, outer: Resource): Resource {
    const id = member(schema, '$id')
    // A draft-07 reference has no siblings: an $id beside it gives no base.
    const isIgnored = dialect.name === 'draft-07' && member(schema, '$ref') !== undefined
    const uri = typeof id === 'string' && !isIgnored ? id.replace(/#.*$/, '') : ''
    const named = member(schema, '$schema')
    if (named !== undefined && dialectOf(named, pointer, refuse).name !== dialect.name) {
      throw refuse(pointer, '$schema names another dialect than the root; use one in a document')
    }
    if (uri === '') return outer
    return addResource(absolute(uri, outer.uri, pointer), pointer, schema)
  }

  function addResource(uri: string, pointer: string, schema: JsonObject): Resource {
    const resource = { uri, pointer, anchors: new Map(), dynamicAnchors: new Map() }
    const known = resources.get(uri)
    if (known === undefined) resources.set(uri, resource)
    else if (!isSame(locations.get(known.pointer), schema)) {
      throw refuse(pointer, `$id ${quote(uri)} is given twice, to different schemas; change one`)
    }
    // Of equal schemas under one name the first is what the name leads to: they mean the same.
    return resource
  }

  function nameLocation(location: Location, schema: JsonObject): void {
    const { anchors, dynamicAnchors } = location.resource
    const fixed = dialect.name === 'draft-07' ? fragmentId(schema) : member(schema, '$anchor')
    const dynamic = member(schema, '$dynamicAnchor')
    for (const name of new Set([fixed, dynamic])) {
      if (typeof name !== 'string') continue
      const known = anchors.get(name)
      if (known === undefined) anchors.set(name, location)
      else if (!isSame(known, schema)) {
        const why = `anchor ${quote(name)} is given twice, to different schemas; change one`
        throw refuse(location.pointer, why)
      }
    }
    if (typeof dynamic === 'string' && !dynamicAnchors.has(dynamic)) {
      dynamicAnchors.set(dynamic, location)
    }
  }

  function absolute(reference: string, base: string, pointer: string): string {
    try {
      return new URL(reference, base).href
    } catch {
      throw refuse(pointer, `${quote(reference)} is not a URI that can be read here`)
    }
  }

  function resolve(reference: string, from: Location, keyword: string): Location {
    const pointer = pointTo(from.pointer, keyword)
    const target = new URL(absolute(reference, from.resource.uri, pointer))
    const fragment = decode(target.hash.slice(1))
    target.hash = ''
    const resource = resources.get(target.href.replace(/#$/, ''))
    if (resource === undefined) {
      throw refuse(
        pointer,
        `reference ${quote(reference)} leaves the document, and nothing is fetched; copy what it names into $defs`,
      )
    }
    const found = fragment.startsWith('/')
      ? locations.get(resource.pointer + fragment)
      : fragment === ''
        ? locations.get(resource.pointer)
        : resource.anchors.get(fragment)
    if (found !== undefined) return found
    throw refuse(pointer, `reference ${quote(reference)} leads to no schema in the document`)
  }

  const outermost = addResource(BASE, '', document)
  const root = walk(document, '', outermost)
  return { dialect, root, keywords, at: (pointer) => locations.get(pointer), resolve }
}

/** Whether a schema says the same as another one that has the same base. */
function isSame(known: Location | undefined, schema: JsonObject): boolean {
  return known !== undefined && equalsJson(known.schema, schema, { left: Number.POSITIVE_INFINITY })
}

/** Draft-07 gives a name with `$id: "#name"`. */
function fragmentId(schema: JsonObject): string | undefined {
  const id = member(schema, '$id')
  if (typeof id !== 'string' || member(schema, '$ref') !== undefined) return undefined
  const fragment = /#(.+)$/.exec(id)?.[1]
  return fragment
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function quote(text: string): string {
  return cut(JSON.stringify(text), 200)
}
