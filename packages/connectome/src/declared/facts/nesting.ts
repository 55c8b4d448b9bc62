// SPDX-License-Identifier: Apache-2.0

/** Shorter texts cannot nest deep enough to matter. */
const SAFE_LENGTH = 4_000
/** Brackets that are open at a time. */
const MAX_BRACKETS = 1_500
/** Links of all chains that are open at a time. */
const MAX_LINKS = 8_000

/**
 * Where a text nests deeper than the parser can follow, or -1. The parser recurses on the stack of the
 * process and would end it, so nesting is bounded before. Brackets nest; so do chains of what binds one
 * to the next: operators, members, calls, words in a row (`typeof typeof x`). A chain ends with its
 * bracket, at a comma or a semicolon, or where a line begins a statement; what these do not end, `else`,
 * `for` and open elements of markup, lasts until the bracket does. This is no grammar: what it takes
 * wrongly makes a count off, and never fails.
 *
 * @param hasMarkup  whether the text may hold JSX
 */
export function findTooDeep(text: string, hasMarkup: boolean): number {
  if (text.length < SAFE_LENGTH) return -1
  const nesting = createNesting(hasMarkup)
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    const kind = unit < KINDS.length ? (KINDS[unit] ?? KIND.link) : KIND.word
    if (kind === KIND.blank) {
      if (unit === LINE_FEED) nesting.isAfterLine = true
      continue
    }
    if (kind === KIND.slash) {
      const end = commentEnd(text, at)
      if (end > at) {
        at = end
        continue
      }
    }
    at = READERS[kind]?.(nesting, text, at, unit) ?? at
    nesting.isAfterLine = false
    nesting.last = unit
    if (nesting.total > MAX_LINKS || nesting.depth > MAX_BRACKETS) return at
  }
  return -1
}

/** What is open at a place of a text. */
interface Nesting {
  readonly hasMarkup: boolean
  /** Brackets that are open. */
  depth: number
  /** By open brackets: the links of the chain there, what lasts until the bracket closes, its kind. */
  readonly links: Int32Array
  readonly lasting: Int32Array
  readonly isTemplate: Uint8Array
  /** The sum of the links and of what lasts. */
  total: number
  /** Whether a word or a text came last, so that another one right after it is bound to it. */
  isBound: boolean
  /** Whether a value may have come last, so that a slash divides it. */
  isValue: boolean
  /** Whether a line ended since then. */
  isAfterLine: boolean
  /** The first character of what came last. */
  last: number
}

function createNesting(hasMarkup: boolean): Nesting {
  return {
    hasMarkup,
    depth: 0,
    links: new Int32Array(MAX_BRACKETS + 2),
    lasting: new Int32Array(MAX_BRACKETS + 2),
    isTemplate: new Uint8Array(MAX_BRACKETS + 2),
    total: 0,
    isBound: false,
    isValue: false,
    isAfterLine: false,
    last: 0,
  }
}

function addLink(nesting: Nesting): void {
  const { links, depth } = nesting
  links[depth] = (links[depth] ?? 0) + 1
  nesting.total++
}

function addLasting(nesting: Nesting, count: number): void {
  const { lasting, depth } = nesting
  const known = lasting[depth] ?? 0
  const next = Math.max(known + count, 0)
  lasting[depth] = next
  nesting.total += next - known
}

function endChain(nesting: Nesting): void {
  const { links, depth } = nesting
  nesting.total -= links[depth] ?? 0
  links[depth] = 0
}

function open(nesting: Nesting, isTemplate: boolean): void {
  nesting.depth++
  nesting.isTemplate[nesting.depth] = isTemplate ? 1 : 0
  nesting.isBound = false
  nesting.isValue = false
}

/** Takes one piece of a text into account; answers the place of its last character. */
type Read = (nesting: Nesting, text: string, at: number, unit: number) => number

const readWord: Read = (nesting, text, at) => {
  const end = wordEnd(text, at)
  const word = end - at <= LONGEST_WORD ? text.slice(at, end) : ''
  const isNext = nesting.isAfterLine && nesting.isValue && !GOES_ON.has(word)
  if (isNext || (word === 'case' && nesting.last !== DOT)) endChain(nesting)
  else if (nesting.isBound) addLink(nesting)
  if (word === 'else' || word === 'for') addLasting(nesting, 1)
  nesting.isBound = true
  nesting.isValue = !BEFORE_VALUE.has(word)
  return end - 1
}

const readText: Read = (nesting, text, at, unit) => {
  if (nesting.isBound) addLink(nesting)
  nesting.isBound = true
  nesting.isValue = true
  return textEnd(text, at, unit)
}

const readTemplate: Read = (nesting, text, at) => {
  if (nesting.isBound) addLink(nesting)
  nesting.isBound = true
  nesting.isValue = true
  const end = templateEnd(text, at + 1)
  if (text.charCodeAt(end) === OPEN_BRACE) open(nesting, true)
  return end
}

const readOpen: Read = (nesting, _text, at) => {
  addLink(nesting)
  open(nesting, false)
  return at
}

const readClose: Read = (nesting, text, at, unit) => {
  const { depth, isTemplate } = nesting
  if (depth === 0) return at
  endChain(nesting)
  addLasting(nesting, -(nesting.lasting[depth] ?? 0))
  nesting.depth = depth - 1
  nesting.isBound = false
  nesting.isValue = true
  if (isTemplate[depth] !== 1 || unit !== CLOSE_BRACE) return at
  const end = templateEnd(text, at + 1)
  if (text.charCodeAt(end) === OPEN_BRACE) open(nesting, true)
  return end
}

const readEnd: Read = (nesting, _text, at) => {
  endChain(nesting)
  nesting.isBound = false
  nesting.isValue = false
  return at
}

/** A division, the beginning of a regular expression, or the slash of `</a>` and `/>`. */
const readSlash: Read = (nesting, text, at) => {
  const isClosing = nesting.last === LESS_THAN
  const { isValue } = nesting
  nesting.isBound = false
  nesting.isValue = !isValue
  // The `<` of `</a>` was counted as one more.
  if (isClosing || text.charCodeAt(at + 1) === MORE_THAN) addLasting(nesting, isClosing ? -2 : -1)
  else if (isValue) addLink(nesting)
  else return patternEnd(text, at)
  return at
}

const readLink: Read = (nesting, _text, at, unit) => {
  if (unit === LESS_THAN && nesting.hasMarkup) addLasting(nesting, 1)
  else addLink(nesting)
  nesting.isBound = false
  nesting.isValue = false
  return at
}

/** Words that go on with what came before, though they begin a line: the rest begin a statement there. */
const GOES_ON: ReadonlySet<string> = new Set([
  ...['as', 'do', 'extends', 'if', 'in', 'instanceof', 'is', 'of', 'satisfies', 'while', 'with'],
])
/** Words that something has to follow: they are no value, and a slash after them begins a pattern. */
const BEFORE_VALUE: ReadonlySet<string> = new Set([
  ...['as', 'asserts', 'await', 'case', 'delete', 'do', 'else', 'extends', 'in', 'infer'],
  ...['instanceof', 'is', 'keyof', 'new', 'of', 'readonly', 'return', 'satisfies', 'throw'],
  ...['typeof', 'unique', 'void', 'yield'],
])
const LONGEST_WORD = 10

const LINE_FEED = 0x0a
const DOT = 0x2e
const LESS_THAN = 0x3c
const MORE_THAN = 0x3e
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const BACKSLASH = 0x5c

/** What a character says of nesting. */
const KIND = {
  blank: 0,
  word: 1,
  link: 2,
  open: 3,
  close: 4,
  end: 5,
  text: 6,
  template: 7,
  slash: 8,
} as const

/** By kind: separate functions, of which each is compiled when it is met often. */
const READERS: readonly Read[] = [
  readLink, // a blank is passed over
  readWord,
  readLink,
  readOpen,
  readClose,
  readEnd,
  readText,
  readTemplate,
  readSlash,
]

const KINDS = Uint8Array.from({ length: 0x80 }, (_, unit) => kindOf(String.fromCharCode(unit)))

function kindOf(character: string): number {
  if (character <= ' ') return KIND.blank
  if (/[\w$#\\]/.test(character)) return KIND.word
  if (character === '"' || character === "'") return KIND.text
  if (character === '`') return KIND.template
  if (character === '/') return KIND.slash
  if ('([{'.includes(character)) return KIND.open
  if (')]}'.includes(character)) return KIND.close
  return ';,'.includes(character) ? KIND.end : KIND.link
}

function wordEnd(text: string, from: number): number {
  let at = from + 1
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < KINDS.length && KINDS[unit] !== KIND.word) break
  }
  return at
}

/** A text ends at its quote, or with its line. */
function textEnd(text: string, from: number, quote: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === quote || unit === LINE_FEED) return at
    if (unit === BACKSLASH) at++
  }
  return text.length
}

/** Where a template ends, or the brace that opens what stands in it. */
function templateEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x60) return at
    if (unit === BACKSLASH) at++
    else if (unit === 0x24 && text.charCodeAt(at + 1) === OPEN_BRACE) return at + 1
  }
  return text.length
}

/** A regular expression ends at a slash out of its classes, or with its line. */
function patternEnd(text: string, from: number): number {
  let isClass = false
  for (let at = from + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === LINE_FEED || (unit === 0x2f && !isClass)) return at
    if (unit === BACKSLASH) at++
    else if (unit === 0x5b) isClass = true
    else if (unit === 0x5d) isClass = false
  }
  return text.length
}

function commentEnd(text: string, from: number): number {
  const next = text.charCodeAt(from + 1)
  if (next === 0x2f) {
    const end = text.indexOf('\n', from)
    return end < 0 ? text.length : end - 1
  }
  if (next !== 0x2a) return from
  const end = text.indexOf('*/', from + 2)
  return end < 0 ? text.length : end + 1
}
