// SPDX-License-Identifier: Apache-2.0
import { cut, pointerTokens } from './json.ts'

/** Characters of a caller's member name that a message repeats. */
export const MAX_NAME = 256
/** Characters of a whole path. */
const MAX_PATH = 1_024
/** What the value as a whole is called. */
const ROOT = 'arguments'

/**
 * Writes the place of a fault as a program would reach it: `arguments` for the whole value,
 * `opts.mode`, `tags[1]`, `headers["x-id"]`. Long names and long paths are cut.
 *
 * @param pointer  JSON pointer from the root of the value
 * @param value    the whole value, which tells an index from a name
 */
export function writePath(pointer: string, value: unknown): string {
  let path = ''
  let here = value
  for (const token of pointerTokens(pointer)) {
    path += Array.isArray(here) ? `[${token}]` : writeName(token, path === '')
    here = memberOf(here, token)
  }
  return path === '' ? ROOT : cut(path, MAX_PATH)
}

/** What a JSON pointer leads to; `undefined` where it leads nowhere. */
export function readPath(pointer: string, value: unknown): unknown {
  return pointerTokens(pointer).reduce(memberOf, value)
}

/** A member name as a quoted text, cut. */
export function quoteName(name: string): string {
  return JSON.stringify(cut(name, MAX_NAME))
}

function memberOf(value: unknown, token: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, token)) return undefined
  return Reflect.get(value, token)
}

function writeName(name: string, isFirst: boolean): string {
  if (!/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name.slice(0, MAX_NAME))) {
    return `[${quoteName(name)}]`
  }
  return isFirst ? cut(name, MAX_NAME) : `.${cut(name, MAX_NAME)}`
}
