// SPDX-License-Identifier: Apache-2.0

/** Shorter texts cannot nest deep enough to matter. */
const SAFE_LENGTH = 4_000
/** Brackets that are open at a time. */
const MAX_BRACKETS = 1_500
/** Operators, members and brackets in a row that no comma and no semicolon ends. */
const MAX_CHAIN = 8_000
/** Repetitions of one of `words` to `elements` in `Runs`: more than people write, less than the parser's stack is good for. */
const MAX_RUN = 3_000

/**
 * Where a text nests so deep that the parser could end the process by its recursion, or -1. Brackets and
 * chains of operators are counted, and repetitions that nest without either. This is no grammar: source
 * that means to may get past it.
 *
 * @param bytes  the text in UTF-8: every text of JavaScript's own has one of many forms, which the engine
 * would have to tell apart at each character
 * @returns an offset in the bytes
 */
export function findTooDeep(bytes: Uint8Array): number {
  if (bytes.length < SAFE_LENGTH) return -1
  const runs = createRuns()
  for (let at = 0; at < bytes.length; at++) {
    const unit = bytes[at] ?? 0
    if (KINDS[unit] === KIND.blank) {
      if (unit === LINE_FEED) runs.isAfterLine = true
      continue
    }
    at = readOne(runs, bytes, at, unit)
    if (runs.depth > MAX_BRACKETS || runs.chain > MAX_CHAIN || runs.isTooLong) return at
  }
  return -1
}

/**
 * Reads a word, a text, a comment, a pattern or a mark; answers the place of its last byte, or the length where
 * nothing closes it.
 */
function readOne(runs: Runs, bytes: Uint8Array, at: number, unit: number): number {
  const kind = KINDS[unit]
  let end = at
  if (kind === KIND.word) {
    if (beginsStatement(runs, bytes, at)) {
      runs.chain = 0
      runs.calls = 0
    }
    end = readWord(runs, bytes, at)
  } else if (kind === KIND.text) {
    runs.words = longer(runs, runs.words)
    end = textEnd(bytes, at, unit)
  } else if (kind === KIND.slash) {
    end = commentEnd(bytes, at)
    if (end > at) return end
    if (BEFORE_PATTERN[runs.last] === 1) end = patternEnd(bytes, at)
    else if (closesElement(runs, bytes, at)) runs.chain = 0
    else runs.chain++
    runs.words = 0
  } else {
    readMark(runs, bytes, at, unit)
    if (kind === KIND.close) runs.depth--
    else if (kind === KIND.end) runs.chain = 0
    else {
      runs.chain++
      if (kind === KIND.open) runs.depth++
    }
  }
  runs.last = unit
  runs.isAfterLine = false
  return end
}

/** What is open and what was repeated, up to the place that was read. */
interface Runs {
  /** Brackets that are open. */
  depth: number
  /** Operators, members and brackets since a comma or a semicolon. */
  chain: number
  /** Words with nothing but blanks and texts between them: `typeof typeof x`, `a in 'b' in 'c'`. */
  words: number
  /** `else if` after `else if`. */
  alternatives: number
  /** `if (…)` and other heads of statements right after `for (…)` and the like. */
  heads: number
  /** `a:` right after `b:`. */
  labels: number
  /** `f(…)(…)` and `f(…).g(…)`. */
  calls: number
  /** `A<B<`, less what is closed again. */
  types: number
  /** `<a><a>`, less what is closed again. */
  elements: number
  /** Whether one of those from `words` to `elements` is longer than MAX_RUN. */
  isTooLong: boolean
  isAfterElse: boolean
  /** Whether a line ended after what came last. */
  isAfterLine: boolean
  /** The first character of the word, the text or the mark that came last. */
  last: number
}

function createRuns(): Runs {
  return {
    depth: 0,
    chain: 0,
    words: 0,
    alternatives: 0,
    heads: 0,
    labels: 0,
    calls: 0,
    types: 0,
    elements: 0,
    isTooLong: false,
    isAfterElse: false,
    isAfterLine: false,
    last: 0,
  }
}

/** Counts one more of a run; answers how many there are. */
function longer(runs: Runs, count: number): number {
  if (count >= MAX_RUN) runs.isTooLong = true
  return count + 1
}

/** Whether a word begins a statement: on a line after what may end one, or behind a block. */
function beginsStatement({ isAfterLine, last }: Runs, bytes: Uint8Array, at: number): boolean {
  if (!isAfterLine) return last === CLOSE_BRACE && isOneOf(STATEMENTS, bytes, at)
  if (last === COLON) return isOneOf(CASE, bytes, at)
  const kind = KINDS[last]
  const mayEnd =
    last === MORE_THAN || kind === KIND.word || kind === KIND.text || kind === KIND.close
  return mayEnd && !isOneOf(GOES_ON, bytes, at)
}

/** Answers the place of the word's last byte. */
function readWord(runs: Runs, bytes: Uint8Array, at: number): number {
  runs.words = longer(runs, runs.words)
  // A line that begins with a word after a call is another statement.
  if (runs.isAfterLine && runs.last === CLOSE_PARENTHESIS) runs.calls = 0
  const isHead = isOneOf(HEADS, bytes, at)
  if (isHead) {
    if (isOneOf(IF, bytes, at)) {
      runs.alternatives = runs.isAfterElse ? longer(runs, runs.alternatives) : 0
    }
    runs.heads = runs.last === CLOSE_PARENTHESIS ? longer(runs, runs.heads) : 0
  }
  runs.isAfterElse = !isHead && isOneOf(ELSE, bytes, at)
  return wordEnd(bytes, at) - 1
}

/** Whether this follows the `<` of `<a>`, `</a>` or `<>`, and not that of a comparison. */
const beginsElement = (unit: number | undefined): boolean =>
  unit !== undefined && (unit === SLASH || unit === MORE_THAN || KINDS[unit] === KIND.word)

/** The slash of `</a>` or of `<a/>`. */
function closesElement(runs: Runs, bytes: Uint8Array, at: number): boolean {
  const isEnd = runs.last === LESS_THAN
  if (!isEnd && bytes[at + 1] !== MORE_THAN) return false
  runs.elements = Math.max(runs.elements - (isEnd ? 2 : 1), 0) // the `<` of `</a>` was counted too
  return true
}

function readMark(runs: Runs, bytes: Uint8Array, at: number, unit: number): void {
  const isLabel = unit === COLON && runs.words === 1
  runs.labels = isLabel ? longer(runs, runs.labels) : 0
  runs.words = 0
  runs.isAfterElse = false
  switch (unit) {
    case SEMICOLON:
      runs.calls = 0
      runs.types = 0
      runs.elements = 0
      return
    case OPEN_PARENTHESIS:
    case DOT:
      if (runs.last === CLOSE_PARENTHESIS) runs.calls = longer(runs, runs.calls)
      return
    case LESS_THAN:
      if (KINDS[bytes[at - 1] ?? 0] === KIND.word) runs.types = longer(runs, runs.types)
      else if (beginsElement(bytes[at + 1])) runs.elements = longer(runs, runs.elements)
      return
    case MORE_THAN:
      if (runs.types > 0) runs.types--
  }
}

/** Words by their first byte. */
type Words = readonly (readonly Uint8Array[] | undefined)[]

function createWords(...words: readonly string[]): Words {
  const lists: Uint8Array[][] = []
  for (const word of words) {
    const bytes = new TextEncoder().encode(word)
    const [first = 0] = bytes
    lists[first] = [...(lists[first] ?? []), bytes]
  }
  return Array.from({ length: 0x100 }, (_, first) => lists[first])
}

/** Whether the word that begins here is one of these. */
function isOneOf(words: Words, bytes: Uint8Array, at: number): boolean {
  const list = words[bytes[at] ?? 0]
  if (list === undefined) return false
  for (let i = 0; i < list.length; i++) if (isWord(list[i], bytes, at)) return true
  return false
}

function isWord(word: Uint8Array | undefined, bytes: Uint8Array, at: number): boolean {
  if (word === undefined) return false
  for (let i = 1; i < word.length; i++) if (bytes[at + i] !== word[i]) return false
  return KINDS[bytes[at + word.length] ?? 0] !== KIND.word
}

const STATEMENTS = createWords(
  ...['class', 'const', 'export', 'function', 'import', 'let', 'return', 'type', 'var'],
)
const CASE = createWords('case')
/** Words that may go on with the line before. */
const GOES_ON = createWords(
  ...['as', 'do', 'else', 'extends', 'for', 'if', 'in', 'instanceof', 'is', 'of', 'satisfies'],
  ...['while', 'with'],
)
const HEADS = createWords('for', 'if', 'while', 'with')
const IF = createWords('if')
const ELSE = createWords('else')

/** A slash after one of these begins a regular expression. */
const BEFORE_PATTERN = Uint8Array.from({ length: 0x100 }, (_, unit) =>
  '=(,!&|?['.includes(String.fromCharCode(unit)) ? 1 : 0,
)

const LINE_FEED = 0x0a
const OPEN_PARENTHESIS = 0x28
const CLOSE_PARENTHESIS = 0x29
const DOT = 0x2e
const SLASH = 0x2f
const COLON = 0x3a
const SEMICOLON = 0x3b
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const CLOSE_BRACE = 0x7d
const LESS_THAN = 0x3c
const MORE_THAN = 0x3e
const BACKSLASH = 0x5c
const BACKTICK = 0x60
const STAR = 0x2a

/** What a character says of nesting. */
const KIND = {
  blank: 0,
  word: 1,
  link: 2,
  open: 3,
  close: 4,
  end: 5,
  text: 6,
  slash: 7,
} as const

/** Of each byte; those of characters beyond ASCII are of words. */
const KINDS = Uint8Array.from({ length: 0x100 }, (_, unit) =>
  unit < 0x80 ? kindOf(String.fromCharCode(unit)) : KIND.word,
)

function kindOf(character: string): number {
  if (character <= ' ') return KIND.blank
  if (/[\w$#\\@]/.test(character)) return KIND.word
  if ('"\'`'.includes(character)) return KIND.text
  if (character === '/') return KIND.slash
  if ('([{'.includes(character)) return KIND.open
  if (')]}'.includes(character)) return KIND.close
  return ';,'.includes(character) ? KIND.end : KIND.link
}

function wordEnd(bytes: Uint8Array, from: number): number {
  let at = from + 1
  while (at < bytes.length && KINDS[bytes[at] ?? 0] === KIND.word) at++
  return at
}

/** A text ends at its quote or with its line; a template at its quote. */
function textEnd(bytes: Uint8Array, from: number, quote: number): number {
  for (let at = from + 1; at < bytes.length; at++) {
    const unit = bytes[at]
    if (unit === quote) return at
    if (unit === BACKSLASH) at++
    else if (unit === LINE_FEED && quote !== BACKTICK) return at
  }
  return bytes.length
}

/** A regular expression ends at a slash out of its classes, on its line; what does not is none. */
function patternEnd(bytes: Uint8Array, from: number): number {
  let isClass = false
  for (let at = from + 1; at < bytes.length; at++) {
    const unit = bytes[at]
    if (unit === LINE_FEED) return from
    if (unit === SLASH && !isClass) return at
    if (unit === BACKSLASH) at++
    else if (unit === OPEN_BRACKET) isClass = true
    else if (unit === CLOSE_BRACKET) isClass = false
  }
  return from
}

function commentEnd(bytes: Uint8Array, from: number): number {
  const next = bytes[from + 1]
  if (next === SLASH) {
    const end = bytes.indexOf(LINE_FEED, from)
    return end < 0 ? bytes.length : end - 1
  }
  if (next !== STAR) return from
  let end = bytes.indexOf(SLASH, from + 3)
  while (end >= 0 && bytes[end - 1] !== STAR) end = bytes.indexOf(SLASH, end + 1)
  return end < 0 ? bytes.length : end
}
