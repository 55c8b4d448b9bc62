// SPDX-License-Identifier: Apache-2.0
import type { Algorithm, Digest } from './digest.ts'
import { createSha256 } from './sha256.ts'
import { createSha512 } from './sha512.ts'

/** The part of Node's module used here. */
interface NodeCrypto {
  createHash(algorithm: string): {
    update(bytes: Uint8Array): unknown
    digest(encoding: 'hex'): string
  }
}

interface Host {
  readonly process?: { readonly getBuiltinModule?: (name: string) => unknown }
}

/**
 * Starts a digest: Node's own where there is one, else the portable one of this package, since
 * WebCrypto is absent on pages served over plain HTTP and answers asynchronously elsewhere.
 */
export function createDigest(algorithm: Algorithm): Digest {
  const host: Host = globalThis
  const crypto = host.process?.getBuiltinModule?.('node:crypto')
  return hasCreateHash(crypto) ? nodeDigest(crypto, algorithm) : portableDigest(algorithm)
}

function hasCreateHash(value: unknown): value is NodeCrypto {
  return typeof value === 'object' && value !== null && 'createHash' in value
}

function nodeDigest(crypto: NodeCrypto, algorithm: Algorithm): Digest {
  const hash = crypto.createHash(algorithm)
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') }
}

/** The digest written in JavaScript alone, the same on every host. */
export function portableDigest(algorithm: Algorithm): Digest {
  return algorithm === 'sha256' ? createSha256() : createSha512(algorithm)
}
