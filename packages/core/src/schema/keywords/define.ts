// SPDX-License-Identifier: Apache-2.0
import type { Ajv } from 'ajv'
import type { CodeKeywordDefinition, KeywordCxt, Name } from 'ajv/dist/2020.js'
import type { Meter } from '../meter.ts'

/** The part of an Ajv instance that keywords are added to; every dialect's class has it. */
export type AjvCore = Pick<Ajv, 'addKeyword' | 'removeKeyword' | 'RULES'>

/** A keyword of ours, which may replace one of Ajv's. */
export type Keyword = CodeKeywordDefinition & { readonly keyword: string }

/** Keywords are made for one compiled schema, whose meter they charge. */
export type CreateKeyword = (meter: Meter) => Keyword

/** Makes a value of ours usable in the code that is generated for a keyword. */
export function useValue(cxt: KeywordCxt, value: unknown): Name {
  return cxt.gen.scopeValue('obj', { ref: value })
}

/** Adds keywords to an Ajv instance in place of its own of the same name. */
export function addKeywords(ajv: AjvCore, keywords: readonly Keyword[]): void {
  for (const keyword of keywords) {
    if (ajv.RULES.keywords[keyword.keyword] === true) ajv.removeKeyword(keyword.keyword)
    ajv.addKeyword(keyword)
  }
}
