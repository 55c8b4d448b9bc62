// SPDX-License-Identifier: Apache-2.0

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"'
// White space has one place each, so that there is one way to read a value: time stays linear.
const PARAMETER = `;[ \\t]*(?:${TOKEN}=(?:${TOKEN}|${QUOTED})[ \\t]*)?`
const JSON_TYPE = new RegExp(`^application/json[ \\t]*(?:${PARAMETER})*$`, 'i')

/** Says whether a Content-Type is `application/json`, with or without parameters. */
export function isJsonType(value: string): boolean {
  return value === 'application/json' || (value.length <= MAX_TYPE && JSON_TYPE.test(value))
}

const MAX_TYPE = 1024

/** What an answer may be. */
export type AnswerType = 'application/json' | 'text/event-stream'

/**
 * Says whether an answer of a type is acceptable. Lenient: no header, an empty one and one that is
 * not understood accept it; only a header that names other types alone, or gives this one a weight
 * of 0, does not.
 *
 * @param values  every Accept value
 * @see A-06; RFC 9110, 12.5.1
 */
export function accepts(values: readonly string[], type: AnswerType): boolean {
  // What clients send in fact. The first range for a type decides, and here it has no weight.
  const first = values[0] ?? type
  if (first === type || first.startsWith(`${type},`)) return true
  const ranges = values.flatMap((value) => value.split(',')).map(readRange)
  const understood = ranges.filter((range) => range !== undefined)
  if (understood.length === 0) return true
  const weightOf = (range: string): number | undefined =>
    understood.find((one) => one.type === range)?.weight
  const family = `${type.slice(0, type.indexOf('/'))}/*`
  return (weightOf(type) ?? weightOf(family) ?? weightOf('*/*') ?? 0) > 0
}

const RANGE = new RegExp(`^[ \\t]*(${TOKEN}/${TOKEN})[ \\t]*(?:;(.*))?$`, 's')
const WEIGHT = /(?:^|;)[ \t]*q=(?:0(?:\.0{0,3})?)[ \t]*(?:;|$)/i

function readRange(text: string): { readonly type: string; readonly weight: 0 | 1 } | undefined {
  const match = RANGE.exec(text)
  const type = match?.[1]
  if (type === undefined) return undefined
  return { type: type.toLowerCase(), weight: WEIGHT.test(match?.[2] ?? '') ? 0 : 1 }
}
