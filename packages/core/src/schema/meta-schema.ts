// SPDX-License-Identifier: Apache-2.0
import { Ajv, type ErrorObject } from 'ajv'
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Dialect } from './dialect.ts'
import { cut, type JsonObject } from './json.ts'
import type { Refuse } from './refuse.ts'

const OPTIONS: Options = {
  strict: false,
  validateFormats: false,
  messages: true,
  logger: false,
  ownProperties: true,
}

// Compiled when the first schema needs them; a meta-schema is the same for every document.
let check2020: ValidateFunction | undefined
let check07: ValidateFunction | undefined

/**
 * Refuses a schema that its dialect's meta-schema refuses, such as one with `"required": true`.
 *
 * @param document  plain JSON within the bounds of `readDocument`
 * @throws BEAM_ERR_SCHEMA_UNSUPPORTED with the place of the first fault
 * @see MCP 2026-07-28, JSON Schema Usage: a published schema is valid in its dialect
 */
export function checkMetaSchema(document: JsonObject, dialect: Dialect, refuse: Refuse): void {
  const check = metaSchemaOf(dialect)
  if (check(document) === true) return
  const fault = check.errors?.at(0)
  check.errors = null
  const place = fault?.instancePath ?? ''
  const why = fault === undefined ? 'it is not a schema' : reasonOf(fault)
  throw refuse(place, `${hintFor(place) ?? cut(why, 200)} (${dialect.name} meta-schema)`)
}

/** Ajv's text for an enumeration leaves out what is allowed. */
function reasonOf({ params, message = 'it is not a schema' }: ErrorObject): string {
  const allowed: unknown = params['allowedValues']
  return Array.isArray(allowed) ? `must be one of ${allowed.join(', ')}` : message
}

function metaSchemaOf(dialect: Dialect): ValidateFunction {
  if (dialect.name === 'draft-07') {
    check07 ??= compile(new Ajv(OPTIONS), 'http://json-schema.org/draft-07/schema')
    return check07
  }
  check2020 ??= compile(new Ajv2020(OPTIONS), 'https://json-schema.org/draft/2020-12/schema')
  return check2020
}

function compile(ajv: Ajv | Ajv2020, uri: string): ValidateFunction {
  const found = ajv.getSchema(uri)
  if (found === undefined) throw new Error(`Ajv has no meta-schema ${uri}`)
  return found
}

function hintFor(place: string): string | undefined {
  return place.endsWith('/items')
    ? 'items must be one schema; for one schema per position write prefixItems'
    : undefined
}
