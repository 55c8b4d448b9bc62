// SPDX-License-Identifier: Apache-2.0

/*
 * A second reading of JSON Schema 2020-12, written from the specification with no thought for speed:
 * the oracle that the compiled schemas are compared with. It knows one document without `$id`s inside.
 */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Schema = { [key: string]: Json }

/** What a subschema evaluated of the value it was applied to. */
interface Outcome {
  valid: boolean
  members: Set<string>
  items: Set<number>
}

/** Equality of JSON values by the specification's words: Core, section 4.2.2. */
export function isEqual(a: Json, b: Json): boolean {
  if (typeof a !== typeof b || (a === null) !== (b === null)) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, index) => isEqual(item, b[index] ?? null))
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const names = Object.keys(a)
  if (names.length !== Object.keys(b).length) return false
  return names.every((name) => Object.hasOwn(b, name) && isEqual(a[name] ?? null, b[name] ?? null))
}

/** Whether a value is valid under a schema. */
export function isValidPlainly(root: Schema, value: Json): boolean {
  return createJudge(root)(root, value).valid
}

function createJudge(root: Schema): (schema: Json, value: Json) => Outcome {
  const find = (reference: string): Json => {
    if (reference === '#') return root
    if (!reference.startsWith('#/')) return findAnchor(root, reference.slice(1)) ?? false
    return reference
      .slice(2)
      .split('/')
      .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<Json>((at, token) => (at as Schema)[token] ?? false, root)
  }

  const judge = (schema: Json, value: Json): Outcome => {
    const outcome: Outcome = { valid: true, members: new Set(), items: new Set() }
    if (typeof schema === 'boolean') return { ...outcome, valid: schema }
    const s = schema as Schema
    const apply = (inner: Json, mustHold = true): Outcome => {
      const found = judge(inner, value)
      if (found.valid) merge(outcome, found)
      else if (mustHold) outcome.valid = false
      return found
    }
    const need = (condition: boolean): void => {
      if (!condition) outcome.valid = false
    }

    if ('$ref' in s) apply(find(s['$ref'] as string))
    if ('$dynamicRef' in s) apply(find(s['$dynamicRef'] as string))
    for (const inner of (s['allOf'] as Json[] | undefined) ?? []) apply(inner)
    if ('anyOf' in s) need((s['anyOf'] as Json[]).map((one) => apply(one, false)).some(isValid))
    if ('oneOf' in s) {
      need((s['oneOf'] as Json[]).map((one) => apply(one, false)).filter(isValid).length === 1)
    }
    if ('not' in s) need(!judge(s['not'] ?? true, value).valid)
    if ('if' in s) {
      const branch = apply(s['if'] ?? true, false).valid ? 'then' : 'else'
      if (branch in s) apply(s[branch] ?? true)
    }
    judgeAny(s, value, need)
    if (typeof value === 'number') judgeNumber(s, value, need)
    if (typeof value === 'string') judgeText(s, value, need)
    if (Array.isArray(value)) judgeArray(s, value, need, outcome, judge)
    else if (typeof value === 'object' && value !== null) {
      judgeObject(s, value, need, outcome, judge, apply)
    }
    return outcome
  }
  return judge
}

type Need = (condition: boolean) => void
type Judge = (schema: Json, value: Json) => Outcome

function judgeAny(s: Schema, value: Json, need: Need): void {
  if ('const' in s) need(isEqual(s['const'] ?? null, value))
  if ('enum' in s) need((s['enum'] as Json[]).some((one) => isEqual(one, value)))
  if ('type' in s) need([s['type']].flat().some((type) => isOfType(value, type as string)))
}

function judgeNumber(s: Schema, value: number, need: Need): void {
  if ('minimum' in s) need(value >= (s['minimum'] as number))
  if ('maximum' in s) need(value <= (s['maximum'] as number))
  if ('exclusiveMinimum' in s) need(value > (s['exclusiveMinimum'] as number))
  if ('exclusiveMaximum' in s) need(value < (s['exclusiveMaximum'] as number))
  if ('multipleOf' in s) need(value % (s['multipleOf'] as number) === 0)
}

function judgeText(s: Schema, value: string, need: Need): void {
  const length = [...value].length
  if ('minLength' in s) need(length >= (s['minLength'] as number))
  if ('maxLength' in s) need(length <= (s['maxLength'] as number))
  if ('pattern' in s) need(new RegExp(s['pattern'] as string, 'u').test(value))
}

function judgeArray(s: Schema, value: Json[], need: Need, outcome: Outcome, judge: Judge): void {
  if ('minItems' in s) need(value.length >= (s['minItems'] as number))
  if ('maxItems' in s) need(value.length <= (s['maxItems'] as number))
  if (s['uniqueItems'] === true) {
    need(value.every((a, at) => value.every((b, other) => at === other || !isEqual(a, b))))
  }
  const prefix = (s['prefixItems'] as Json[] | undefined) ?? []
  const each = (from: number, schema: Json): void => {
    for (let index = from; index < value.length; index++) {
      need(judge(schema, value[index] ?? null).valid)
      outcome.items.add(index)
    }
  }
  for (const [index, schema] of prefix.entries()) {
    if (index >= value.length) break
    need(judge(schema, value[index] ?? null).valid)
    outcome.items.add(index)
  }
  if ('items' in s) each(prefix.length, s['items'] ?? true)
  if ('contains' in s) {
    const fitting = [...value.keys()].filter(
      (at) => judge(s['contains'] ?? true, value[at] ?? null).valid,
    )
    for (const index of fitting) outcome.items.add(index)
    need(fitting.length >= ((s['minContains'] as number | undefined) ?? 1))
    need(fitting.length <= ((s['maxContains'] as number | undefined) ?? Infinity))
  }
  if ('unevaluatedItems' in s) {
    const before = new Set(outcome.items)
    for (const index of value.keys()) {
      if (before.has(index)) continue
      need(judge(s['unevaluatedItems'] ?? true, value[index] ?? null).valid)
      outcome.items.add(index)
    }
  }
}

function judgeObject(
  s: Schema,
  value: Schema,
  need: Need,
  outcome: Outcome,
  judge: Judge,
  apply: (schema: Json) => Outcome,
): void {
  const names = Object.keys(value)
  const own = (key: string): Schema => (s[key] as Schema | undefined) ?? {}
  if ('minProperties' in s) need(names.length >= (s['minProperties'] as number))
  if ('maxProperties' in s) need(names.length <= (s['maxProperties'] as number))
  for (const name of (s['required'] as string[] | undefined) ?? []) need(Object.hasOwn(value, name))
  for (const [name, others] of Object.entries(own('dependentRequired'))) {
    if (names.includes(name)) need((others as string[]).every((other) => names.includes(other)))
  }
  for (const [name, inner] of Object.entries(own('dependentSchemas'))) {
    if (names.includes(name)) apply(inner)
  }
  if ('propertyNames' in s) {
    for (const name of names) need(judge(s['propertyNames'] ?? true, name).valid)
  }
  const check = (name: string, schema: Json): void => {
    need(judge(schema, value[name] ?? null).valid)
    outcome.members.add(name)
  }
  const declared = new Set<string>()
  for (const [name, inner] of Object.entries(own('properties'))) {
    if (!names.includes(name)) continue
    check(name, inner)
    declared.add(name)
  }
  for (const [pattern, inner] of Object.entries(own('patternProperties'))) {
    for (const name of names.filter((one) => new RegExp(pattern, 'u').test(one))) {
      check(name, inner)
      declared.add(name)
    }
  }
  if ('additionalProperties' in s) {
    for (const name of names) {
      if (!declared.has(name)) check(name, s['additionalProperties'] ?? true)
    }
  }
  if ('unevaluatedProperties' in s) {
    const before = new Set(outcome.members)
    for (const name of names) {
      if (!before.has(name)) check(name, s['unevaluatedProperties'] ?? true)
    }
  }
}

function isOfType(value: Json, type: string): boolean {
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}

function findAnchor(at: Json, name: string): Json | undefined {
  if (typeof at !== 'object' || at === null) return undefined
  if (!Array.isArray(at) && (at['$anchor'] === name || at['$dynamicAnchor'] === name)) return at
  for (const inner of Object.values(at)) {
    const found = findAnchor(inner, name)
    if (found !== undefined) return found
  }
  return undefined
}

function isValid(outcome: Outcome): boolean {
  return outcome.valid
}

function merge(into: Outcome, from: Outcome): void {
  for (const name of from.members) into.members.add(name)
  for (const index of from.items) into.items.add(index)
}
