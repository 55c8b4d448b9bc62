// SPDX-License-Identifier: Apache-2.0

/** A part of a template: literal text, or a variable that stays in one path segment or crosses. */
type Part =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly crosses: boolean }

/** A compiled template, or why there is none. */
export type UriTemplateReading =
  | {
      readonly ok: true
      readonly matches: (uri: string) => boolean
      readonly variables: ReadonlySet<string>
    }
  | { readonly ok: false; readonly why: string }

const EXPRESSION = /\{([^{}]*)\}/g
const VARIABLE = /^\+?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+(?:\.(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)*$/

/**
 * Compiles a uri template of RFC 6570 level 1 and `+`: `{var}` stands for one or more characters
 * other than `/`, `{+var}` for one or more of any kind. The whole uri must match, as it was sent:
 * nothing is decoded or normalised. Matching takes time in proportion to the uri's length times
 * the template's length, whatever the uri.
 *
 * @returns the matcher and the names of the variables, or the expression that is not understood
 */
export function readUriTemplate(template: string): UriTemplateReading {
  const parts: Part[] = []
  let from = 0
  for (const match of template.matchAll(EXPRESSION)) {
    const inner = match[1] ?? ''
    if (!VARIABLE.test(inner)) return { ok: false, why: `the expression '${match[0]}'` }
    pushLiteral(parts, template.slice(from, match.index))
    const crosses = inner.startsWith('+')
    parts.push({ kind: 'variable', name: crosses ? inner.slice(1) : inner, crosses })
    from = match.index + match[0].length
  }
  pushLiteral(parts, template.slice(from))
  const stray = parts.find((part) => part.kind === 'literal' && /[{}]/.test(part.text))
  if (stray !== undefined) return { ok: false, why: 'a brace outside an expression' }
  const names = parts.flatMap((part) => (part.kind === 'variable' ? [part.name] : []))
  return { ok: true, matches: (uri) => matchParts(parts, uri), variables: new Set(names) }
}

function pushLiteral(parts: Part[], text: string): void {
  if (text !== '') parts.push({ kind: 'literal', text })
}

/** Follows every position that the parts so far can end at; there are at most as many as characters. */
function matchParts(parts: readonly Part[], uri: string): boolean {
  let ends: readonly number[] = [0]
  for (const part of parts) {
    ends =
      part.kind === 'literal'
        ? ends.filter((at) => uri.startsWith(part.text, at)).map((at) => at + part.text.length)
        : spread(ends, uri, part.crosses)
    if (ends.length === 0) return false
  }
  return ends.at(-1) === uri.length
}

/** The ends of a variable that may begin at any of these positions, in rising order, each once. */
function spread(starts: readonly number[], uri: string, crosses: boolean): number[] {
  const ends: number[] = []
  let reached = -1
  for (const start of starts) {
    let at = Math.max(start, reached)
    while (at < uri.length) {
      const character = uri.codePointAt(at) ?? 0
      if (!crosses && character === SLASH) {
        reached = Math.max(reached, start)
        break
      }
      at += character > 0xffff ? 2 : 1
      ends.push(at)
      reached = at
    }
  }
  return ends
}

const SLASH = 0x2f
