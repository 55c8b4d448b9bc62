// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createDigest, portableDigest } from '../../src/digest/create-digest.ts'
import { ALGORITHMS } from '../../src/digest/digest.ts'

const native = (algorithm: string, bytes: Uint8Array): string =>
  createHash(algorithm).update(bytes).digest('hex')

describe.each(ALGORITHMS)('the portable %s', (algorithm) => {
  test('agrees with the native one at every length around a block', () => {
    for (let length = 0; length <= 300; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 0xff)
      const digest = portableDigest(algorithm)
      digest.update(bytes)
      expect(digest.hex()).toBe(native(algorithm, bytes))
    }
  })

  test('does not care how the bytes are cut', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 })
    fc.assert(
      fc.property(pieces, (parts) => {
        const digest = portableDigest(algorithm)
        for (const part of parts) digest.update(part)
        expect(digest.hex()).toBe(native(algorithm, Buffer.concat(parts)))
      }),
      { numRuns: 50 },
    )
  })
})

describe('createDigest', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  test('answers the same where the host has no module to ask for', () => {
    const bytes = new TextEncoder().encode('connectome')
    const answers = [process, undefined, {}].map((host) => {
      vi.stubGlobal('process', host)
      const digest = createDigest('sha256')
      digest.update(bytes)
      return digest.hex()
    })
    expect(new Set(answers)).toEqual(new Set([native('sha256', bytes)]))
  })
})
