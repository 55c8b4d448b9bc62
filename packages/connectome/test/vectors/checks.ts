// SPDX-License-Identifier: Apache-2.0
import { plain } from './tagged.ts'

/** One thing a vector says, what came out, and what should have. Comparable as JSON. */
export interface Check {
  readonly what: string
  readonly actual: unknown
  readonly expected: unknown
}

export function check(what: string, actual: unknown, expected: unknown): Check {
  return { what, actual: plain(actual), expected: plain(expected) }
}

/** The reason a call refuses with, or the marked answer of one that does not. */
export function reasonOf(call: () => unknown): unknown {
  try {
    return { answered: call() }
  } catch (error) {
    return error instanceof Error && 'reason' in error ? error.reason : `${error}`
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

export function base64Of(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
