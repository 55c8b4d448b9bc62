// SPDX-License-Identifier: Apache-2.0

const NONE: readonly string[] = Object.freeze([])

/**
 * Every value of a header, in the order sent. Node's own `headers` joins some repeats and drops
 * others; the raw list has them all.
 *
 * @param raw  names and values in turn, as `IncomingMessage.rawHeaders`
 * @param name  in lower case
 */
export function headerValues(raw: readonly string[], name: string): readonly string[] {
  let values: string[] | undefined
  for (let index = 0; index < raw.length; index += 2) {
    const candidate = raw[index]
    if (candidate?.length !== name.length || candidate.toLowerCase() !== name) continue
    const value = trimSpace(raw[index + 1] ?? '')
    if (values === undefined) values = [value]
    else values.push(value)
  }
  return values ?? NONE
}

/** Optional white space around a value is no part of it. @see RFC 9110, 5.5; HDR-05 */
function trimSpace(value: string): string {
  let start = 0
  let end = value.length
  while (start < end && isSpace(value[start])) start += 1
  while (start < end && isSpace(value[end - 1])) end -= 1
  return value.slice(start, end)
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}
