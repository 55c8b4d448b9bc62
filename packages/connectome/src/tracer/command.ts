// SPDX-License-Identifier: Apache-2.0

type Answer<Found> = (error: Error | null, found?: Found) => void

/**
 * Sends a command to V8's debugger, which answers before this returns. What it fails with is thrown from
 * here: of what is thrown within an answer Node only warns.
 */
export function command<Found>(send: (answer: Answer<Found>) => void): Found | undefined {
  let failure: Error | null = null as Error | null
  let found: Found | undefined
  send((error, answer) => {
    failure = error
    found = answer
  })
  if (failure !== null) throw new Error(`V8's debugger: ${failure.message}`)
  return found
}
