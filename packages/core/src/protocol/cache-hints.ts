// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject } from './plain.ts'
import { refuseOption, refuseUnknown } from './refuse-option.ts'

/** The results that carry cache hints. */
export type CacheKey = 'tools' | 'resources' | 'prompts' | 'discover'

/** How long a client may keep a result, and for whom. @see MCP 2026-07-28, Caching: CACHE-02 to 04 */
export interface CacheHint {
  /** Milliseconds, a whole number from 0; 0 is stale at once. */
  readonly ttlMs: number
  /** `public` lets any cache give it to anyone: the principal is then withheld from what builds it. */
  readonly cacheScope: 'public' | 'private'
}

/** A hint for each kind of result. */
export type CacheHints = Readonly<Record<CacheKey, CacheHint>>

/** Cache hints as the last members of a result. */
export type CacheText = Readonly<Record<CacheKey, string>>

const CACHE_KEYS: readonly CacheKey[] = ['tools', 'resources', 'prompts', 'discover']

/** @throws BEAM_ERR_OPT_INVALID */
export function readCacheHints(given: unknown): CacheHints {
  const hints: unknown = given === undefined ? {} : given
  if (!isJsonObject(hints)) {
    return refuseOption('cache', 'must be an object of { ttlMs, cacheScope } per kind')
  }
  refuseUnknown(hints, CACHE_KEYS, 'cache.')
  return {
    tools: readHint('tools', hints),
    resources: readHint('resources', hints),
    prompts: readHint('prompts', hints),
    discover: readHint('discover', hints),
  }
}

function readHint(key: CacheKey, hints: JsonObject): CacheHint {
  const hint: unknown = hints[key] === undefined ? {} : hints[key]
  if (!isJsonObject(hint)) return refuseOption(`cache.${key}`, 'must be { ttlMs, cacheScope }')
  refuseUnknown(hint, ['ttlMs', 'cacheScope'], `cache.${key}.`)
  const { ttlMs = 0, cacheScope = 'private' } = hint
  if (!Number.isSafeInteger(ttlMs) || Number(ttlMs) < 0) {
    return refuseOption(`cache.${key}.ttlMs`, 'must be a whole number of milliseconds from 0')
  }
  if (cacheScope !== 'public' && cacheScope !== 'private') {
    return refuseOption(`cache.${key}.cacheScope`, "must be 'public' or 'private'")
  }
  return { ttlMs: Number(ttlMs), cacheScope }
}

/** The kind whose hint is public although what it holds differs from caller to caller. */
export function findPublicList(hints: CacheHints): CacheKey | undefined {
  return CACHE_KEYS.find((key) => key !== 'discover' && hints[key].cacheScope === 'public')
}
