// SPDX-License-Identifier: Apache-2.0
import { kindOf } from '../echo.ts'
import { isJsonObject, isStringList, type JsonObject, ownMember } from '../plain.ts'

/** What a client wants to hear of. */
export interface SubscriptionFilter {
  readonly tools: boolean
  readonly prompts: boolean
  readonly resources: boolean
  /** Each once. */
  readonly uris: readonly string[]
}

/** A filter, or what is wrong with it. */
export type FilterReading =
  | { readonly ok: true; readonly filter: SubscriptionFilter }
  | { readonly ok: false; readonly why: string }

/** @see MCP 2026-07-28, Subscriptions: SUB-02 */
export function readFilter(params: JsonObject, maxUris: number): FilterReading {
  const wanted = ownMember(params, 'notifications')
  if (!isJsonObject(wanted)) {
    return refuse(`notifications must be an object, got ${kindOf(wanted)}`)
  }
  const flags = new Map<string, boolean>()
  for (const name of ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged']) {
    const flag = ownMember(wanted, name)
    if (flag !== undefined && typeof flag !== 'boolean')
      return refuse(`notifications.${name} must be true or false`)
    flags.set(name, flag === true)
  }
  const given = ownMember(wanted, 'resourceSubscriptions')
  const uris = given === undefined ? [] : given
  if (!isStringList(uris)) {
    return refuse('notifications.resourceSubscriptions must be a list of strings')
  }
  const each = [...new Set(uris)]
  if (each.length > maxUris) {
    return refuse(`notifications.resourceSubscriptions names more than ${maxUris} resources`)
  }
  const filter = {
    tools: flags.get('toolsListChanged') === true,
    prompts: flags.get('promptsListChanged') === true,
    resources: flags.get('resourcesListChanged') === true,
    uris: each,
  }
  return { ok: true, filter }
}

function refuse(why: string): FilterReading {
  return { ok: false, why }
}
