// SPDX-License-Identifier: Apache-2.0
// The only file that names the parser; everything else sees its tree through these types.
import type { Program } from 'oxc-parser'
import { refuse } from '../refuse.ts'
import type { ParseFault } from './module-facts.ts'
import { findTooDeep } from './nesting.ts'

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

export interface Parsed {
  readonly program: Program
  readonly isModule: boolean
}

/**
 * Parses on another thread; what it answers is made into a tree on this one, when it is read.
 *
 * @param bytes  the text in UTF-8, where that is at hand
 */
export type ParseSource = (
  path: string,
  text: string,
  isModule: boolean | undefined,
  bytes?: Buffer,
) => Promise<Parsed | ParseFault>

const NAME = 'oxc-parser'

/** Loads the parser. @throws ConnectomeError `['unavailable', 'oxc-parser']` where it is not installed */
export async function loadParser(): Promise<ParseSource> {
  const { parse } = await import('oxc-parser').catch(() => refuse('unavailable', NAME))
  return async (path, text, isModule, bytes = Buffer.from(text)) => {
    const deep = findTooDeep(bytes)
    if (deep >= 0) return { reason: 'too_deep', ...placeOf(text, unitsBefore(bytes, deep)) }
    const first = isModule === undefined ? 'unambiguous' : isModule ? 'module' : 'commonjs'
    const kinds = first === 'unambiguous' ? ([first, 'commonjs'] as const) : ([first] as const)
    let fault: ParseFault = { reason: 'syntax', line: 1, column: 0 }
    for (const sourceType of kinds) {
      const result = await parse(path, text, { sourceType, preserveParens: false })
      const error = result.errors.find(({ severity }) => severity === 'Error')
      if (error === undefined) {
        return {
          get program() {
            return result.program // made of its text now
          },
          isModule: isModule ?? result.module.hasModuleSyntax,
        }
      }
      fault = { reason: 'syntax', ...placeOf(text, error.labels[0]?.start ?? 0) }
    }
    return fault
  }
}

/** UTF-16 units before the character that a byte is of. */
function unitsBefore(bytes: Buffer, place: number): number {
  let at = place
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at--
  return bytes.toString('utf8', 0, at).length
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: before.at(-1)?.length ?? 0 }
}
