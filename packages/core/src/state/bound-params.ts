// SPDX-License-Identifier: Apache-2.0
import { putOwn } from '../json/put-own.ts'
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'

/**
 * The params that a state is bound to, as they came: what a handler writes into its arguments later
 * must not make another request of them.
 *
 * @param params  of the JSON reader: at most 64 levels
 * @see MCP 2026-07-28, Multi Round-Trip Requests: MRTR-06, MRTR-09
 */
export function copyBoundParams(params: JsonObject): JsonObject {
  const { _meta, inputResponses, requestState, ...bound } = params
  return copyMembers(bound)
}

function copyMembers(object: JsonObject): JsonObject {
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(object)) putOwn(copy, key, copyValue(object[key]))
  return copy
}

function copyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyValue)
  return isJsonObject(value) ? copyMembers(value) : value
}
