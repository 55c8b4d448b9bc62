// SPDX-License-Identifier: Apache-2.0
import { isSchema } from './dialect.ts'
import type { DocumentIndex, Location, Resource } from './index-document.ts'
import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  member,
  pointTo,
  setMember,
} from './json.ts'
import { SCHEMA_LIMITS } from './limits.ts'
import { mergeConstants } from './merge-constants.ts'
import type { PatternBook } from './pattern-book.ts'
import type { Refuse } from './refuse.ts'
import { weigh } from './weigh.ts'

type Schema = JsonObject | boolean
type Draft = Record<string, Json>

/** Which resource's name each dynamic anchor means: the outermost one that was entered. */
interface Scope {
  readonly key: string
  readonly anchors: ReadonlyMap<string, Location>
}

/** A subschema that references lead to, under one dynamic scope; it becomes a function of its own. */
interface Entry {
  readonly reference: string
  readonly location: Location
  readonly scope: Scope
  /** Entries it refers to for the very value it is given. */
  readonly inPlace: Set<Entry>
}

/** Where in an entry the lowering is. */
interface Place {
  readonly entry: Entry
  readonly scope: Scope
  /** Whether the subschema is applied to the value that the entry was given. */
  readonly inPlace: boolean
  /** Whether it may be visited once per member or item, and so must charge each visit. */
  readonly repeated: boolean
}

const CONDITIONS = ['then', 'else'] as const
const NO_SCOPE: Scope = { key: '', anchors: new Map() }

/** Whether a document gathers which members and items its subschemas evaluated. */
export function gathersEvaluated(index: DocumentIndex): boolean {
  return index.keywords.has('unevaluatedProperties') || index.keywords.has('unevaluatedItems')
}

/**
 * Rewrites a schema document into the form that is compiled: notes left out, every reference (dynamic
 * ones too) resolved to an entry under `$defs`, patterns admitted, each subschema given its weight.
 * The author's document stays as it is.
 *
 * @throws BEAM_ERR_SCHEMA_UNSUPPORTED on what can't be enforced, and on a form that is too large
 */
export function lowerDocument(
  index: DocumentIndex,
  patterns: PatternBook,
  maxValueLength: number,
  refuse: Refuse,
): JsonObject {
  const isDraft07 = index.dialect.name === 'draft-07'
  const gathers = gathersEvaluated(index)
  const isDynamic = index.keywords.has('$dynamicRef')
  const entries = new Map<string, Entry>()
  const waiting: Entry[] = []
  let subschemas = 0

  function enter(scope: Scope, resource: Resource): Scope {
    if (!isDynamic) return NO_SCOPE
    const added = [...resource.dynamicAnchors].filter(([name]) => !scope.anchors.has(name))
    if (added.length === 0) return scope
    const anchors = new Map([...scope.anchors, ...added])
    const names = [...anchors].map(([name, { pointer }]) => `${name} ${pointer}`)
    return { key: names.sort().join('\n'), anchors }
  }

  function entryFor(location: Location, outer: Scope): Entry {
    const scope = enter(outer, location.resource)
    const key = `${location.pointer}\n${scope.key}`
    const known = entries.get(key)
    if (known !== undefined) return known
    const reference = entries.size === 0 ? '#' : `#/$defs/${entries.size}`
    const entry = { reference, location, scope, inPlace: new Set<Entry>() }
    entries.set(key, entry)
    waiting.push(entry)
    return entry
  }

  function refer(target: Location, place: Place): string {
    const entry = entryFor(target, place.scope)
    if (place.inPlace) place.entry.inPlace.add(entry)
    return entry.reference
  }

  /** The target of a `$dynamicRef`: Core, section 8.2.3.2. */
  function dynamicTarget(reference: string, from: Location, scope: Scope): Location {
    const first = index.resolve(reference, from)
    const name = isObject(first.schema) ? member(first.schema, '$dynamicAnchor') : undefined
    const isBookend = typeof name === 'string' && reference.endsWith(`#${name}`)
    return (isBookend ? scope.anchors.get(name) : undefined) ?? first
  }

  function lower(location: Location, place: Place): Schema {
    subschemas++
    if (subschemas > SCHEMA_LIMITS.subschemas) {
      throw refuse('', `it has more than ${SCHEMA_LIMITS.subschemas} subschemas; make it smaller`)
    }
    const { schema } = location
    if (!isObject(schema)) return schema
    const scope = enter(place.scope, location.resource)
    const draft = lowerKeywords(schema, location, { ...place, scope })
    if (Object.keys(draft).length === 0) return true
    const { visit, perMember } = weigh(draft, gathers)
    // A light subschema that is visited as often as its parent is paid for by the parent.
    if (place.repeated || visit > 3) draft['$visit'] = visit
    if (perMember > 0) draft['$perMember'] = perMember
    return draft
  }

  function lowerKeywords(schema: JsonObject, location: Location, place: Place): Draft {
    const draft: Draft = {}
    const reference = member(schema, '$ref')
    if (isDraft07 && typeof reference === 'string') {
      draft['$ref'] = refer(index.resolve(reference, location), place)
      return draft
    }
    refuseWithoutEffect(schema, location)
    for (const [keyword, value] of Object.entries(schema)) {
      lowerKeyword(draft, keyword, value, location, place)
    }
    if (needsSafeInteger(draft['type'])) draft['$integer'] = true
    return draft
  }

  function lowerKeyword(
    draft: Draft,
    keyword: string,
    value: Json,
    location: Location,
    place: Place,
  ): void {
    const here = pointTo(location.pointer, keyword)
    const within = (pointer: string): Schema => lower(find(pointer), { ...place, repeated: false })
    const child = (pointer: string): Schema =>
      lower(find(pointer), { ...place, inPlace: false, repeated: false })
    const each = (pointer: string): Schema =>
      lower(find(pointer), { ...place, inPlace: false, repeated: true })

    switch (keyword) {
      case '$ref':
        return addReference(draft, refer(index.resolve(String(value), location), place))
      case '$dynamicRef': {
        const target = dynamicTarget(String(value), location, place.scope)
        return addReference(draft, refer(target, place))
      }
      case 'not':
      case 'if':
      case 'then':
      case 'else':
        draft[keyword] = within(here)
        return
      case 'allOf':
        return addAll(draft, mapList(value, here, within))
      case 'anyOf':
        return addAlternatives(draft, mapList(value, here, within))
      case 'oneOf':
        draft[keyword] = mapList(value, here, within)
        return
      case 'properties':
        draft[keyword] = mapMembers(value, here, child)
        if (isObject(value) && Object.hasOwn(value, '__proto__')) declarePrototype(draft, here)
        return
      case 'patternProperties':
        admitNames(value, location)
        refuseTooMany(value, here)
        draft[keyword] = { ...asMembers(draft[keyword]), ...mapMembers(value, here, each) }
        return
      case 'dependentSchemas':
      case 'dependencies':
        return addDependencies(draft, value, here, within)
      case 'prefixItems':
        draft[keyword] = mapList(value, here, child)
        return
      case 'items':
        // Draft-07 writes `items` and `additionalItems` for what 2020-12 calls `prefixItems` and `items`.
        if (isArray(value)) draft['prefixItems'] = mapList(value, here, child)
        else draft[keyword] = each(here)
        return
      case 'additionalItems':
        draft['items'] = each(here)
        return
      case 'contains':
      case 'additionalProperties':
      case 'propertyNames':
      case 'unevaluatedItems':
      case 'unevaluatedProperties':
        draft[keyword] = each(here)
        return
      case 'pattern':
        admit(String(value), schemaOf(location), 'maxLength', here)
        draft[keyword] = value
        return
      default:
        if (index.dialect.keywords.get(keyword) === 'value') draft[keyword] = value
    }
  }

  function find(pointer: string): Location {
    const location = index.at(pointer)
    if (location === undefined) throw refuse(pointer, 'there is no schema')
    return location
  }

  function admitNames(value: Json, location: Location): void {
    const names = member(schemaOf(location), 'propertyNames')
    const bounds = isObject(names) ? names : {}
    for (const pattern of Object.keys(asMembers(value))) {
      const here = pointTo(pointTo(location.pointer, 'patternProperties'), pattern)
      if (pattern === '__proto__')
        throw refuse(here, 'that name can only be matched as ^__proto__$')
      admit(pattern, bounds, 'propertyNames.maxLength', here)
    }
  }

  function admit(pattern: string, bounds: JsonObject, bound: string, pointer: string): void {
    const maxLength = member(bounds, 'maxLength')
    const longest = typeof maxLength === 'number' ? maxLength : maxValueLength
    patterns.admit(pattern, Math.min(longest, maxValueLength), bound, pointer)
  }

  /** Ajv leaves a property of this name out of `properties`' neighbours; a pattern brings it back. */
  function declarePrototype(draft: Draft, pointer: string): void {
    if (gathers) throw refuse(pointer, 'a property "__proto__" can\'t stand beside unevaluated…')
    patterns.admit('^__proto__$', maxValueLength, 'propertyNames.maxLength', pointer)
    draft['patternProperties'] = { ...asMembers(draft['patternProperties']), '^__proto__$': true }
  }

  function refuseWithoutEffect(schema: JsonObject, location: Location): void {
    const has = (keyword: string): boolean => Object.hasOwn(schema, keyword)
    const refuseKeyword = (keyword: string, missing: string): Error =>
      refuse(location.pointer, `${keyword} has no effect without ${missing}; add one or remove it`)
    for (const keyword of CONDITIONS)
      if (has(keyword) && !has('if')) throw refuseKeyword(keyword, 'if')
    if (has('if') && !has('then') && !has('else') && !gathers) {
      throw refuseKeyword('if', 'then or else')
    }
    for (const keyword of ['minContains', 'maxContains']) {
      if (has(keyword) && !has('contains')) throw refuseKeyword(keyword, 'contains')
    }
    if (has('additionalItems') && !isArray(member(schema, 'items'))) {
      throw refuseKeyword('additionalItems', 'items as an array')
    }
    if (has('unevaluatedItems') && index.keywords.has('contains')) {
      throw refuse(
        location.pointer,
        "unevaluatedItems can't be enforced in a document that has contains; use items",
      )
    }
  }

  function refuseTooMany(value: Json, pointer: string): void {
    const size = typeof value === 'object' && value !== null ? Object.keys(value).length : 0
    if (size <= SCHEMA_LIMITS.entries) return
    throw refuse(pointer, `it has more than ${SCHEMA_LIMITS.entries} entries; make it smaller`)
  }

  /** Refuses a schema that would look at the same value for ever. */
  function refuseLoops(): void {
    const done = new Set<Entry>()
    const open = new Set<Entry>()
    const visit = (entry: Entry): void => {
      if (done.has(entry)) return
      if (open.has(entry)) {
        throw refuse(entry.location.pointer, 'it refers to itself without going into the value')
      }
      open.add(entry)
      for (const next of entry.inPlace) visit(next)
      open.delete(entry)
      done.add(entry)
    }
    for (const entry of entries.values()) visit(entry)
  }

  const first = entryFor(index.root, NO_SCOPE)
  const definitions: Draft = {}
  let root: Schema = true
  for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
    const place = { entry, scope: entry.scope, inPlace: true, repeated: true }
    const lowered = lower(entry.location, place)
    if (entry === first) root = lowered
    else definitions[entry.reference.slice('#/$defs/'.length)] = asObject(lowered)
  }
  refuseLoops()
  return { ...asObject(root), $defs: definitions }
}

function schemaOf(location: Location): JsonObject {
  return isObject(location.schema) ? location.schema : {}
}

function asMembers(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

/** A boolean schema in the form of an object: references lead to objects only. */
function asObject(schema: Schema): JsonObject {
  if (isObject(schema)) return schema
  return schema === true ? {} : { not: {} }
}

function mapList(value: Json, base: string, map: (pointer: string) => Schema): Schema[] {
  return isArray(value) ? value.map((_, index) => map(pointTo(base, index))) : []
}

function mapMembers(value: Json, base: string, map: (pointer: string) => Schema): JsonObject {
  const out: Draft = {}
  for (const key of Object.keys(asMembers(value))) setMember(out, key, map(pointTo(base, key)))
  return out
}

/** Two references in one schema are two conditions on one value. */
function addReference(draft: Draft, reference: string): void {
  if (draft['$ref'] === undefined) draft['$ref'] = reference
  else addAll(draft, [{ $ref: reference }])
}

function addAll(draft: Draft, schemas: readonly Schema[]): void {
  const known = draft['allOf']
  draft['allOf'] = [...(isArray(known) ? known : []), ...schemas]
}

/** An `anyOf` of constants only is one enumeration. */
function addAlternatives(draft: Draft, schemas: readonly Schema[]): void {
  const merged = mergeConstants(schemas)
  if (merged === undefined) draft['anyOf'] = schemas
  else addAll(draft, [{ enum: merged }])
}

/** A dependency is a condition on a member's presence, or a list of names. */
function addDependencies(
  draft: Draft,
  value: Json,
  base: string,
  within: (pointer: string) => Schema,
): void {
  const names: Draft = {}
  for (const [key, dependency] of Object.entries(asMembers(value))) {
    if (isSchema(dependency)) {
      addAll(draft, [{ if: { type: 'object', required: [key] }, then: within(pointTo(base, key)) }])
    } else setMember(names, key, dependency)
  }
  if (Object.keys(names).length > 0) draft['dependentRequired'] = names
}

/** Whether a `type` names integers and would not take any other number. */
function needsSafeInteger(type: Json | undefined): boolean {
  const types = isArray(type) ? type : [type]
  return types.includes('integer') && !types.includes('number')
}
