// SPDX-License-Identifier: Apache-2.0
import { isInert, meetsContains } from './effect.ts'
import { createEntryBook, type Entry, type EntryBook, NO_SCOPE, type Scope } from './entries.ts'
import type { DocumentIndex, Location } from './index-document.ts'
import { isArray, isObject, type Json, type JsonObject, member, pointTo } from './json.ts'
import { SCHEMA_LIMITS } from './limits.ts'
import {
  addAll,
  addAlternatives,
  addDependencies,
  addReference,
  asMembers,
  asObject,
  type Draft,
  type LowerAt,
  mapList,
  mapMembers,
  type Schema,
  wantsIntegers,
} from './lowered.ts'
import type { PatternBook } from './pattern-book.ts'
import type { Refuse } from './refuse.ts'
import { weigh } from './weigh.ts'

/** What lowering one document needs. */
interface Lowering {
  readonly index: DocumentIndex
  readonly patterns: PatternBook
  readonly entries: EntryBook
  /** Code points of the longest text that a caller can send. */
  readonly maxValueLength: number
  readonly gathers: boolean
  readonly refuse: Refuse
  subschemas: number
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

/** One schema on its way. */
interface Job {
  readonly lowering: Lowering
  readonly location: Location
  readonly schema: JsonObject
  readonly place: Place
  readonly draft: Draft
  /** For subschemas of the same value. */
  readonly within: LowerAt
  /** For subschemas of one member or item. */
  readonly child: LowerAt
  /** For subschemas of any number of members or items. */
  readonly each: LowerAt
}

type Handler = (job: Job, value: Json, keyword: string, here: string) => void

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
  const entries = createEntryBook(index, refuse)
  const gathers = gathersEvaluated(index)
  const lowering = { index, patterns, entries, maxValueLength, gathers, refuse, subschemas: 0 }
  const root = entries.entryFor(index.root, NO_SCOPE)
  const lowered = new Map<Entry, Schema>()
  for (let entry = entries.next(); entry !== undefined; entry = entries.next()) {
    const place = { entry, scope: entry.scope, inPlace: true, repeated: true }
    lowered.set(entry, lower(lowering, entry.location, place))
    chargeLargeFunction(entry)
  }
  entries.refuseCircles()
  const definitions: Draft = {}
  for (const [entry, schema] of lowered) {
    if (entry !== root) definitions[entry.reference.slice('#/$defs/'.length)] = asObject(schema)
  }
  return { ...asObject(lowered.get(root) ?? true), $defs: definitions }
}

function lower(lowering: Lowering, location: Location, outer: Place): Schema {
  lowering.subschemas++
  if (lowering.subschemas > SCHEMA_LIMITS.subschemas) {
    const why = `it has more than ${SCHEMA_LIMITS.subschemas} subschemas; make it smaller`
    throw lowering.refuse('', why)
  }
  const { schema } = location
  if (!isObject(schema)) return schema
  const place = { ...outer, scope: lowering.entries.enter(outer.scope, location.resource) }
  const draft = lowerKeywords(createJob(lowering, location, schema, place))
  if (Object.keys(draft).length === 0) return true
  place.entry.drafts.push(draft)
  const { visit, perMember } = weigh(draft, lowering.gathers)
  // A light subschema that is visited as often as its parent is paid for by the parent.
  if (place.repeated || visit > LIGHT) draft['$visit'] = visit
  if (perMember > 0) draft['$perMember'] = perMember
  return draft
}

const LIGHT = 3
/** Schemas in one function past which V8 leaves it to the interpreter, and how much slower that is. */
const LARGE_FUNCTION = 250
const INTERPRETED = 6

function chargeLargeFunction({ drafts }: Entry): void {
  if (drafts.length <= LARGE_FUNCTION) return
  for (const draft of drafts) {
    const { $visit: visit } = draft
    if (typeof visit === 'number') draft['$visit'] = visit * INTERPRETED
  }
}

function createJob(lowering: Lowering, location: Location, schema: JsonObject, place: Place): Job {
  const at =
    (inPlace: boolean, repeated: boolean): LowerAt =>
    (pointer) => {
      const found = lowering.index.at(pointer)
      if (found === undefined) throw lowering.refuse(pointer, 'there is no schema')
      return lower(lowering, found, { ...place, inPlace, repeated })
    }
  return {
    lowering,
    location,
    schema,
    place,
    draft: {},
    within: at(place.inPlace, false),
    child: at(false, false),
    each: at(false, true),
  }
}

function lowerKeywords(job: Job): Draft {
  const { draft, location, lowering, schema } = job
  const { index, gathers } = lowering
  const reference = member(schema, '$ref')
  if (index.dialect.name === 'draft-07' && typeof reference === 'string') {
    // Draft-07 ignores whatever stands beside a reference.
    draft['$ref'] = refer(job, index.resolve(reference, location, '$ref'))
    return draft
  }
  for (const [keyword, value] of Object.entries(schema)) {
    if (isInert(keyword, schema, gathers)) continue
    const handle = HANDLERS.get(keyword)
    if (handle !== undefined) handle(job, value, keyword, pointTo(location.pointer, keyword))
    else if (index.dialect.keywords.get(keyword) === 'value') draft[keyword] = value
  }
  if (wantsIntegers(draft['type'])) draft['$integer'] = true
  return draft
}

function refer({ lowering, place }: Job, target: Location): string {
  const entry = lowering.entries.entryFor(target, place.scope)
  if (place.inPlace) place.entry.inPlace.add(entry)
  return entry.reference
}

const within: Handler = (job, _value, keyword, here) => {
  job.draft[keyword] = job.within(here)
}

const each: Handler = (job, _value, keyword, here) => {
  job.draft[keyword] = job.each(here)
}

const HANDLERS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['not', within],
  ['if', within],
  ['then', within],
  ['else', within],
  ['contains', each],
  ['additionalProperties', each],
  ['propertyNames', each],
  ['unevaluatedItems', unevaluatedItems],
  ['unevaluatedProperties', each],
  ['allOf', (job, value, _, here) => addAll(job.draft, mapList(value, here, job.within))],
  ['anyOf', (job, value, _, here) => addAlternatives(job.draft, mapList(value, here, job.within))],
  ['oneOf', listed((job) => job.within)],
  ['prefixItems', listed((job) => job.child)],
  ['dependentSchemas', dependencies],
  ['dependencies', dependencies],
  ['items', items],
  ['additionalItems', (job, value, _, here) => each(job, value, 'items', here)],
  [
    'properties',
    (job, value, keyword, here) => {
      job.draft[keyword] = mapMembers(value, here, job.child)
    },
  ],
  ['patternProperties', patternProperties],
  ['pattern', pattern],
  [
    '$ref',
    (job, value) => {
      addReference(
        job.draft,
        refer(job, job.lowering.index.resolve(String(value), job.location, '$ref')),
      )
    },
  ],
  [
    '$dynamicRef',
    (job, value) => {
      const { lowering, location, place } = job
      const target = lowering.entries.dynamicTarget(String(value), location, place.scope)
      addReference(job.draft, refer(job, target))
    },
  ],
])

function listed(lowerOf: (job: Job) => LowerAt): Handler {
  return (job, value, keyword, here) => {
    job.draft[keyword] = mapList(value, here, lowerOf(job))
  }
}

function dependencies(job: Job, value: Json, _keyword: string, here: string): void {
  addDependencies(job.draft, value, here, job.within)
}

/** Draft-07 writes `items` and `additionalItems` for what 2020-12 calls `prefixItems` and `items`. */
function items(job: Job, value: Json, keyword: string, here: string): void {
  if (isArray(value)) job.draft['prefixItems'] = mapList(value, here, job.child)
  else job.draft[keyword] = job.each(here)
}

/** What `contains` evaluates is no run of items from the start, which is all that is gathered. */
function unevaluatedItems(job: Job, value: Json, keyword: string, here: string): void {
  const { location, lowering } = job
  if (meetsContains(location, lowering.index)) {
    const why =
      "unevaluatedItems can't be enforced where contains evaluates the same array; use items"
    throw lowering.refuse(location.pointer, why)
  }
  each(job, value, keyword, here)
}

function pattern(job: Job, value: Json, keyword: string, here: string): void {
  admit(job.lowering, String(value), job.schema, 'maxLength', here)
  job.draft[keyword] = value
}

function patternProperties(job: Job, value: Json, keyword: string, here: string): void {
  const names = asMembers(member(job.schema, 'propertyNames'))
  for (const one of Object.keys(asMembers(value))) {
    admit(job.lowering, one, names, 'propertyNames.maxLength', pointTo(here, one))
  }
  job.draft[keyword] = mapMembers(value, here, job.each)
}

/** Admits a pattern for the longest text that can reach it: what `maxLength` beside it lets through. */
function admit(
  { patterns, maxValueLength }: Lowering,
  source: string,
  bounds: JsonObject,
  bound: string,
  pointer: string,
): void {
  const maxLength = member(bounds, 'maxLength')
  const longest = typeof maxLength === 'number' ? maxLength : maxValueLength
  patterns.admit(source, Math.min(longest, maxValueLength), bound, pointer)
}
