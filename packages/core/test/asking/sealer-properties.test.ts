// SPDX-License-Identifier: Apache-2.0
import { createStateSealer, type StateBinding } from '@beam-mcp/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyOf } from '../support/asking.ts'

const sealer = createStateSealer({ keys: [keyOf(1)] })
const BINDING: StateBinding = {
  endpoint: '/mcp',
  principal: 'ada',
  method: 'tools/call',
  params: {},
}

const bindings: fc.Arbitrary<StateBinding> = fc.record({
  endpoint: fc.string({ unit: 'binary' }),
  principal: fc.string({ unit: 'binary' }),
  method: fc.constantFrom('tools/call', 'prompts/get', 'resources/read'),
  params: fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()),
})

/** The same value with the members of each object in the reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, member]) => [key, reversed(member)] as const)
  return Object.fromEntries(entries.toReversed())
}

const text = (value: unknown): string => JSON.stringify(value)

test('[MRTR-08] any JSON value comes back as it was, for any request', () => {
  fc.assert(
    fc.property(fc.jsonValue(), bindings, (state, binding) => {
      const opened = sealer.open(sealer.seal(state, binding), binding)
      expect(text(opened?.state)).toBe(text(state))
    }),
  )
})

test('[MRTR-09] opens whatever the order of the members of its request', () => {
  fc.assert(
    fc.property(bindings, (binding) => {
      const params = reversed(binding.params) as StateBinding['params']
      expect(sealer.open(sealer.seal(1, binding), { ...binding, params })).toEqual({ state: 1 })
    }),
  )
})

test('[MRTR-09] opens for one of two requests alone, unless they say the same', () => {
  const withoutCarried = ({ params, ...rest }: StateBinding): string => {
    const { _meta, inputResponses, requestState, ...salient } = params
    return text([rest, reversed(reversed(salient))])
  }
  const near = bindings.chain((one) =>
    fc
      .record({
        endpoint: fc.constantFrom(one.endpoint, `${one.endpoint}/`),
        principal: fc.constantFrom(one.principal, `${String(one.principal)} `),
        method: fc.constantFrom(one.method, 'tools/call'),
        params: fc.oneof(
          fc.constant(one.params),
          fc.jsonValue().map((more) => ({ ...one.params, more })),
        ),
      })
      .map((other) => [one, other] as const),
  )
  fc.assert(
    fc.property(near, ([one, other]) => {
      const opens = sealer.open(sealer.seal(1, one), other) !== undefined
      expect(opens).toBe(withoutCarried(one) === withoutCarried(other))
    }),
  )
})

test('[MRTR-08] opens nothing that was not sealed', () => {
  const token = sealer.seal({ a: 1 }, BINDING)
  const size = Buffer.from(token, 'base64url').length
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
        fc
          .uint8Array({ maxLength: 200 })
          .map((bytes) => Buffer.from([1, ...bytes]).toString('base64url')),
        // Some bytes of a sound one overwritten.
        fc
          .tuple(fc.nat(size - 1), fc.uint8Array({ minLength: 1, maxLength: 40 }))
          .map(([at, bytes]) => {
            const changed = Buffer.from(token, 'base64url')
            changed.set(bytes.subarray(0, size - at), at)
            return changed.toString('base64url')
          }),
      ),
      (forged) => {
        fc.pre(forged !== token)
        expect(sealer.open(forged, BINDING)).toBeUndefined()
      },
    ),
    { numRuns: 1000 },
  )
})
