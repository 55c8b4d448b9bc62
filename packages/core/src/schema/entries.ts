// SPDX-License-Identifier: Apache-2.0
import type { DocumentIndex, Location, Resource } from './index-document.ts'
import { isObject, member } from './json.ts'
import type { Draft } from './lowered.ts'
import type { Refuse } from './refuse.ts'

/** Which resource's name each dynamic anchor means: the outermost one that was entered. */
export interface Scope {
  readonly key: string
  readonly anchors: ReadonlyMap<string, Location>
}

/** A subschema that references lead to, under one dynamic scope; it becomes a function of its own. */
export interface Entry {
  /** `#` for the root, `#/$defs/<number>` for others. */
  readonly reference: string
  readonly location: Location
  readonly scope: Scope
  /** Entries it refers to for the very value it is given. */
  readonly inPlace: Set<Entry>
  /** The schemas that become its function. */
  readonly drafts: Draft[]
}

/** The entries of a document, found as references are followed. */
export interface EntryBook {
  /** The scope inside a resource that is entered from another scope. */
  enter(scope: Scope, resource: Resource): Scope
  /** The entry of a location, made when it is first asked for. */
  entryFor(location: Location, scope: Scope): Entry
  /** The target of a `$dynamicRef` in a scope. */
  dynamicTarget(reference: string, from: Location, scope: Scope): Location
  /** Takes an entry that has not been lowered yet. */
  next(): Entry | undefined
  /**
   * Refuses a schema that would look at the same value for ever.
   *
   * @throws BEAM_ERR_SCHEMA_UNSUPPORTED on a circle of references on one value
   */
  refuseCircles(): void
}

export const NO_SCOPE: Scope = { key: '', anchors: new Map() }

/**
 * Creates the book of a document. A dynamic reference depends on the path by which it was reached, so
 * one location may have an entry for each dynamic scope: there are finitely many, and the limit on
 * subschemas bounds them.
 *
 * @see JSON Schema 2020-12, Core, section 8.2.3.2
 */
export function createEntryBook(index: DocumentIndex, refuse: Refuse): EntryBook {
  const isDynamic = index.keywords.has('$dynamicRef')
  const entries = new Map<string, Entry>()
  const waiting: Entry[] = []

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
    const entry = { reference, location, scope, inPlace: new Set<Entry>(), drafts: [] }
    entries.set(key, entry)
    waiting.push(entry)
    return entry
  }

  function dynamicTarget(reference: string, from: Location, scope: Scope): Location {
    const first = index.resolve(reference, from, '$dynamicRef')
    const name = isObject(first.schema) ? member(first.schema, '$dynamicAnchor') : undefined
    const isBookend = typeof name === 'string' && reference.endsWith(`#${name}`)
    return (isBookend ? scope.anchors.get(name) : undefined) ?? first
  }

  function refuseCircles(): void {
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

  return { enter, entryFor, dynamicTarget, next: () => waiting.shift(), refuseCircles }
}
