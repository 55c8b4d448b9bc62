// SPDX-License-Identifier: Apache-2.0
import type { ErrorObject } from 'ajv'
import { createFollow } from './follow.ts'
import { type Json, type JsonObject, setMember } from './json.ts'
import { quoteName, readPath, writePath } from './value-path.ts'
import { VERDICTS, type Verdict } from './verdicts.ts'

/** The first thing found wrong with a value. Nothing in it repeats what was sent, names apart. */
export interface SchemaFault {
  /** `arguments` for the whole value, `opts.mode`, `tags[1]`. */
  readonly path: string
  /** The keyword that failed, by its name in 2020-12; `work` when the budget ran out. */
  readonly keyword: string
  /** One sentence: where, and what was expected there. */
  readonly message: string
  /** What the keyword wants, as JSON; long lists are cut, and what is long all the same left out. */
  readonly expected?: { readonly [keyword: string]: Json }
}

/** Characters of `expected` as JSON; past it there is none. */
const MAX_EXPECTED_TEXT = 2_000

/** Keywords that the lowered form calls otherwise than the author did. */
const KEYWORD_NAMES: ReadonlyMap<string, string> = new Map([
  ['$integer', 'type'],
  ['false schema', 'false'],
])

/**
 * Turns what the generated code reports into one sentence.
 *
 * @param errors   as the generated function left them; the first is the innermost
 * @param value    the whole value
 * @param lowered  the compiled form, for what stands behind its references
 */
export function explainFailure(
  errors: readonly ErrorObject[],
  value: unknown,
  lowered: JsonObject,
): SchemaFault {
  const [error] = errors
  if (error === undefined) throw new Error('A generated function failed without an error')
  const path = writePath(error.instancePath, value)
  const keyword = KEYWORD_NAMES.get(error.keyword) ?? error.keyword
  const { text, expected } = judge(error, value, lowered)
  const { propertyName: name } = error
  const subject = name === undefined ? path : `the member name ${quoteName(name)} in ${path}`
  const message = `${subject} ${text}`
  if (expected === undefined || JSON.stringify(expected).length > MAX_EXPECTED_TEXT) {
    return { path, keyword, message }
  }
  const wanted: Record<string, Json> = {}
  setMember(wanted, keyword, expected)
  return { path, keyword, message, expected: wanted }
}

function judge(error: ErrorObject, value: unknown, lowered: JsonObject): Verdict {
  const verdict = VERDICTS.get(error.keyword)
  if (verdict === undefined) return { text: `must fit ${error.keyword}` }
  return verdict({
    error,
    value: readPath(error.instancePath, value),
    limit: isJson(error.schema) ? error.schema : null,
    follow: createFollow(lowered),
  })
}

/** What Ajv reports as a keyword's value is a part of the lowered form, which is JSON. */
function isJson(value: unknown): value is Json {
  return value !== undefined
}

/** The fault of a value that asks for more work than one validation may do. */
export function explainOverload(): SchemaFault {
  return {
    path: 'arguments',
    keyword: 'work',
    message: 'arguments take too much work to check; send fewer or smaller values',
  }
}
