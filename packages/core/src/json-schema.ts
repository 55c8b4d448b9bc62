// SPDX-License-Identifier: Apache-2.0
import type { FromSchema, JSONSchema } from 'json-schema-to-ts'

/**
 * Types a JSON Schema literal: `defineTool` infers its handler's arguments from it. The object is
 * answered as it is; `static` exists in the type alone.
 *
 * The subpath `@beam-mcp/core/json-schema` is the one that needs `json-schema-to-ts` (types only).
 */
export function jsonSchema<const Schema extends JSONSchema & object>(
  schema: Schema,
): Schema & { readonly static: FromSchema<Schema> } {
  return schema as Schema & { readonly static: FromSchema<Schema> }
}
