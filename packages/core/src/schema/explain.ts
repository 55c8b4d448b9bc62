// SPDX-License-Identifier: Apache-2.0
import type { ErrorObject } from 'ajv'
import { describeSchema, describeType, writeList, writeValue } from './describe-schema.ts'
import { createFollow } from './follow.ts'
import { cut, isArray, isObject, type Json, type JsonObject } from './json.ts'
import { quoteName, readPath, writePath } from './value-path.ts'

/** The first thing found wrong with a value. Nothing in it repeats what was sent, names apart. */
export interface SchemaFault {
  /** `arguments` for the whole value, `opts.mode`, `tags[1]`. */
  readonly path: string
  /** The keyword that failed, in the schema's own dialect; `work` when the budget ran out. */
  readonly keyword: string
  /** One sentence: where, and what was expected there. */
  readonly message: string
  /** What the keyword wants, as JSON; long lists are cut. */
  readonly expected?: { readonly [keyword: string]: Json }
}

/** What a keyword says when it fails: the end of a sentence that begins with the path. */
interface Verdict {
  readonly text: string
  readonly expected?: Json
}

interface Failure {
  readonly error: ErrorObject
  /** The value that failed. */
  readonly value: unknown
  /** The keyword's value in the lowered schema. */
  readonly limit: Json
  readonly lowered: JsonObject
}

/** Entries of `expected` lists. */
const MAX_EXPECTED = 50
/** Characters of the alternatives of `anyOf` together. */
const MAX_ALTERNATIVES = 400
const MAX_PATTERN = 256

/**
 * Turns what the generated code reports into one sentence.
 *
 * @param errors  as the generated function left them; the first is the innermost
 * @param value   the whole value
 */
export function explainFailure(
  errors: readonly ErrorObject[],
  value: unknown,
  lowered: JsonObject,
): SchemaFault {
  const [error] = errors
  if (error === undefined)
    return { path: 'arguments', keyword: 'schema', message: 'arguments are not valid' }
  const limit: Json = isJson(error.schema) ? error.schema : null
  const verdict = judge({ error, value: readPath(error.instancePath, value), limit, lowered })
  const path = writePath(error.instancePath, value)
  const keyword = KEYWORD_NAMES[error.keyword] ?? error.keyword
  const { propertyName } = error
  const subject =
    propertyName === undefined ? path : `the member name ${quoteName(propertyName)} in ${path}`
  const message = `${subject} ${verdict.text}`
  return verdict.expected === undefined
    ? { path, keyword, message }
    : { path, keyword, message, expected: { [keyword]: verdict.expected } }
}

/** The fault of a value that asks for more work than one validation may do. */
export function explainOverload(): SchemaFault {
  return {
    path: 'arguments',
    keyword: 'work',
    message: 'arguments take too much work to check; send fewer or smaller values',
  }
}

/** Keywords that the lowered form calls otherwise than the author did. */
const KEYWORD_NAMES: Readonly<Record<string, string>> = {
  $integer: 'type',
  'false schema': 'not',
}

function judge(failure: Failure): Verdict {
  const { error, limit } = failure
  const known = VERDICTS[error.keyword]
  return known === undefined
    ? { text: `must fit ${error.keyword}`, expected: limit }
    : known(failure)
}

/** A verdict for keywords whose value is a number or a text. */
function plain(words: string, noun = ''): (failure: Failure) => Verdict {
  return ({ limit }) => {
    const unit = noun === '' ? '' : ` ${noun}${limit === 1 ? '' : 's'}`
    return { text: `${words} ${String(limit)}${unit}`, expected: limit }
  }
}

const VERDICTS: Readonly<Record<string, (failure: Failure) => Verdict>> = {
  type: ({ limit }) => ({ text: `must be ${describeType(limit)}`, expected: limit }),
  $integer: () => ({
    text: `must be an integer within ±${Number.MAX_SAFE_INTEGER}`,
    expected: 'integer',
  }),
  minimum: plain('must be at least'),
  maximum: plain('must be at most'),
  exclusiveMinimum: plain('must be greater than'),
  exclusiveMaximum: plain('must be less than'),
  multipleOf: plain('must be a multiple of'),
  minLength: plain('must have at least', 'character'),
  maxLength: plain('must have at most', 'character'),
  minItems: plain('must have at least', 'item'),
  maxItems: plain('must have at most', 'item'),
  minProperties: plain('must have at least', 'member'),
  maxProperties: plain('must have at most', 'member'),
  pattern: ({ limit }) => ({
    text: `must match the pattern ${cut(String(limit), MAX_PATTERN)}`,
    expected: limit,
  }),
  enum: ({ limit }) => {
    const values = isArray(limit) ? limit : []
    return {
      text: `must be ${writeList(values.map(writeValue), 'or')}`,
      expected: values.slice(0, MAX_EXPECTED),
    }
  },
  const: ({ limit }) => ({ text: `must be ${writeValue(limit)}`, expected: limit }),
  required: ({ limit, value }) => missing(namesIn(limit), value, ''),
  dependentRequired: ({ limit, value }) => missingDependents(limit, value),
  uniqueItems: ({ error }) => ({
    text: `must not have equal items: items ${error.params['first']} and ${error.params['second']} are equal`,
    expected: true,
  }),
  additionalProperties: ({ error }) => unknownMember(error, error.params['name']),
  unevaluatedProperties: ({ error }) => unknownMember(error, error.params['name']),
  unevaluatedItems: ({ error }) => tooManyItems(error),
  items: ({ error }) => tooManyItems(error),
  additionalItems: ({ error }) => tooManyItems(error),
  contains: ({ error }) => judgeContains(error),
  not: ({ limit }) => ({ text: 'must not be what the schema forbids there', expected: limit }),
  'false schema': () => ({ text: 'is not allowed there', expected: {} }),
  propertyNames: () => ({ text: 'has a member whose name is not allowed' }),
  anyOf: (failure) => alternatives(failure, 'at least one'),
  oneOf: (failure) =>
    Number(failure.error.params['passing']) < 2
      ? alternatives(failure, 'exactly one')
      : { text: 'must fit exactly one of its alternatives, but fits several' },
}

function namesIn(value: Json): readonly string[] {
  return isArray(value) ? value.filter((name) => typeof name === 'string') : []
}

function missing(names: readonly string[], value: unknown, reason: string): Verdict {
  const object = typeof value === 'object' && value !== null ? value : {}
  const absent = names.filter((name) => !Object.hasOwn(object, name))
  const quoted = writeList(absent.map(quoteName), 'and')
  return {
    text: `must have the member${absent.length === 1 ? '' : 's'} ${quoted}${reason}`,
    expected: absent.slice(0, MAX_EXPECTED),
  }
}

function missingDependents(limit: Json, value: unknown): Verdict {
  const object = typeof value === 'object' && value !== null ? value : {}
  for (const [name, list] of Object.entries(isObject(limit) ? limit : {})) {
    const names = namesIn(list)
    const isBroken =
      Object.hasOwn(object, name) && names.some((other) => !Object.hasOwn(object, other))
    if (isBroken) return missing(names, value, ` because it has ${quoteName(name)}`)
  }
  return { text: 'lacks a member that another one needs' }
}

function unknownMember(error: ErrorObject, name: unknown): Verdict {
  const properties: unknown = error.parentSchema?.['properties']
  const known = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  const hint = known.length === 0 ? '' : `; it may have ${writeList(known.map(quoteName), 'and')}`
  return { text: `must not have the member ${quoteName(String(name))}${hint}`, expected: false }
}

function tooManyItems(error: ErrorObject): Verdict {
  const limit = Number(error.params['limit'])
  return { text: `must have at most ${limit} item${limit === 1 ? '' : 's'}`, expected: false }
}

function judgeContains(error: ErrorObject): Verdict {
  const least = Number(error.parentSchema?.['minContains'] ?? 1)
  const most: unknown = error.parentSchema?.['maxContains']
  const end = most === undefined ? '' : ` and at most ${String(most)}`
  return { text: `must have at least ${least}${end} of the items that the schema asks for` }
}

function alternatives({ limit, lowered }: Failure, count: string): Verdict {
  const follow = createFollow(lowered)
  const branches = isArray(limit) ? limit : []
  const described = [...new Set(branches.map((branch) => describeSchema(branch, follow)))]
  const text = cut(writeList(described, 'or'), MAX_ALTERNATIVES)
  return { text: `must fit ${count} of: ${text}` }
}

function isJson(value: unknown): value is Json {
  return value !== undefined
}
