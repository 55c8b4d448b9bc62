// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'

/**
 * How much of JSON Schema a revision's tools may show. `full`: every output schema, every JSON value as
 * structured content. `objects`: property schemas and structured content are objects, and an output
 * schema describes one.
 */
export type ToolForm = 'full' | 'objects'

/** One text per form. */
export type ToolText = Readonly<Record<ToolForm, string>>

/**
 * Rewrites a tool for a revision that knows objects alone: a boolean property schema becomes the
 * object that means the same, and an output schema that is not of an object is left out.
 *
 * @param tool  a tool as `tools/list` shows it
 * @see MCP 2025-11-25, Tools, Tool: L-TOOL-02
 */
export function toObjectForm(tool: JsonObject): JsonObject {
  const entries = Object.entries(tool)
    .filter(([key, value]) => key !== 'outputSchema' || isOfObject(value))
    .map(([key, value]) => [key, SCHEMAS.has(key) ? withObjectProperties(value) : value])
  return Object.fromEntries(entries)
}

const SCHEMAS = new Set(['inputSchema', 'outputSchema'])

function isOfObject(schema: unknown): boolean {
  return isJsonObject(schema) && schema['type'] === 'object'
}

function withObjectProperties(schema: unknown): unknown {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  if (!isJsonObject(schema) || !isJsonObject(properties)) return schema
  const entries = Object.entries(properties).map(([name, value]) => [name, toObject(value)])
  return { ...schema, properties: Object.fromEntries(entries) }
}

function toObject(schema: unknown): unknown {
  if (typeof schema !== 'boolean') return schema
  return schema ? {} : { not: {} }
}
