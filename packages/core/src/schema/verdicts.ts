// SPDX-License-Identifier: Apache-2.0
import type { ErrorObject } from 'ajv'
import { describeSchema, describeType, writeList, writeValue } from './describe-schema.ts'
import type { FollowReference } from './follow.ts'
import { cut, isArray, isObject, type Json } from './json.ts'
import { quoteName } from './value-path.ts'

/** What a keyword says when it fails. */
export interface Verdict {
  /** The end of a sentence that begins with the path. */
  readonly text: string
  /** What the keyword wants. */
  readonly expected?: Json
}

/** A failure as a keyword judges it. */
export interface Failure {
  readonly error: ErrorObject
  /** The value that failed; only its member names may be repeated. */
  readonly value: unknown
  /** The keyword's value in the lowered schema. */
  readonly limit: Json
  readonly follow: FollowReference
}

/** Entries of `expected` lists. */
const MAX_EXPECTED = 50
/** Characters of the alternatives of `anyOf` together. */
const MAX_ALTERNATIVES = 400
const MAX_PATTERN = 256

/** A verdict for keywords whose value is a number. */
function bound(words: string, noun?: string): (failure: Failure) => Verdict {
  return ({ limit }) => {
    const unit = noun === undefined ? '' : ` ${noun}${limit === 1 ? '' : 's'}`
    return { text: `${words} ${String(limit)}${unit}`, expected: limit }
  }
}

/** The verdict of each keyword that can fail, by its name in the lowered form. */
export const VERDICTS: ReadonlyMap<string, (failure: Failure) => Verdict> = new Map<
  string,
  (failure: Failure) => Verdict
>([
  ['type', ({ limit }) => ({ text: `must be ${describeType(limit)}`, expected: limit })],
  [
    '$integer',
    () => ({
      text: `must be an integer within ±${Number.MAX_SAFE_INTEGER}`,
      expected: 'integer',
    }),
  ],
  ['minimum', bound('must be at least')],
  ['maximum', bound('must be at most')],
  ['exclusiveMinimum', bound('must be greater than')],
  ['exclusiveMaximum', bound('must be less than')],
  ['multipleOf', bound('must be a multiple of')],
  ['minLength', bound('must have at least', 'character')],
  ['maxLength', bound('must have at most', 'character')],
  ['minItems', bound('must have at least', 'item')],
  ['maxItems', bound('must have at most', 'item')],
  ['minProperties', bound('must have at least', 'member')],
  ['maxProperties', bound('must have at most', 'member')],
  ['pattern', pattern],
  ['enum', enumeration],
  ['const', ({ limit }) => ({ text: `must be ${writeValue(limit)}`, expected: limit })],
  ['required', ({ limit, value }) => missing(namesIn(limit), value, '')],
  ['dependentRequired', ({ limit, value }) => missingDependents(limit, value)],
  ['uniqueItems', equalItems],
  ['additionalProperties', unknownMember],
  ['unevaluatedProperties', unknownMember],
  ['unevaluatedItems', tooManyItems],
  ['items', tooManyItems],
  ['contains', tooFewFitting],
  ['not', () => ({ text: 'must not be what the schema forbids there' })],
  ['false schema', () => ({ text: 'is not allowed there' })],
  ['anyOf', (failure) => alternatives(failure, 'at least one')],
  ['oneOf', oneAlternative],
])

function pattern({ limit }: Failure): Verdict {
  return { text: `must match the pattern ${cut(String(limit), MAX_PATTERN)}`, expected: limit }
}

function enumeration({ limit }: Failure): Verdict {
  const values = isArray(limit) ? limit : []
  return {
    text: `must be ${writeList(values, writeValue, 'or')}`,
    expected: values.slice(0, MAX_EXPECTED),
  }
}

function namesIn(value: Json): readonly string[] {
  return isArray(value) ? value.filter((name) => typeof name === 'string') : []
}

function missing(names: readonly string[], value: unknown, reason: string): Verdict {
  const object = typeof value === 'object' && value !== null ? value : {}
  const absent = names.filter((name) => !Object.hasOwn(object, name))
  const noun = absent.length === 1 ? 'member' : 'members'
  return {
    text: `must have the ${noun} ${writeList(absent, quoteName, 'and')}${reason}`,
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

function equalItems({ error }: Failure): Verdict {
  const { first, second } = error.params
  return {
    text: `must not have equal items: items ${first} and ${second} are equal`,
    expected: true,
  }
}

function unknownMember({ error }: Failure): Verdict {
  const properties: unknown = error.parentSchema?.['properties']
  const known = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  const hint = known.length === 0 ? '' : `; it may have ${writeList(known, quoteName, 'and')}`
  const name = quoteName(String(error.params['name']))
  return { text: `must not have the member ${name}${hint}`, expected: false }
}

function tooManyItems({ error }: Failure): Verdict {
  const limit = Number(error.params['limit'])
  return { text: `must have at most ${limit} item${limit === 1 ? '' : 's'}`, expected: false }
}

function tooFewFitting({ error }: Failure): Verdict {
  const least = String(error.parentSchema?.['minContains'] ?? 1)
  const most: unknown = error.parentSchema?.['maxContains']
  const end = most === undefined ? '' : ` and at most ${String(most)}`
  return { text: `must have at least ${least}${end} of the items that contains asks for` }
}

function oneAlternative(failure: Failure): Verdict {
  const passing = Number(failure.error.params['passing'])
  return passing > 1
    ? { text: 'must fit exactly one of its alternatives, but fits several' }
    : alternatives(failure, 'exactly one')
}

function alternatives({ limit, follow }: Failure, count: string): Verdict {
  const branches = isArray(limit) ? limit : []
  const text = writeList(branches, (branch) => describeSchema(branch, follow), 'or')
  return { text: `must fit ${count} of: ${cut(text, MAX_ALTERNATIVES)}` }
}
