// SPDX-License-Identifier: Apache-2.0
import { enter, find, type Lowering } from './lowering.ts'
import { NOTHING, PLAIN } from './module-facts.ts'
import type { TSType } from './parse-source.ts'

const PLAIN_TYPES: ReadonlySet<string> = new Set([
  'TSStringKeyword',
  'TSNumberKeyword',
  'TSBooleanKeyword',
  'TSBigIntKeyword',
  'TSSymbolKeyword',
  'TSLiteralType',
  'TSTemplateLiteralType',
])
const EMPTY_TYPES: ReadonlySet<string> = new Set([
  'TSNullKeyword',
  'TSUndefinedKeyword',
  'TSVoidKeyword',
  'TSNeverKeyword',
])
const PLAIN_NAMES: ReadonlySet<string> = new Set([
  ...['Date', 'RegExp', 'Buffer', 'URL', 'URLSearchParams', 'ArrayBuffer', 'SharedArrayBuffer'],
  ...['DataView', 'Uint8Array', 'Uint8ClampedArray', 'Uint16Array', 'Uint32Array', 'Int8Array'],
  ...['Int16Array', 'Int32Array', 'Float32Array', 'Float64Array', 'BigInt64Array'],
  ...['BigUint64Array', 'TextEncoder', 'TextDecoder', 'RegExpMatchArray', 'RegExpExecArray'],
])
const PLAIN_WRAPPERS: ReadonlySet<string> = new Set([
  ...['Array', 'ReadonlyArray', 'Set', 'ReadonlySet', 'Map', 'ReadonlyMap', 'Record', 'Readonly'],
  ...['Partial', 'Required', 'Promise'],
])

/**
 * What a declared type says of the values: PLAIN where they hold nothing of the scope, the variable
 * of a class, or NOTHING where it says nothing that is used here.
 */
export function declaredType(low: Lowering, type: TSType | null | undefined): number {
  if (type === null || type === undefined) return NOTHING
  if (PLAIN_TYPES.has(type.type)) return PLAIN
  enter(low, type.start)
  const found = typeOf(low, type)
  low.depth--
  return found
}

function typeOf(low: Lowering, type: TSType): number {
  switch (type.type) {
    case 'TSArrayType':
      return declaredType(low, type.elementType) === PLAIN ? PLAIN : NOTHING
    case 'TSUnionType':
      return unionType(low, type.types)
    case 'TSParenthesizedType':
      return declaredType(low, type.typeAnnotation)
    case 'TSTypeOperator':
      return type.operator === 'readonly' ? declaredType(low, type.typeAnnotation) : NOTHING
    case 'TSTypeReference': {
      if (type.typeName.type !== 'Identifier') return NOTHING
      const { name } = type.typeName
      const variable = find(low, name)
      if (variable !== undefined) return variable
      if (PLAIN_NAMES.has(name)) return PLAIN
      const inner = type.typeArguments?.params ?? []
      const isPlain = inner.length > 0 && inner.every((one) => declaredType(low, one) === PLAIN)
      return PLAIN_WRAPPERS.has(name) && isPlain ? PLAIN : NOTHING
    }
    default:
      return NOTHING
  }
}

function unionType(low: Lowering, types: readonly TSType[]): number {
  const full = types.filter(({ type }) => !EMPTY_TYPES.has(type))
  const found = new Set(full.map((type) => declaredType(low, type)))
  const [only] = found
  return found.size === 1 && only !== undefined ? only : NOTHING
}
