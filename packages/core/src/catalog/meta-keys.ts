// SPDX-License-Identifier: Apache-2.0
import { cutText } from '../protocol/echo.ts'
import { isJsonObject, isWrittenOtherwise } from '../protocol/plain.ts'

/** Dot-separated labels: a letter first, a letter or digit last, hyphens inside. */
const PREFIX = /^[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/
/** Empty, or a letter or digit at both ends and `-`, `_`, `.` inside. */
const NAME = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$/
const RESERVED_LABELS = new Set(['modelcontextprotocol', 'mcp'])
/** What the server writes itself: a result that was passed on from another server brings it along. */
const OWN_KEYS = new Set(['io.modelcontextprotocol/serverInfo'])

/**
 * Finds what is wrong with a `_meta` that host code built: its shape, or a key of its own that breaks
 * the grammar or stands where the protocol puts its own keys.
 *
 * @returns a phrase that follows "_meta", or `undefined` for a sound one and for none
 * @see MCP 2026-07-28, _meta: META-08 to META-10; MCP 2025-11-25: L-ENV-05
 */
export function findMetaFault(meta: unknown): string | undefined {
  if (meta === undefined) return undefined
  if (!isJsonObject(meta)) return 'must be an object, or left out'
  if (isWrittenOtherwise(meta)) return 'has a toJSON, and would be sent as something else'
  for (const key of Object.keys(meta)) {
    const fault = findKeyFault(key)
    if (fault !== undefined) return `has the key '${cutText(key)}', ${fault}`
  }
  return undefined
}

/** Says whether an id of an extension is written as it must be: a prefix, a slash and a name. */
export function isExtensionId(id: string): boolean {
  const slash = id.indexOf('/')
  const name = id.slice(slash + 1)
  return slash !== -1 && name !== '' && PREFIX.test(id.slice(0, slash)) && NAME.test(name)
}

function findKeyFault(key: string): string | undefined {
  const slash = key.indexOf('/')
  const prefix = slash === -1 ? undefined : key.slice(0, slash)
  const isWritten = prefix === undefined || PREFIX.test(prefix)
  if (!isWritten || !NAME.test(key.slice(slash + 1))) {
    return "which is not written as MCP wants it: a name of letters and digits with '-', '_' and '.' inside, and before it, if anything, dot-separated labels and a slash, as in 'com.example/name'"
  }
  return RESERVED_LABELS.has(prefix?.split('.')[1] ?? '') && !OWN_KEYS.has(key)
    ? "whose prefix is reserved for MCP; use one of your own, as in 'com.example/name'"
    : undefined
}
