// SPDX-License-Identifier: Apache-2.0

/** The digests that bytes may name. Version 2 always uses the first. */
export const ALGORITHMS = ['sha256', 'sha384', 'sha512'] as const
export type Algorithm = (typeof ALGORITHMS)[number]

export function isAlgorithm(value: unknown): value is Algorithm {
  return ALGORITHMS.some((algorithm) => algorithm === value)
}

/** A running digest. `hex` ends it and answers lower-case hexadecimal. */
export interface Digest {
  update(bytes: Uint8Array): void
  hex(): string
}
