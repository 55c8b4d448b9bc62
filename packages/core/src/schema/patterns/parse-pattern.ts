// SPDX-License-Identifier: Apache-2.0
import {
  type CodePointSet,
  complement,
  DIGITS,
  LINE_ENDS,
  propertySet,
  SPACES,
  union,
  WORD,
} from './code-points.ts'

/** Where a zero-width assertion holds. */
export type Place = 'start' | 'end' | 'wordBoundary' | 'notWordBoundary'

/** The regular part of an ECMAScript pattern: what a machine without backtracking can run. */
export type PatternNode =
  | { readonly kind: 'set'; readonly set: CodePointSet }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | {
      readonly kind: 'repeat'
      readonly body: PatternNode
      readonly min: number
      readonly max: number
    }
  | { readonly kind: 'assertion'; readonly place: Place }

/** A pattern uses something that no linear-time engine runs. */
export class NotRegular extends Error {
  /** The feature in words, such as `a look-ahead`. */
  readonly feature: string

  constructor(feature: string) {
    super(feature)
    this.feature = feature
  }
}

/** Where the parser is in the pattern. */
interface Cursor {
  readonly text: string
  at: number
}

const CONTROL_ESCAPES: Readonly<Record<string, number>> = {
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
  v: 0x0b,
  '0': 0,
}

const CLASS_ESCAPES: Readonly<Record<string, CodePointSet>> = {
  d: DIGITS,
  D: complement(DIGITS),
  s: SPACES,
  S: complement(SPACES),
  w: WORD,
  W: complement(WORD),
}

const QUANTIFIER = /(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/y
const HEX_ESCAPE = /\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/y

/**
 * Reads an ECMAScript pattern into its regular parts. Capturing groups and laziness are dropped:
 * neither changes whether a string matches.
 *
 * @param source  a pattern that `new RegExp(source, 'u')` accepts; its grammar is not checked again
 * @throws NotRegular on look-arounds, back-references and inline flags
 * @see ECMA-262, Patterns, with the `u` flag
 */
export function parsePattern(source: string): PatternNode {
  return readChoice({ text: source, at: 0 })
}

function readChoice(cursor: Cursor): PatternNode {
  const options = [readSequence(cursor)]
  while (cursor.text[cursor.at] === '|') {
    cursor.at++
    options.push(readSequence(cursor))
  }
  if (options.length === 1 && options[0] !== undefined) return options[0]
  const sets = options.flatMap((option) => (option.kind === 'set' ? [option.set] : []))
  return sets.length === options.length
    ? { kind: 'set', set: union(sets) }
    : { kind: 'choice', options }
}

function readSequence(cursor: Cursor): PatternNode {
  const parts: PatternNode[] = []
  while (cursor.at < cursor.text.length && !'|)'.includes(cursor.text.charAt(cursor.at))) {
    parts.push(readQuantifier(cursor, readTerm(cursor)))
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: 'sequence', parts }
}

function readQuantifier(cursor: Cursor, body: PatternNode): PatternNode {
  QUANTIFIER.lastIndex = cursor.at
  const found = QUANTIFIER.exec(cursor.text)
  if (found === null) return body
  cursor.at += found[0].length
  const [sign, min = '', comma, max = ''] = found
  if (sign.startsWith('*')) return { kind: 'repeat', body, min: 0, max: Infinity }
  if (sign.startsWith('+')) return { kind: 'repeat', body, min: 1, max: Infinity }
  if (sign.startsWith('?')) return { kind: 'repeat', body, min: 0, max: 1 }
  const least = Number(min)
  const most = comma === '' ? least : max === '' ? Infinity : Number(max)
  return { kind: 'repeat', body, min: least, max: most }
}

function readTerm(cursor: Cursor): PatternNode {
  const char = cursor.text.charAt(cursor.at)
  if (char === '(') return readGroup(cursor)
  if (char === '[') return { kind: 'set', set: readClass(cursor) }
  if (char === '\\') return readEscapedTerm(cursor)
  if (char === '.') return single(cursor, complement(LINE_ENDS))
  if (char === '^') return place(cursor, 1, 'start')
  if (char === '$') return place(cursor, 1, 'end')
  return { kind: 'set', set: onePoint(readPoint(cursor)) }
}

function readGroup(cursor: Cursor): PatternNode {
  const opening = cursor.text.slice(cursor.at, cursor.at + 4)
  if (opening.startsWith('(?=') || opening.startsWith('(?!')) throw new NotRegular('a look-ahead')
  if (opening === '(?<=' || opening === '(?<!') throw new NotRegular('a look-behind')
  if (opening.startsWith('(?<')) cursor.at = cursor.text.indexOf('>', cursor.at) + 1
  else if (opening.startsWith('(?:')) cursor.at += 3
  else if (opening.startsWith('(?')) throw new NotRegular('inline flags')
  else cursor.at++
  const inner = readChoice(cursor)
  cursor.at++
  return inner
}

function readEscapedTerm(cursor: Cursor): PatternNode {
  const char = cursor.text.charAt(cursor.at + 1)
  if (char === 'b') return place(cursor, 2, 'wordBoundary')
  if (char === 'B') return place(cursor, 2, 'notWordBoundary')
  if (char === 'k' || /[1-9]/.test(char)) throw new NotRegular('a back-reference')
  return { kind: 'set', set: readEscapedSet(cursor) }
}

/** `\d`, `\p{…}` or an escaped character, inside a class or outside. */
function readEscapedSet(cursor: Cursor): CodePointSet {
  const char = cursor.text.charAt(cursor.at + 1)
  const named = CLASS_ESCAPES[char]
  if (named !== undefined) {
    cursor.at += 2
    return named
  }
  if (char !== 'p' && char !== 'P') return onePoint(readEscapedPoint(cursor))
  const end = cursor.text.indexOf('}', cursor.at) + 1
  const spelling = cursor.text.slice(cursor.at, end)
  cursor.at = end
  return propertySet(spelling)
}

function readEscapedPoint(cursor: Cursor): number {
  HEX_ESCAPE.lastIndex = cursor.at
  const hex = HEX_ESCAPE.exec(cursor.text)
  if (hex !== null) return readHexPoint(cursor, hex)
  if (cursor.text.charAt(cursor.at + 1) === 'c') {
    const letter = cursor.text.charAt(cursor.at + 2)
    cursor.at += 3
    return (letter.codePointAt(0) ?? 0) % 32
  }
  cursor.at++
  const control = CONTROL_ESCAPES[cursor.text.charAt(cursor.at)]
  if (control === undefined) return readPoint(cursor)
  cursor.at++
  return control
}

function readHexPoint(cursor: Cursor, found: RegExpExecArray): number {
  cursor.at += found[0].length
  const point = Number.parseInt(found[1] ?? found[2] ?? found[3] ?? '', 16)
  if (found[2] === undefined || point < 0xd800 || point > 0xdbff) return point
  // Two \u escapes that spell a surrogate pair are one character in a `u` pattern.
  const low = /^\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(cursor.text.slice(cursor.at, cursor.at + 6))
  if (low?.[1] === undefined) return point
  cursor.at += 6
  return 0x10000 + (point - 0xd800) * 0x400 + (Number.parseInt(low[1], 16) - 0xdc00)
}

function readClass(cursor: Cursor): CodePointSet {
  const negated = cursor.text.charAt(cursor.at + 1) === '^'
  cursor.at += negated ? 2 : 1
  const sets: CodePointSet[] = []
  while (cursor.text.charAt(cursor.at) !== ']') sets.push(readClassMember(cursor))
  cursor.at++
  const set = union(sets)
  return negated ? complement(set) : set
}

function readClassMember(cursor: Cursor): CodePointSet {
  const first = readClassAtom(cursor)
  const from = first[0]
  const isRange = cursor.text.charAt(cursor.at) === '-' && cursor.text.charAt(cursor.at + 1) !== ']'
  if (!isRange || first.length !== 2 || from === undefined || from !== first[1]) return first
  cursor.at++
  const last = readClassAtom(cursor)
  return [from, last[0] ?? from]
}

function readClassAtom(cursor: Cursor): CodePointSet {
  if (cursor.text.charAt(cursor.at) !== '\\') return onePoint(readPoint(cursor))
  if (cursor.text.charAt(cursor.at + 1) === 'b') {
    cursor.at += 2
    return onePoint(0x08)
  }
  return readEscapedSet(cursor)
}

function readPoint(cursor: Cursor): number {
  const point = cursor.text.codePointAt(cursor.at) ?? 0
  cursor.at += point > 0xffff ? 2 : 1
  return point
}

function single(cursor: Cursor, set: CodePointSet): PatternNode {
  cursor.at++
  return { kind: 'set', set }
}

function place(cursor: Cursor, width: number, at: Place): PatternNode {
  cursor.at += width
  return { kind: 'assertion', place: at }
}

function onePoint(point: number): CodePointSet {
  return [point, point]
}
