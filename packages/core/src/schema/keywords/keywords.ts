// SPDX-License-Identifier: Apache-2.0
import type { Meter } from '../meter.ts'
import {
  allOfKeyword,
  anyOfKeyword,
  ifKeyword,
  oneOfKeyword,
  propertiesKeyword,
} from './applicators.ts'
import { perMemberKeyword, visitKeyword } from './charge.ts'
import type { Keyword } from './define.ts'
import { constKeyword, enumKeyword, uniqueItemsKeyword } from './equality.ts'
import {
  containsKeyword,
  dependentRequiredKeyword,
  prefixItemsKeyword,
  unevaluatedItemsKeyword,
  unevaluatedPropertiesKeyword,
} from './members.ts'
import { integerKeyword, multipleOfKeyword } from './numbers.ts'
import {
  maxLengthKeyword,
  maxPropertiesKeyword,
  minLengthKeyword,
  minPropertiesKeyword,
} from './sizes.ts'

/**
 * The keywords that take the place of Ajv's, and those that only the lowered form has. Those that gather
 * nothing come first: within a type, keywords run in this order.
 */
export function createKeywords(meter: Meter): readonly Keyword[] {
  const charged = [
    visitKeyword,
    perMemberKeyword,
    integerKeyword,
    multipleOfKeyword,
    maxLengthKeyword,
    minLengthKeyword,
    maxPropertiesKeyword,
    minPropertiesKeyword,
    enumKeyword,
    constKeyword,
    uniqueItemsKeyword,
  ].map((create) => create(meter))
  return [
    ...charged,
    anyOfKeyword,
    oneOfKeyword,
    allOfKeyword,
    ifKeyword,
    propertiesKeyword,
    prefixItemsKeyword,
    dependentRequiredKeyword,
    containsKeyword,
    unevaluatedPropertiesKeyword,
    unevaluatedItemsKeyword,
  ]
}
