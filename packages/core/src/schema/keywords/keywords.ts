// SPDX-License-Identifier: Apache-2.0
import type { Meter } from '../meter.ts'
import type { PatternBook } from '../pattern-book.ts'
import { allOfKeyword, anyOfKeyword, ifKeyword, oneOfKeyword } from './applicators.ts'
import { containsKeyword, prefixItemsKeyword, unevaluatedItemsKeyword } from './arrays.ts'
import { perMemberKeyword, visitKeyword } from './charge.ts'
import type { Keyword } from './define.ts'
import { dependentRequiredKeyword, dependentSchemasKeyword } from './dependents.ts'
import { constKeyword, enumKeyword, uniqueItemsKeyword } from './equality.ts'
import {
  additionalPropertiesKeyword,
  createNamesOf,
  patternPropertiesKeyword,
  propertyNamesKeyword,
  unevaluatedPropertiesKeyword,
} from './names.ts'
import { integerKeyword, multipleOfKeyword } from './numbers.ts'
import { propertiesKeyword } from './properties.ts'
import { requiredKeyword } from './required.ts'
import {
  maxLengthKeyword,
  maxPropertiesKeyword,
  minLengthKeyword,
  minPropertiesKeyword,
  patternKeyword,
} from './sizes.ts'

/**
 * The keywords that take the place of Ajv's, and those that only the lowered form has. Within a type
 * they run in this order, so bounds come before what they bound (`maxLength` before `pattern`,
 * `propertyNames` before `patternProperties`) and `unevaluated…` comes last.
 */
export function createKeywords(meter: Meter, patterns: PatternBook): readonly Keyword[] {
  const tools = { meter, patterns, namesOf: createNamesOf(meter) }
  const created = [
    visitKeyword,
    perMemberKeyword,
    integerKeyword,
    multipleOfKeyword,
    patternKeyword,
    maxLengthKeyword,
    minLengthKeyword,
    maxPropertiesKeyword,
    minPropertiesKeyword,
    enumKeyword,
    constKeyword,
    propertyNamesKeyword,
    propertiesKeyword,
    patternPropertiesKeyword,
    additionalPropertiesKeyword,
    uniqueItemsKeyword,
  ].map((create) => create(tools))
  return [
    ...created,
    requiredKeyword,
    anyOfKeyword,
    oneOfKeyword,
    allOfKeyword,
    ifKeyword,
    dependentRequiredKeyword,
    dependentSchemasKeyword,
    prefixItemsKeyword,
    containsKeyword,
    unevaluatedPropertiesKeyword(tools),
    unevaluatedItemsKeyword,
  ]
}
