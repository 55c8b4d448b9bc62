// SPDX-License-Identifier: Apache-2.0

import type { ReadSubscriptionOptions } from '../subscriptions/subscription-options.ts'
import type { JsonObject } from './plain.ts'

/** What a server may offer beside the three lists. */
export interface Features {
  /** Whether the catalog completes arguments. */
  readonly completions: boolean
  /** Whether log messages may be sent to a client that asks for them. */
  readonly logging: boolean
  /** What clients may listen for; undefined: nothing. */
  readonly subscriptions: ReadSubscriptionOptions | undefined
  /** Extensions by their id, with their settings. */
  readonly extensions: JsonObject
}

/** What is served, as the text of a `capabilities` member. @see DISC-06 */
export function encodeCapabilities({
  completions,
  logging,
  subscriptions,
  extensions,
}: Features): string {
  const { tools, prompts, resources, resourceUpdates } = subscriptions ?? NOTHING
  return JSON.stringify({
    tools: { listChanged: tools },
    resources: { listChanged: resources, subscribe: resourceUpdates },
    prompts: { listChanged: prompts },
    ...(completions && { completions: {} }),
    ...(logging && { logging: {} }),
    ...(Object.keys(extensions).length > 0 && { extensions }),
  })
}

const NOTHING = { tools: false, prompts: false, resources: false, resourceUpdates: false } as const
