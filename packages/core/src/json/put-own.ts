// SPDX-License-Identifier: Apache-2.0

/**
 * Gives an object or array a property of its own, whatever its prototype has under that key.
 *
 * A plain assignment would fall to a setter or a constant of the prototype, `__proto__` above all;
 * a plain descriptor would inherit what somebody has put on `Object.prototype`.
 */
export function putOwn<Key extends string | number>(
  target: Record<Key, unknown>,
  key: Key,
  value: unknown,
): void {
  if (key in target) {
    const own = { __proto__: null, writable: true, enumerable: true, configurable: true, value }
    Object.defineProperty(target, key, own)
  } else target[key] = value
}
