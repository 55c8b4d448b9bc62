// SPDX-License-Identifier: Apache-2.0

const NON_ASCII = /[\u0080-\uffff]/
const NEEDS_ESCAPE = /["\\]|[^ -\uffff]/

/**
 * A string in Unicode normal form C, or `undefined` when it holds an unpaired surrogate, which
 * `normalize` alone would let through. ASCII is its own normal form and is not copied.
 */
export function normalForm(text: string): string | undefined {
  if (!NON_ASCII.test(text)) return text
  return text.isWellFormed() ? text.normalize('NFC') : undefined
}

/**
 * A string in quotes with the short escapes, other code points below U+0020 as `\u00xx` in lower
 * case, and everything else as it is. `JSON.stringify` does this for any well-formed string.
 */
export function quote(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`
}
