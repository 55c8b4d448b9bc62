// SPDX-License-Identifier: Apache-2.0
import type { Reason } from '../error.ts'
import { compareCodePoints } from '../graph/code-points.ts'
import type { Labels } from '../graph/labels.ts'
import { normalForm, quote } from './normal.ts'
import { type Member, repeatedName, sortMembers, valueText } from './value-text.ts'

/** One label: its key in normal form and the canonical text of its value. */
export interface LabelText extends Member {
  readonly text: string
}

export type LabelTexts =
  | { readonly ok: true; readonly labels: readonly LabelText[] }
  | { readonly ok: false; readonly reason: Reason }

const EMPTY: LabelTexts = { ok: true, labels: [] }

/**
 * A node's labels in canonical order, or the first fault: by the raw keys in code point order, for
 * each the key and then the value; keys that meet after normalising come last.
 *
 * @param id the node's id in normal form, for the reason
 */
export function labelTexts(id: string, labels: Labels): LabelTexts {
  const own = Reflect.ownKeys(labels)
  if (own.length === 0) return EMPTY
  const symbol = own.find((key) => typeof key === 'symbol')
  if (symbol !== undefined) return refused('label_key', id, symbol)
  const texts: LabelText[] = []
  for (const key of Object.keys(labels).sort(compareCodePoints)) {
    const read = labelText(id, key, labels[key])
    if (!read.ok) return read
    texts.push(...read.labels)
  }
  sortMembers(texts)
  const twice = repeatedName(texts)
  return twice === undefined
    ? { ok: true, labels: texts }
    : refused('duplicate_label_key', id, twice)
}

function labelText(id: string, key: string, value: unknown): LabelTexts {
  const name = normalForm(key)
  if (name === undefined) return refused('invalid_utf8', id, key)
  const text = valueText(value)
  if (text !== undefined) return { ok: true, labels: [{ key, name, text }] }
  return typeof value === 'string'
    ? refused('invalid_utf8', id, key)
    : refused('label_value', id, key, value)
}

const refused = (...reason: Reason): LabelTexts => ({ ok: false, reason })

/** The labels as one canonical object. */
export function joinLabels(labels: readonly LabelText[]): string {
  return `{${labels.map(({ name, text }) => `${quote(name)}:${text}`).join(',')}}`
}
