// SPDX-License-Identifier: Apache-2.0

/*
 * A second, slow reader of the same rules, written to be read: it shares no code with the sources
 * and never calls `JSON.parse` on more than one string. Tests compare the two.
 */

/** What the rules say about some bytes. */
export type Expected =
  | { kind: 'nesting' | 'syntax' }
  | { kind: 'repeated_key'; key: string }
  | { kind: 'read'; value: unknown; lexemes: { path: string[]; lexeme: string }[] }

// C0 controls are the part of Cc that JSON keeps out of strings.
const STRING = /"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/u
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/
const TOKEN = new RegExp(
  `[ \\t\\n\\r]*(?:([[\\]{}:,])|(${STRING.source})|(${NUMBER.source})|(true|false|null))`,
  'uy',
)

const WORDS = new Map<string | undefined, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
])

export function referenceRead(bytes: Uint8Array): Expected {
  if (deepestLevel(bytes) > 64) return { kind: 'nesting' }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return new Reference(text).read()
  } catch {
    return { kind: 'syntax' }
  }
}

function deepestLevel(bytes: Uint8Array): number {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let at = 0; at < bytes.length; at++) {
    const char = String.fromCharCode(bytes[at] ?? 0)
    if (isInString) {
      if (char === '\\') at++
      else if (char === '"') isInString = false
    } else if (char === '"') isInString = true
    else if (char === '[' || char === '{') deepest = Math.max(deepest, ++depth)
    else if (char === ']' || char === '}') depth = Math.max(0, depth - 1)
  }
  return deepest
}

class Reference {
  readonly #text: string
  readonly #lexemes: { path: string[]; lexeme: string }[] = []
  #at = 0
  #repeated: string | undefined

  constructor(text: string) {
    this.#text = text
  }

  read(): Expected {
    const value = this.#value([])
    if (!/^[ \t\n\r]*$/.test(this.#text.slice(this.#at))) throw new Error('trailing text')
    if (this.#repeated !== undefined) return { kind: 'repeated_key', key: this.#repeated }
    return { kind: 'read', value, lexemes: this.#lexemes }
  }

  #token(): (string | undefined)[] {
    TOKEN.lastIndex = this.#at
    const match = TOKEN.exec(this.#text)
    if (match === null) throw new Error('no token')
    this.#at = TOKEN.lastIndex
    return match.slice(1)
  }

  #isNext(mark: string): boolean {
    const before = this.#at
    if (this.#token()[0] === mark) return true
    this.#at = before
    return false
  }

  #expect(mark: string): void {
    if (!this.#isNext(mark)) throw new Error(`no ${mark}`)
  }

  #value(path: string[]): unknown {
    const [mark, string, number, word] = this.#token()
    if (string !== undefined) return this.#string(string)
    if (number !== undefined) return this.#number(number, path)
    if (word !== undefined) return WORDS.get(word)
    if (mark === '[') return this.#items(path)
    if (mark === '{') return this.#members(path)
    throw new Error('no value')
  }

  #items(path: string[]): unknown[] {
    const items: unknown[] = []
    if (this.#isNext(']')) return items
    do items.push(this.#value([...path, String(items.length)]))
    while (this.#isNext(','))
    this.#expect(']')
    return items
  }

  #members(path: string[]): unknown {
    const members: [string, unknown][] = []
    if (this.#isNext('}')) return {}
    do {
      const key = this.#string(this.#token()[1])
      this.#expect(':')
      if (members.some(([other]) => other === key)) this.#repeated ??= key
      // Taken down at once: the repeat may be the key of the very member being read.
      const member: [string, unknown] = [key, undefined]
      members.push(member)
      member[1] = this.#value([...path, key])
    } while (this.#isNext(','))
    this.#expect('}')
    return Object.fromEntries(members)
  }

  #string(quoted: string | undefined): string {
    if (quoted === undefined) throw new Error('no string')
    const string: string = JSON.parse(quoted)
    if (!string.isWellFormed()) throw new Error('lone surrogate')
    return string
  }

  #number(lexeme: string, path: string[]): number | bigint {
    this.#lexemes.push({ path, lexeme })
    const value = Number(lexeme)
    const isExact = /[.eE]/.test(lexeme) || Number.isSafeInteger(value) || lexeme.length > 4_097
    return isExact ? value : BigInt(lexeme)
  }
}
