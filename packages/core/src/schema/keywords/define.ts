// SPDX-License-Identifier: Apache-2.0
import type { Ajv } from 'ajv'
import type { CodeKeywordDefinition, KeywordCxt, Name } from 'ajv/dist/2020.js'
import type { Meter } from '../meter.ts'
import type { PatternBook } from '../pattern-book.ts'

/** The part of an Ajv instance that keywords are added to; every dialect's class has it. */
export type AjvCore = Pick<Ajv, 'addKeyword' | 'removeKeyword' | 'RULES'>

/** A keyword of ours, which may replace one of Ajv's. */
export type Keyword = CodeKeywordDefinition & { readonly keyword: string }

/** What the keywords of one compiled schema share. */
export interface KeywordTools {
  readonly meter: Meter
  readonly patterns: PatternBook
  /** The list of member names that the schema being generated has in a variable. */
  readonly namesOf: (cxt: KeywordCxt) => Name
}

/** Keywords are made for one compiled schema. */
export type CreateKeyword = (tools: KeywordTools) => Keyword

/**
 * Makes a value of ours usable in the code that is generated. One function for all uses of a keyword
 * is better than one for each: Ajv's time grows with the square of their number.
 */
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
