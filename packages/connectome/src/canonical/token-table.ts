// SPDX-License-Identifier: Apache-2.0

/** Texts as UTF-8 in one array: text `i` is the bytes from `starts[i]` to before `starts[i + 1]`. */
export interface TokenTable {
  readonly bytes: Uint8Array
  readonly starts: Int32Array
}

/** Encodes texts that will be written many times, once. They are well formed. */
export function createTokenTable(texts: readonly string[]): TokenTable {
  const starts = new Int32Array(texts.length + 1)
  let end = 0
  for (let i = 0; i < texts.length; i++) {
    end += utf8Length(texts[i] ?? '')
    starts[i + 1] = end
  }
  return { bytes: new TextEncoder().encode(texts.join('')), starts }
}

/** Bytes of a well-formed text in UTF-8: a surrogate is half of four. */
export function utf8Length(text: string): number {
  let length = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0x80) length += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2
  }
  return length
}

/** The bytes of one text of a table. */
export function tokenLength({ starts }: TokenTable, place: number): number {
  return (starts[place + 1] ?? 0) - (starts[place] ?? 0)
}
