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
    switch (unit) {
      case 0x22: // "
      case 0x27: // '
      case 0x60: // `
        i = skipText(text, i, unit)
        break
      case 0x2f: // /
        i = skipComment(text, i)
        break
      case 0x28: // (
      case 0x5b: // [
      case 0x7b: // {
        depth++
        chain++
        break
      case 0x29: // )
      case 0x5d: // ]
      case 0x7d: // }
        depth--
        break
      case 0x3b: // ;
      case 0x2c: // ,
        chain = 0
        break
      default:
        if (unit < 0x40 ? unit > 0x20 && (unit < 0x30 || unit > 0x39) : unit > 0x7a) chain++
    }
    if (depth > MAX_BRACKETS || chain > MAX_CHAIN)
      return { reason: 'too_deep', ...placeOf(text, i) }
  }
  return undefined
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
