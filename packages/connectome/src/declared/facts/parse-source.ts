// SPDX-License-Identifier: Apache-2.0
// The only file that names the parser; everything else sees its tree through these types.
import type { Program } from 'oxc-parser'
import { refuse } from '../refuse.ts'
import type { ParseFault } from './module-facts.ts'

export type {
  Argument,
  ArrowFunctionExpression,
  AssignmentTarget,
  AssignmentTargetMaybeDefault,
  BindingPattern,
  Class,
  ClassElement,
  Expression,
  Function as FunctionNode,
  JSXElement,
  JSXFragment,
  MemberExpression,
  MethodDefinition,
  ModuleExportName,
  ObjectExpression,
  ParamPattern,
  Program,
  PropertyKey,
  Statement,
  TSModuleDeclaration,
  TSType,
  VariableDeclaration,
} from 'oxc-parser'

export type ParseSource = (
  path: string,
  text: string,
  isModule: boolean | undefined,
) => { readonly program: Program; readonly isModule: boolean } | ParseFault

const NAME = 'oxc-parser'

/** Loads the parser. @throws ConnectomeError `['unavailable', 'oxc-parser']` where it is not installed */
export async function loadParser(): Promise<ParseSource> {
  const { parseSync } = await import('oxc-parser').catch(() => refuse('unavailable', NAME))
  return (path, text, isModule) => {
    const deep = tooDeep(text)
    if (deep !== undefined) return deep
    const first = isModule === undefined ? 'unambiguous' : isModule ? 'module' : 'commonjs'
    const kinds = first === 'unambiguous' ? ([first, 'commonjs'] as const) : ([first] as const)
    let fault: ParseFault = { reason: 'syntax', line: 1, column: 0 }
    for (const sourceType of kinds) {
      const result = parseSync(path, text, { sourceType, preserveParens: false })
      const error = result.errors.find(({ severity }) => severity === 'Error')
      if (error === undefined) {
        const { program } = result
        return { program, isModule: isModule ?? result.module.hasModuleSyntax }
      }
      fault = { reason: 'syntax', ...placeOf(text, error.labels[0]?.start ?? 0) }
    }
    return fault
  }
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: before.at(-1)?.length ?? 0 }
}

const SAFE_LENGTH = 4_000
const MAX_BRACKETS = 1_500
const MAX_CHAIN = 8_000

/**
 * The parser recurses on the stack of the process and would end it on hostile nesting, so nesting is
 * bounded before. Text, comments and templates are skipped without a grammar: a wrong guess there can
 * only make the count higher or lower within one line.
 */
function tooDeep(text: string): ParseFault | undefined {
  if (text.length < SAFE_LENGTH) return undefined
  let depth = 0
  let chain = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const kind = unit < KINDS.length ? KINDS[unit] : KIND.link
    if (kind === KIND.nothing) continue
    if (kind === KIND.text) i = skipText(text, i, unit)
    else if (kind === KIND.slash) i = skipComment(text, i)
    else if (kind === KIND.close) depth--
    else if (kind === KIND.end) chain = 0
    else {
      chain++
      if (kind === KIND.open) depth++
    }
    if (depth > MAX_BRACKETS || chain > MAX_CHAIN)
      return { reason: 'too_deep', ...placeOf(text, i) }
  }
  return undefined
}

/** What a character says of nesting. */
const KIND = { nothing: 0, link: 1, open: 2, close: 3, end: 4, text: 5, slash: 6 } as const

const KINDS = Uint8Array.from({ length: 0x80 }, (_, unit) => kindOf(unit))

function kindOf(unit: number): number {
  const character = String.fromCharCode(unit)
  if ('"\'`'.includes(character)) return KIND.text
  if (character === '/') return KIND.slash
  if ('([{'.includes(character)) return KIND.open
  if (')]}'.includes(character)) return KIND.close
  if (';,'.includes(character)) return KIND.end
  const isLink = unit < 0x40 ? unit > 0x20 && (unit < 0x30 || unit > 0x39) : unit > 0x7a
  return isLink ? KIND.link : KIND.nothing
}

function skipText(text: string, from: number, quote: number): number {
  for (let i = from + 1; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === quote) return i
    if (unit === 0x5c) i++
    else if (unit === 0x0a && quote !== 0x60) return i
  }
  return text.length
}

function skipComment(text: string, from: number): number {
  const next = text.charCodeAt(from + 1)
  if (next === 0x2f) {
    const end = text.indexOf('\n', from)
    return end < 0 ? text.length : end
  }
  if (next !== 0x2a) return from
  const end = text.indexOf('*/', from + 2)
  return end < 0 ? text.length : end + 1
}
