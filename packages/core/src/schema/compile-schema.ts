// SPDX-License-Identifier: Apache-2.0
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import { readDialect } from './dialect.ts'
import { explainFailure, explainOverload, type SchemaFault } from './explain.ts'
import { indexDocument } from './index-document.ts'
import { isObject, type JsonObject } from './json.ts'
import { chargeFirst } from './keywords/charge.ts'
import { addKeywords } from './keywords/define.ts'
import { createKeywords } from './keywords/keywords.ts'
import { SCHEMA_LIMITS } from './limits.ts'
import { gathersEvaluated, lowerDocument } from './lower-document.ts'
import { checkMetaSchema } from './meta-schema.ts'
import { type Meter, WORK_SPENT } from './meter.ts'
import { createPatternBook, type PatternBook } from './pattern-book.ts'
import { readDocument } from './read-document.ts'
import { createRefuse, type Refuse } from './refuse.ts'

export type { SchemaFault } from './explain.ts'

export interface CompileOptions {
  /** The schema in the host's words, for messages: `tool 'echo' inputSchema`. */
  readonly where: string
  /** Bytes of the longest text that a caller can send: the body cap. */
  readonly maxValueBytes: number
  /**
   * Run patterns that only a backtracking engine runs, on values whose length is bounded. The host
   * vouches for them: some take exponential time even so. @default false
   */
  readonly nativePatterns?: boolean
}

/** A schema that is ready to judge values. */
export interface CompiledSchema {
  /**
   * Judges a JSON value in time that the body cap bounds.
   *
   * @param value  what `JSON.parse` gives; never changed, never kept
   * @returns the first fault found, or `undefined` when the value is valid
   */
  validate(value: unknown): SchemaFault | undefined
}

/**
 * Compiles a JSON Schema so that every keyword in it is enforced, or refuses it. The schema is copied
 * first and never changed; what is published is the host's own object.
 *
 * @param schema  an object of 2020-12, or of draft-07 where `$schema` says so
 * @throws BEAM_ERR_SCHEMA_UNSUPPORTED naming `where`, the place in the schema, and what to change
 * @see MCP 2026-07-28, JSON Schema Usage; `docs/schemas.md`
 */
export function compileSchema(schema: unknown, options: CompileOptions): CompiledSchema {
  const refuse = createRefuse(options.where)
  const document = readDocument(schema, refuse)
  if (!isObject(document)) throw refuse('', 'a schema must be an object')
  const dialect = readDialect(document, refuse)
  checkMetaSchema(document, dialect, refuse)
  const index = indexDocument(document, dialect, refuse)
  const meter: Meter = { left: 0 }
  const patterns = createPatternBook(options.nativePatterns === true, meter, refuse)
  const lowered = lowerDocument(index, patterns, options.maxValueBytes, refuse)
  const run = generate(lowered, gathersEvaluated(index), patterns, meter, refuse)
  const { leastWork, workPerByte } = SCHEMA_LIMITS
  const work = Math.max(options.maxValueBytes * workPerByte, leastWork)
  return createValidator(run, lowered, patterns, meter, work)
}

function generate(
  lowered: JsonObject,
  gathers: boolean,
  patterns: PatternBook,
  meter: Meter,
  refuse: Refuse,
): ValidateFunction {
  const ajv = new Ajv2020(AJV_OPTIONS)
  addKeywords(ajv, createKeywords(meter, patterns))
  chargeFirst(ajv)
  // The 2020 class gathers what was evaluated in every schema, and tracks dynamic scopes, which the
  // lowered form no longer has.
  ajv.opts.unevaluated = gathers
  ajv.opts.dynamicRef = false
  try {
    return ajv.compile(lowered)
  } catch (error) {
    if (error instanceof RangeError) throw refuse('', 'it is too large to compile; make it smaller')
    throw refuse('', error instanceof Error ? error.message : 'it does not compile')
  }
}

const AJV_OPTIONS: Options = {
  meta: false,
  validateSchema: false,
  strictSchema: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  allowUnionTypes: true,
  allowMatchingProperties: true,
  validateFormats: false,
  ownProperties: true,
  inlineRefs: false,
  messages: false,
  verbose: true,
  logger: false,
  code: { optimize: false },
}

function createValidator(
  run: ValidateFunction,
  lowered: JsonObject,
  patterns: PatternBook,
  meter: Meter,
  work: number,
): CompiledSchema {
  const functions = functionsOf(run)
  // V8 turns a function into bytecode when it is first called, which is better done now.
  meter.left = work
  for (const one of functions) one(undefined)
  return {
    validate(value) {
      meter.left = work
      try {
        if (run(value) === true) return undefined
        return explainFailure(run.errors ?? [], value, lowered)
      } catch (error) {
        const isStackFull = error instanceof RangeError && /call stack/i.test(error.message)
        if (error === WORK_SPENT || isStackFull) return explainOverload()
        throw error
      } finally {
        patterns.forget()
        for (const one of functions) forget(one)
      }
    },
  }
}

/** The generated function of a schema with those of all its references. */
function functionsOf(run: ValidateFunction): readonly ValidateFunction[] {
  const found = new Set([run])
  const { schemaEnv } = run
  for (const reference of Object.values(schemaEnv.root.refs)) {
    if (typeof reference === 'object' && 'validate' in reference) {
      const { validate } = reference
      if (typeof validate === 'function' && !('$async' in validate)) found.add(validate)
    }
  }
  return [...found]
}

/** Lets go of the value: generated functions keep their last errors and what was evaluated. */
function forget(run: ValidateFunction): void {
  run.errors = null
  const { evaluated } = run
  if (evaluated?.dynamicProps === true) delete evaluated.props
  if (evaluated?.dynamicItems === true) delete evaluated.items
}
