// SPDX-License-Identifier: Apache-2.0
import type { Digest } from './digest.ts'

/** What differs between the digests of FIPS 180-4. */
export interface BlockFunction {
  /** Bytes in a block: 64 or 128. */
  readonly blockSize: number
  /** Bytes of the length at the end of the padding: 8 or 16. */
  readonly lengthSize: number
  /** Takes in the block that begins at `start`. */
  compress(view: DataView, start: number): void
  hex(): string
}

/** Feeds bytes of any length to a block function and pads the last block (5.1 of FIPS 180-4). */
export function digestBlocks(blocks: BlockFunction): Digest {
  const { blockSize, lengthSize } = blocks
  const rest = new Uint8Array(blockSize)
  const restView = new DataView(rest.buffer)
  let filled = 0
  let total = 0
  const update = (bytes: Uint8Array): void => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    total += bytes.length
    let start = 0
    if (filled > 0) {
      start = Math.min(blockSize - filled, bytes.length)
      rest.set(bytes.subarray(0, start), filled)
      filled += start
      if (filled < blockSize) return
      blocks.compress(restView, 0)
      filled = 0
    }
    for (; start + blockSize <= bytes.length; start += blockSize) blocks.compress(view, start)
    rest.set(bytes.subarray(start))
    filled = bytes.length - start
  }
  const hex = (): string => {
    const bits = BigInt(total) * 8n
    const free = (2 * blockSize - filled - 1 - lengthSize) % blockSize
    const end = new Uint8Array(1 + free + lengthSize)
    end[0] = 0x80
    new DataView(end.buffer).setBigUint64(end.length - 8, bits)
    update(end)
    return blocks.hex()
  }
  return { update, hex }
}
