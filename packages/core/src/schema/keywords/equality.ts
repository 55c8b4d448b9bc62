// SPDX-License-Identifier: Apache-2.0
import { _, type KeywordCxt } from 'ajv/dist/2020.js'
import { isArray, type Json } from '../json.ts'
import { equalsJson, hashJson } from '../json-equality.ts'
import { type Meter, spend } from '../meter.ts'
import { type CreateKeyword, useValue } from './define.ts'

/** Values to test for, ready for one look-up however many they are. */
interface ValueSet {
  readonly scalars: ReadonlySet<unknown>
  readonly structures: ReadonlyMap<number, readonly Json[]>
}

/** Building a set is paid for at start-up. */
const UNLIMITED: Meter = { left: Number.POSITIVE_INFINITY }

function createValueSet(values: readonly Json[]): ValueSet {
  const structures = new Map<number, Json[]>()
  for (const value of values.filter(isStructure)) {
    const hash = hashJson(value, UNLIMITED)
    structures.set(hash, [...(structures.get(hash) ?? []), value])
  }
  return { scalars: new Set(values.filter((value) => !isStructure(value))), structures }
}

function isStructure(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function isListed(value: unknown, { scalars, structures }: ValueSet, meter: Meter): boolean {
  if (!isStructure(value)) return scalars.has(value)
  if (structures.size === 0) return false
  const near = structures.get(hashJson(value, meter))
  return near?.some((one) => equalsJson(one, value, meter)) === true
}

/** Fails unless the value is one of a fixed set; equality is JSON Schema's. */
function failUnlessListed(cxt: KeywordCxt, values: readonly Json[], meter: Meter): void {
  const [only] = values
  if (values.length === 1 && (only === null || typeof only !== 'object')) {
    cxt.fail(_`${cxt.data} !== ${only}`)
    return
  }
  const set = createValueSet(values)
  const check = useValue(cxt, (value: unknown) => isListed(value, set, meter))
  cxt.fail(_`!${check}(${cxt.data})`)
}

/** `enum` in the time of one look-up. */
export const enumKeyword: CreateKeyword = ({ meter }) => ({
  keyword: 'enum',
  schemaType: 'array',
  before: 'not',
  code(cxt) {
    const values: Json = cxt.schema
    failUnlessListed(cxt, isArray(values) ? values : [], meter)
  },
})

/** `const` with JSON Schema's equality for every member name. */
export const constKeyword: CreateKeyword = ({ meter }) => ({
  keyword: 'const',
  before: 'not',
  code(cxt) {
    const value: Json = cxt.schema
    failUnlessListed(cxt, [value], meter)
  },
})

/** `uniqueItems` in the time of reading each item once. */
export const uniqueItemsKeyword: CreateKeyword = ({ meter }) => {
  const find = (items: readonly unknown[]) => findEqual(items, meter)
  return {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    error: {
      message: '',
      params: ({ params }) => _`{first: ${params['pair']}[0], second: ${params['pair']}[1]}`,
    },
    code(cxt) {
      if (cxt.schema !== true) return
      const pair = cxt.gen.const('pair', _`${useValue(cxt, find)}(${cxt.data})`)
      cxt.setParams({ pair })
      cxt.fail(_`${pair} !== undefined`)
    },
  }
}

/** Work of one item beside hashing it. */
const ITEM_UNITS = 30

/** The indexes of the first two equal items. */
function findEqual(items: readonly unknown[], meter: Meter): readonly [number, number] | undefined {
  if (items.length < 2) return undefined
  // The first item of each hash; items that share one without being equal go into `others`.
  const seen = new Map<number, number>()
  const others = new Map<number, number[]>()
  for (const [index, item] of items.entries()) {
    spend(meter, ITEM_UNITS)
    const hash = hashJson(item, meter)
    const first = seen.get(hash)
    if (first === undefined) {
      seen.set(hash, index)
      continue
    }
    const near = [first, ...(others.get(hash) ?? [])]
    const twin = near.find((other) => equalsJson(items[other], item, meter))
    if (twin !== undefined) return [twin, index]
    others.set(hash, [...near.slice(1), index])
  }
  return undefined
}
