// SPDX-License-Identifier: Apache-2.0
import type { LabelText } from '../canonical/labels-text.ts'

/** A label's value in one string: a string as it is, anything else as its canonical text. */
export function flatText({ text }: LabelText): string {
  return text.startsWith('"') ? String(JSON.parse(text)) : text
}
