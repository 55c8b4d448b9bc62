// SPDX-License-Identifier: Apache-2.0
import { isSchema } from './dialect.ts'
import { isArray, isObject, type Json, type JsonObject, pointTo, setMember } from './json.ts'
import { mergeConstants } from './merge-constants.ts'

/** A lowered schema. */
export type Schema = JsonObject | boolean
/** A lowered schema in the making. */
export type Draft = Record<string, Json>
/** Lowers the subschema at a pointer of the author's document. */
export type LowerAt = (pointer: string) => Schema

/** A boolean schema in the form of an object: references lead to objects only. */
export function asObject(schema: Schema): JsonObject {
  if (isObject(schema)) return schema
  return schema === true ? {} : { not: {} }
}

/** The members of what should be an object. */
export function asMembers(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

/** Lowers each schema of an array. */
export function mapList(value: Json, base: string, lower: LowerAt): Schema[] {
  return isArray(value) ? value.map((_, index) => lower(pointTo(base, index))) : []
}

/** Lowers each schema of an object. */
export function mapMembers(value: Json, base: string, lower: LowerAt): JsonObject {
  const out: Draft = {}
  for (const key of Object.keys(asMembers(value))) setMember(out, key, lower(pointTo(base, key)))
  return out
}

/** Two references in one schema are two conditions on one value. */
export function addReference(draft: Draft, reference: string): void {
  if (draft['$ref'] === undefined) draft['$ref'] = reference
  else addAll(draft, [{ $ref: reference }])
}

/** Adds conditions on the same value. */
export function addAll(draft: Draft, schemas: readonly Schema[]): void {
  const known = draft['allOf']
  draft['allOf'] = [...(isArray(known) ? known : []), ...schemas]
}

/** Adds alternatives; those that are constants only become one enumeration. */
export function addAlternatives(draft: Draft, schemas: readonly Schema[]): void {
  const merged = mergeConstants(schemas)
  if (merged === undefined) draft['anyOf'] = schemas
  else addAll(draft, [{ enum: merged }])
}

/** Adds what a member's presence asks for: conditions, and names of other members. */
export function addDependencies(draft: Draft, value: Json, base: string, lower: LowerAt): void {
  const schemas: Draft = {}
  const lists: Draft = {}
  for (const [key, dependency] of Object.entries(asMembers(value))) {
    if (isSchema(dependency)) setMember(schemas, key, lower(pointTo(base, key)))
    else setMember(lists, key, dependency)
  }
  if (Object.keys(schemas).length > 0) draft['dependentSchemas'] = schemas
  if (Object.keys(lists).length > 0) draft['dependentRequired'] = lists
}

/** Whether a `type` names integers and would not take any other number. */
export function wantsIntegers(type: Json | undefined): boolean {
  const types = isArray(type) ? type : [type]
  return types.includes('integer') && !types.includes('number')
}
