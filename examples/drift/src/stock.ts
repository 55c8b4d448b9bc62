// SPDX-License-Identifier: Apache-2.0
const PIECES: Readonly<Record<string, number>> = { apple: 12, pear: 7 }

/** Pieces of one article in stock. */
export function piecesOf(article: string): number {
  return PIECES[article] ?? 0
}
