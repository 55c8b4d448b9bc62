// SPDX-License-Identifier: Apache-2.0

/** Collects the parts of one message that came in several chunks. */
export interface ByteStore {
  /** Bytes held. */
  readonly length: number
  /** Copies a part behind what is held. */
  readonly append: (part: Buffer) => void
  /**
   * The whole message, its last part included, which is not copied where it is the only one.
   *
   * @returns bytes that hold until the next `append`
   */
  readonly take: (last: Buffer) => Buffer
  readonly clear: () => void
}

const FIRST_CAPACITY = 4_096
/** Bytes of a store that is kept for the next message; a larger one is let go. */
const KEPT_CAPACITY = 65_536
const EMPTY = Buffer.alloc(0)

/**
 * One buffer that doubles as it fills: a list of chunks would cost a hundred bytes for each byte of
 * a sender that writes them one by one, and joining at each chunk would cost the square of them.
 *
 * @param limit  bytes of the largest message; the buffer never grows beyond
 */
export function createByteStore(limit: number): ByteStore {
  let held: Buffer = EMPTY
  let length = 0
  const append = (part: Buffer): void => {
    const needed = length + part.length
    if (needed > held.length) held = grow(held.subarray(0, length), needed, limit)
    part.copy(held, length)
    length = needed
  }
  const clear = (): void => {
    length = 0
    if (held.length > KEPT_CAPACITY) held = EMPTY
  }
  return {
    get length() {
      return length
    },
    append,
    take: (last) => {
      if (length === 0) return last
      append(last)
      const whole = held.subarray(0, length)
      clear()
      return whole
    },
    clear,
  }
}

function grow(held: Buffer, needed: number, limit: number): Buffer {
  const doubled = Math.max(FIRST_CAPACITY, 2 * held.length, needed)
  // Not from the pool that small buffers share: a store may outlive all that is beside it there.
  const grown = Buffer.allocUnsafeSlow(Math.max(Math.min(doubled, limit), needed))
  held.copy(grown)
  return grown
}
