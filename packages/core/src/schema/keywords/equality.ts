// SPDX-License-Identifier: Apache-2.0
import { _, type KeywordCxt } from 'ajv/dist/2020.js'
import { canonicalKey } from '../canonical-key.ts'
import { isArray, type Json } from '../json.ts'
import { type Meter, spend } from '../meter.ts'
import { type CreateKeyword, useValue } from './define.ts'

/** Values to test for, ready for one look-up however many they are. */
interface ValueSet {
  readonly scalars: ReadonlySet<unknown>
  readonly structures: ReadonlySet<string>
}

/** Building this set is paid for at start-up. */
const UNLIMITED: Meter = { left: Number.POSITIVE_INFINITY }

function createValueSet(values: readonly Json[]): ValueSet {
  const isStructure = (value: Json): boolean => typeof value === 'object' && value !== null
  return {
    scalars: new Set(values.filter((value) => !isStructure(value))),
    structures: new Set(values.filter(isStructure).map((value) => canonicalKey(value, UNLIMITED))),
  }
}

function isListed(value: unknown, { scalars, structures }: ValueSet, meter: Meter): boolean {
  if (typeof value !== 'object' || value === null) return scalars.has(value)
  return structures.size > 0 && structures.has(canonicalKey(value, meter))
}

/** Fails unless the value is one of a fixed set; equality is JSON Schema's. */
function failUnlessListed(cxt: KeywordCxt, values: readonly Json[], meter: Meter): void {
  const set = createValueSet(values)
  const check = useValue(cxt, (value: unknown) => isListed(value, set, meter))
  cxt.fail(_`!${check}(${cxt.data})`)
}

/** `enum` in the time of one look-up. */
export const enumKeyword: CreateKeyword = (meter) => ({
  keyword: 'enum',
  schemaType: 'array',
  before: 'not',
  code(cxt) {
    const values: Json = cxt.schema
    failUnlessListed(cxt, isArray(values) ? values : [], meter)
  },
})

/** `const` with JSON Schema's equality for every member name. */
export const constKeyword: CreateKeyword = (meter) => ({
  keyword: 'const',
  before: 'not',
  code(cxt) {
    const value: Json = cxt.schema
    failUnlessListed(cxt, [value], meter)
  },
})

/** `uniqueItems` in the time of writing each item out once. */
export const uniqueItemsKeyword: CreateKeyword = (meter) => ({
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  error: {
    message: '',
    params: ({ params }) => _`{first: ${params['pair']}[0], second: ${params['pair']}[1]}`,
  },
  code(cxt) {
    if (cxt.schema !== true) return
    const find = useValue(cxt, (items: readonly unknown[]) => findEqual(items, meter))
    const pair = cxt.gen.const('pair', _`${find}(${cxt.data})`)
    cxt.setParams({ pair })
    cxt.fail(_`${pair} !== undefined`)
  },
})

/** The indexes of the first two equal items. */
function findEqual(items: readonly unknown[], meter: Meter): readonly [number, number] | undefined {
  if (items.length < 2) return undefined
  const seen = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    spend(meter, 10)
    const key = canonicalKey(item, meter)
    const first = seen.get(key)
    if (first !== undefined) return [first, index]
    seen.set(key, index)
  }
  return undefined
}
