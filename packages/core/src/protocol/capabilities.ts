// SPDX-License-Identifier: Apache-2.0

/** What a server may offer beside the three lists. */
export interface Features {
  /** Whether the catalog completes arguments. */
  readonly completions: boolean
  /** Whether log messages may be sent to a client that asks for them. */
  readonly logging: boolean
}

/** What is served, as the text of a `capabilities` member. @see DISC-06 */
export function encodeCapabilities({ completions, logging }: Features): string {
  return JSON.stringify({
    tools: { listChanged: false },
    resources: { listChanged: false, subscribe: false },
    prompts: { listChanged: false },
    ...(completions && { completions: {} }),
    ...(logging && { logging: {} }),
  })
}
