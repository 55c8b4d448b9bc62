// SPDX-License-Identifier: Apache-2.0
import type { CacheHint, CacheText } from './cache-hints.ts'
import type { JsonObject } from './plain.ts'
import { SERVER_KEY } from './request-meta.ts'
import type { Result, Revision } from './revision.ts'
import type { Service } from './service.ts'

/** A revision with the texts that end its results. */
export interface Served {
  readonly revision: Revision
  readonly cacheText: CacheText
  /** The revision's own members, with their commas before them. */
  readonly tail: string
  readonly serverInfo: JsonObject
}

/** What a server serves: one revision of either era, or one of each. */
export interface ServedRevisions {
  readonly modern: Served | undefined
  readonly legacy: Served | undefined
  /** Every version, newest first. */
  readonly versions: readonly string[]
}

/**
 * @param revisions  newest first
 * @param serverInfo  the server's identity as every result names it
 */
export function serveRevisions(
  revisions: readonly Revision[],
  service: Service,
  serverInfo: JsonObject,
): ServedRevisions {
  const served = revisions.map((revision) => prepare(revision, service, serverInfo))
  return {
    modern: served.find(({ revision }) => revision.era === 'modern'),
    legacy: served.find(({ revision }) => revision.era === 'legacy'),
    versions: revisions.map(({ version }) => version),
  }
}

function prepare(revision: Revision, { cache }: Service, serverInfo: JsonObject): Served {
  const type = revision.resultType === undefined ? '' : `,"resultType":"${revision.resultType}"`
  const meta = revision.namesServer
    ? `,"_meta":${JSON.stringify({ [SERVER_KEY]: serverInfo })}`
    : ''
  const hint = ({ ttlMs, cacheScope }: CacheHint): string =>
    revision.hasCacheFields ? `,"ttlMs":${ttlMs},"cacheScope":"${cacheScope}"` : ''
  const cacheText = {
    tools: hint(cache.tools),
    resources: hint(cache.resources),
    prompts: hint(cache.prompts),
    discover: hint(cache.discover),
  }
  return { revision, cacheText, tail: `${type}${meta}`, serverInfo }
}

/** The revision's own members; the host's `_meta` joins the server's identity and never replaces it. */
export function tailOf(
  { meta, metaText, resultType }: Result,
  { tail, serverInfo, revision }: Served,
): string {
  if (meta === undefined && resultType === undefined && metaText === undefined) return tail
  const named = resultType ?? revision.resultType
  const type = named === undefined ? '' : `,"resultType":${JSON.stringify(named)}`
  const own = revision.namesServer ? { ...meta, [SERVER_KEY]: serverInfo } : meta
  if (metaText !== undefined) {
    const ownText = JSON.stringify(own ?? {}).slice(1)
    return `${type},"_meta":{${metaText}${ownText === '}' ? '' : ','}${ownText}`
  }
  return own === undefined ? type : `${type},"_meta":${JSON.stringify(own)}`
}
