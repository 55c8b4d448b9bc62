// SPDX-License-Identifier: Apache-2.0
import { hoistVariables } from './hoist.ts'
import { classValue } from './lower-class.ts'
import { expression } from './lower-expression.ts'
import { functionValue } from './lower-function.ts'
import { assign, bind } from './lower-pattern.ts'
import { statements } from './lower-statement.ts'
import {
  createWords,
  emit,
  fresh,
  type Lowering,
  newObject,
  placeOf,
  push,
  setName,
  TooDeep,
  text,
} from './lowering.ts'
import { type ModuleFacts, OP, type ParseFault, SHAPE } from './module-facts.ts'
import type { Parsed, Program } from './parse-source.ts'

/** Name of the function that a module's own statements count as. */
export const MODULE_CODE = '(module)'

/**
 * Reads what a module does into a flat program. A file that did not parse, or that nests too deep, comes
 * back as a fault.
 */
export function readModule(text: string, parsed: Parsed | ParseFault): ModuleFacts | ParseFault {
  if ('reason' in parsed) return parsed
  const low = createLowering(text, parsed.isModule)
  try {
    return lowerProgram(low, parsed.program)
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
    return { reason: 'too_deep', ...placeOf(low, error.offset) }
  }
}

/** Filled anew by each module, as one is read to its end before the next. */
const [CODE, SITES, LINES] = [createWords(), createWords(), createWords()]

function createLowering(source: string, isModule: boolean): Lowering {
  CODE.size = 0
  SITES.size = 0
  return {
    text: source,
    lineStarts: findLines(source),
    strings: [],
    stringPlaces: new Map(),
    code: CODE,
    functions: [],
    classes: [],
    classPlaces: [],
    units: [{ name: MODULE_CODE, arity: 0 }],
    requests: [],
    sites: SITES,
    tools: [],
    literals: new Map(),
    requiredFrom: new Map(),
    requirers: new Set(),
    looped: new Set(),
    narrowed: new Map(),
    narrowings: new Map(),
    isModule,
    exportsVariable: -1,
    moduleVariable: -1,
    variables: 0,
    isCompiled: source.includes('__esModule'),
    scope: { names: undefined, parent: undefined, isFunction: true },
    frame: {
      unit: 0,
      isTop: true,
      self: -1,
      result: -1,
      yields: -1,
      isGenerator: false,
      all: { variable: -1 },
      home: undefined,
    },
    depth: 0,
    expression,
    statements,
    functionValue,
    classValue,
    bind,
    assign,
  }
}

function lowerProgram(low: Lowering, program: Program): ModuleFacts {
  if (!low.isModule) declareCommonJs(low)
  const body = program.body
  hoistVariables(low, body, low.scope)
  low.statements(low, body)
  return {
    strings: low.strings,
    variables: low.variables,
    functions: low.functions,
    classes: low.classes,
    classPlaces: low.classPlaces,
    units: low.units,
    requests: low.requests,
    tools: low.tools,
    code: low.code.list.slice(0, low.code.size),
    sites: low.sites.list.slice(0, low.sites.size),
    format: low.isModule ? 'module' : 'commonjs',
    commonjs: { module: low.moduleVariable, exports: low.exportsVariable },
    isCompiled: low.isCompiled,
  }
}

/** `module`, `exports` and `this` of a CommonJS module; `exports` is the first `module.exports`. */
function declareCommonJs(low: Lowering): void {
  low.moduleVariable = newObject(low, SHAPE.module)
  low.exportsVariable = newObject(low, SHAPE.exports)
  emit(low, OP.store, low.moduleVariable, text(low, 'exports'), low.exportsVariable)
  setName(low.scope, 'module', low.moduleVariable)
  setName(low.scope, 'exports', low.exportsVariable)
  low.frame = { ...low.frame, self: low.exportsVariable, result: fresh(low) }
}

function findLines(source: string): Int32Array {
  LINES.size = 0
  push(LINES, 0)
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) {
    push(LINES, at + 1)
  }
  return LINES.list.subarray(0, LINES.size)
}
