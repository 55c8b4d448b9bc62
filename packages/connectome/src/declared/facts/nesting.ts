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
  /** By open brackets: the links of the chain there, and what lasts until the bracket closes. */
  const links = new Int32Array(MAX_BRACKETS + 1)
  const lasting = new Int32Array(MAX_BRACKETS + 1)
  const isTemplate = new Uint8Array(MAX_BRACKETS + 1)
  let depth = 0
  let total = 0
  /** Whether a word or a text came last, so that another one right after it is bound to it. */
  let isBound = false
  /** Whether a value may have come last, so that a slash divides it. */
  let isValue = false
  const endChain = (): void => {
    total -= links[depth] ?? 0
    links[depth] = 0
  }
  const addLink = (): void => {
    links[depth] = (links[depth] ?? 0) + 1
    total++
  }
  const addLasting = (count: number): void => {
    const known = lasting[depth] ?? 0
    lasting[depth] = Math.max(known + count, 0)
    total += (lasting[depth] ?? 0) - known
  }
  let isAfterLine = false
  let last = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    switch (unit < KINDS.length ? KINDS[unit] : KIND.word) {
      case KIND.blank:
        if (unit === LINE_FEED) isAfterLine = true
        continue
      case KIND.word: {
        const end = wordEnd(text, at)
        const word = end - at <= LONGEST_WORD ? text.slice(at, end) : ''
        const isNext = isAfterLine && isValue && !GOES_ON.has(word)
        if (isNext || (word === 'case' && last !== DOT)) endChain()
        else if (isBound) addLink()
        if (word === 'else' || word === 'for') addLasting(1)
        isBound = true
        isValue = !BEFORE_VALUE.has(word)
        at = end - 1
        break
      }
      case KIND.text:
        if (isBound) addLink()
        isBound = true
        isValue = true
        at = textEnd(text, at, unit)
        break
      case KIND.template:
        if (isBound) addLink()
        isBound = true
        isValue = true
        at = templateEnd(text, at + 1)
        if (text.charCodeAt(at) !== OPEN_BRACE) break
        if (++depth > MAX_BRACKETS) return at
        isTemplate[depth] = 1
        isBound = false
        isValue = false
        break
      case KIND.open:
        addLink()
        if (++depth > MAX_BRACKETS) return at
        isTemplate[depth] = 0
        isBound = false
        isValue = false
        break
      case KIND.close: {
        if (depth === 0) break
        endChain()
        total -= lasting[depth] ?? 0
        lasting[depth] = 0
        const isOfTemplate = isTemplate[depth] === 1 && unit === CLOSE_BRACE
        depth--
        isBound = false
        isValue = true
        if (!isOfTemplate) break
        at = templateEnd(text, at + 1)
        if (text.charCodeAt(at) === OPEN_BRACE) isTemplate[++depth] = 1
        break
      }
      case KIND.end:
        endChain()
        isBound = false
        isValue = false
        break
      case KIND.slash: {
        const end = commentEnd(text, at)
        if (end > at) {
          at = end
          continue
        }
        if (text.charCodeAt(at - 1) === LESS_THAN || text.charCodeAt(at + 1) === MORE_THAN) {
          addLasting(text.charCodeAt(at - 1) === LESS_THAN ? -2 : -1) // `</a>` counted once more
        } else if (isValue) addLink()
        else at = patternEnd(text, at)
        isBound = false
        isValue = !isValue
        break
      }
      default:
        if (unit === LESS_THAN && hasMarkup) addLasting(1)
        else addLink()
        isBound = false
        isValue = false
    }
    isAfterLine = false
    last = unit
    if (total > MAX_LINKS) return at
  }
  return -1
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
