// SPDX-License-Identifier: Apache-2.0
import { addSite, emit, fresh, type Lowering } from './lowering.ts'
import { NOTHING, OP, UNKNOWN } from './module-facts.ts'
import type { Argument, Expression } from './parse-source.ts'

type CallNode = Extract<Expression, { type: 'CallExpression' }>

/**
 * Functions that compilers put into their output. Each serves every import of a module, so following
 * values through it would mix them all; what it does to its one argument is written here instead.
 */
const HELPERS = {
  __importDefault: 'interop',
  __importStar: 'interop',
  __toESM: 'interop',
  _interopRequireDefault: 'interop',
  _interopRequireWildcard: 'interop',
  _interop_require_default: 'interop',
  _interop_require_wildcard: 'interop',
  __exportStar: 'exportFrom',
  __reExport: 'reExport',
  __export: 'publish',
  __toCommonJS: 'same',
  __awaiter: 'await',
} as const
type Helper = (typeof HELPERS)[keyof typeof HELPERS]

function helperOf(callee: Expression): Helper | undefined {
  const name =
    callee.type === 'Identifier'
      ? callee.name
      : callee.type === 'MemberExpression' && !callee.computed
        ? callee.property.name
        : callee.type === 'SequenceExpression'
          ? undefined
          : undefined
  return name !== undefined && Object.hasOwn(HELPERS, name)
    ? HELPERS[name as keyof typeof HELPERS] // its own key, just asked
    : undefined
}

export const isHelper = (callee: Expression): boolean => helperOf(callee) !== undefined

/** A call of a helper is still a call: its site leads to the helper, which is handed nothing. */
export function lowerHelper(low: Lowering, node: CallNode): number {
  const helper = helperOf(node.callee)
  const callee = low.expression(low, node.callee)
  const given = node.arguments.map((argument) => lowerOne(low, argument))
  const [first = NOTHING, second = NOTHING] = given
  const site = addSite(low, 'call', node, node.callee.end)
  emit(low, OP.call, site, callee, fresh(low), 0)
  switch (helper) {
    case 'interop': {
      if (first < 0) return first
      const to = fresh(low)
      emit(low, OP.interop, to, first, low.requiredFrom.get(first) ?? -1)
      return to
    }
    case 'exportFrom':
      if (second !== NOTHING) emit(low, OP.exportFrom, second, first)
      return NOTHING
    case 'reExport':
      if (first !== NOTHING) emit(low, OP.exportFrom, first, second)
      return first
    case 'publish':
      if (first >= 0 && second >= 0) emit(low, OP.publish, first, second)
      return first
    case 'await': {
      const body = given[3] ?? UNKNOWN
      const list = fresh(low)
      const to = fresh(low)
      emit(low, OP.call, site, body, list, 0)
      emit(low, OP.promise, to, UNKNOWN)
      return to
    }
    default:
      return first
  }
}

function lowerOne(low: Lowering, argument: Argument): number {
  return low.expression(low, argument.type === 'SpreadElement' ? argument.argument : argument)
}
