// SPDX-License-Identifier: Apache-2.0
const CENTS: Readonly<Record<string, number>> = { apple: 40, pear: 55 }

/** Cents of one article, or undefined. */
export function priceOf(article: string): number | undefined {
  return CENTS[article]
}
