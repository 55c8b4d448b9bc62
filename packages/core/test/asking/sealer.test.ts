// SPDX-License-Identifier: Apache-2.0
import { createStateSealer, type StateBinding, type StateSealerOptions } from '@beam-mcp/core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keyOf } from '../support/asking.ts'
import { costRatio } from '../support/cost.ts'
import { failure } from '../support/server.ts'

const BINDING: StateBinding = {
  endpoint: '/mcp',
  principal: 'ada',
  method: 'tools/call',
  params: { name: 'book', arguments: { city: 'c-1', seats: 1 } },
}
const KEYS = { keys: [keyOf(1)] }
const sealer = createStateSealer(KEYS)
const STATE = { round: 1, names: ['Ada', 'ü', '😀'], none: null }

/** What a sealer opens of a token under the binding with these changes. */
const opened = (token: string, changes: Partial<StateBinding> = {}, options = KEYS) =>
  createStateSealer(options).open(token, { ...BINDING, ...changes })

/** Params whose arguments are read from JSON text, as a request's are. */
const withArguments = (json: string) => ({
  params: { name: 'book', arguments: JSON.parse(json) as unknown },
})

describe('a sealed state', () => {
  const token = sealer.seal(STATE, BINDING)

  test('[MRTR-08] opens where it was sealed for, on any instance with the key', () => {
    expect(opened(token)).toEqual({ state: STATE })
    expect(opened(token)).toEqual({ state: STATE })
  })

  test('[MRTR-08] tells nothing of itself, and is another each time', () => {
    expect(Buffer.from(token, 'base64url').includes('Ada')).toBe(false)
    expect(token).toMatch(/^[\w-]+$/)
    expect(sealer.seal(STATE, BINDING)).not.toBe(token)
  })

  test('[MRTR-08] does not open with any bit of it turned', () => {
    const bytes = Buffer.from(token, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const turned = Buffer.from(bytes)
      turned[bit >> 3] = Number(turned[bit >> 3]) ^ (1 << (bit & 7))
      expect(opened(turned.toString('base64url'))).toBeUndefined()
    }
  })

  test('[MRTR-08] does not open with any character of it changed', () => {
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'A' ? 'B' : 'A'
      expect(opened(token.slice(0, at) + other + token.slice(at + 1))).toBeUndefined()
    }
  })

  test('[MRTR-08] does not open shortened at either end', () => {
    for (let length = 0; length < token.length; length += 1) {
      expect(opened(token.slice(0, length))).toBeUndefined()
      expect(opened(token.slice(token.length - length))).toBeUndefined()
    }
  })

  test.each([
    ['the suffix of the conformance suite', `${token}-TAMPERED`],
    ['a character', `${token}A`],
    ['padding', `${token}=`],
    ['double padding', `${token}==`],
    ['a line end', `${token}\n`],
    ['a space before', ` ${token}`],
    ['a space inside', `${token.slice(0, 9)} ${token.slice(9)}`],
    ['a zero', `${token}\0`],
    ['itself', token + token],
    ['a character beyond ASCII', `${token}ü`],
    ['standard base64', Buffer.from(token, 'base64url').toString('base64').replace(/=*$/, '+')],
    ['hex', Buffer.from(token, 'base64url').toString('hex')],
    ['JSON', JSON.stringify(token)],
    ['an escape', `%${token}`],
  ])('[MRTR-08] does not open with %s', (_what, changed) => {
    expect(changed).not.toBe(token)
    expect(opened(changed)).toBeUndefined()
  })

  test('[MRTR-08] has one spelling: standard base64 of it does not open', () => {
    // Sealed anew until a token has a character that the two alphabets write differently.
    let mixed = token
    while (!/[-_]/.test(mixed)) mixed = sealer.seal(STATE, BINDING)
    expect(opened(mixed)).toEqual({ state: STATE })
    expect(opened(mixed.replaceAll('-', '+').replaceAll('_', '/'))).toBeUndefined()
  })

  test('[MRTR-08] has no spare bits in its last character', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (const state of ['', 'a', 'aa']) {
      const sealed = sealer.seal(state, BINDING)
      const others = [...alphabet].filter((last) => last !== sealed.at(-1))
      const opening = others.filter((last) => opened(sealed.slice(0, -1) + last) !== undefined)
      expect(opening).toEqual([])
    }
  })

  test('[MRTR-08] does not take parts of another', () => {
    const other = Buffer.from(sealer.seal(STATE, BINDING), 'base64url')
    const bytes = Buffer.from(token, 'base64url')
    for (const cut of [1, 17, bytes.length - 16]) {
      const mixed = Buffer.concat([bytes.subarray(0, cut), other.subarray(cut)])
      if (cut > 1) expect(opened(mixed.toString('base64url'))).toBeUndefined()
    }
  })
})

describe('a state is bound', () => {
  const token = sealer.seal(STATE, BINDING)

  test.each<[string, Partial<StateBinding>]>([
    ['another endpoint', { endpoint: '/t/b/mcp' }],
    ['no endpoint', { endpoint: '' }],
    ['another principal', { principal: 'bob' }],
    ['a principal that begins alike', { principal: 'ada2' }],
    ['another method', { method: 'prompts/get' }],
    ['another tool', { params: { ...BINDING.params, name: 'cancel' } }],
    ['no arguments', { params: { name: 'book' } }],
    ['other arguments', withArguments('{"city":"c-2","seats":1}')],
    ['fewer arguments', withArguments('{"city":"c-1"}')],
    ['more arguments', withArguments('{"city":"c-1","seats":1,"vip":null}')],
    ['an argument of __proto__', withArguments('{"city":"c-1","seats":1,"__proto__":{}}')],
    ['arguments of another type', withArguments('{"city":"c-1","seats":"1"}')],
    ['a list of arguments', withArguments('[{"city":"c-1","seats":1}]')],
    ['another param', { params: { ...BINDING.params, task: { ttl: 1 } } }],
    ['parts that slide into each other', { endpoint: '/mcp","ada', principal: '' }],
  ])('[MRTR-09] to its request, and not to one with %s', (_what, changes) => {
    expect(opened(token, changes)).toBeUndefined()
  })

  test.each<[string, Partial<StateBinding>]>([
    ['arguments in another order', withArguments('{"seats":1,"city":"c-1"}')],
    ['1.0 for 1', withArguments('{"city":"c-1","seats":1.0}')],
    ['1e0 for 1', withArguments('{"city":"c-1","seats":1e0}')],
    ['a bigint', { params: { name: 'book', arguments: { city: 'c-1', seats: 1n } } }],
    [
      'params in another order',
      { params: { arguments: BINDING.params['arguments'], name: 'book' } },
    ],
    [
      'answers, a state and other metadata',
      {
        params: {
          ...BINDING.params,
          inputResponses: { a: 1 },
          requestState: 'x',
          _meta: { progressToken: 5 },
        },
      },
    ],
  ])('[MRTR-06] [MRTR-09] and opens with %s', (_what, changes) => {
    expect(opened(token, changes)).toEqual({ state: STATE })
  })

  test.each([
    ['a number and its digits as text', [1], ['1']],
    ['an infinity and its name', [Number.POSITIVE_INFINITY], ['Infinity']],
    ['null and its name', [null], ['null']],
    ['a list and its text', [[1]], ['[1]']],
    ['an empty list and an empty object', [[]], [{}]],
    ['one list and two', [[1, 2]], [[1], [2]]],
    ['an integer beyond the doubles', [9_007_199_254_740_993n], [9_007_199_254_740_992]],
    ['keys that need quotes', [{ 'a":1,"b': 1 }], [{ a: 1, b: 1 }]],
    ['a lone surrogate and its escape', ['\ud800'], ['\\ud800']],
  ])('[MRTR-09] telling %s apart', (_what, one, other) => {
    const bound = sealer.seal(1, { ...BINDING, params: { arguments: one } })
    expect(opened(bound, { params: { arguments: one } })).toEqual({ state: 1 })
    expect(opened(bound, { params: { arguments: other } })).toBeUndefined()
  })

  test('[MRTR-09] at 64 levels and thousands of members, in whatever order', () => {
    const keys = Array.from({ length: 5000 }, (_, at) => `k${at}`)
    const objectOf = (names: readonly string[]) =>
      Object.fromEntries(names.map((key) => [key, key]))
    let deep: unknown = objectOf(keys)
    let turned: unknown = objectOf(keys.toReversed())
    for (let level = 0; level < 64; level += 1) {
      deep = { a: deep, b: 1 }
      turned = { b: 1, a: turned }
    }
    const bound = sealer.seal(1, { ...BINDING, params: { deep } })
    expect(opened(bound, { params: { deep: turned } })).toEqual({ state: 1 })
  })
})

describe('the principal', () => {
  interface User {
    readonly id: string
  }
  const byId: StateSealerOptions<User> = { ...KEYS, principalId: ({ id }) => id }

  test('[MRTR-09] is named by principalId where it is no string', () => {
    const users = createStateSealer(byId)
    const token = users.seal(1, { ...BINDING, principal: { id: 'ada' } })
    const openFor = (principal: unknown) => users.open(token, { ...BINDING, principal })
    expect(openFor({ id: 'ada', since: 2 })).toEqual({ state: 1 })
    expect(openFor({ id: 'bob' })).toBeUndefined()
    expect(openFor(undefined)).toBeUndefined()
  })

  test('[MRTR-09] that nothing names is refused in sealing', async () => {
    for (const principal of [{ id: 'ada' }, 5, true, Symbol('s')]) {
      const made = await failure(() => sealer.seal(1, { ...BINDING, principal }))
      expect(made.code).toBe('BEAM_ERR_CONTRACT')
      expect(made.message).toContain('principalId')
    }
    for (const principalId of [async () => 'ada', () => Promise.reject(new Error('no id'))]) {
      const later = createStateSealer({ ...KEYS, principalId } as never)
      expect((await failure(() => later.seal(1, BINDING))).code).toBe('BEAM_ERR_CONTRACT')
    }
  })

  test.each([undefined, null])(
    '[MRTR-09] of %s needs allowAnonymous to be sealed for',
    async (principal) => {
      const made = await failure(() => sealer.seal(1, { ...BINDING, principal }))
      expect(made.code).toBe('BEAM_ERR_CONTRACT')
      expect(made.message).toContain('allowAnonymous')
      const open = createStateSealer({ ...KEYS, allowAnonymous: true })
      const token = open.seal(1, { ...BINDING, principal })
      expect(open.open(token, { ...BINDING, principal: undefined })).toEqual({ state: 1 })
    },
  )

  test('[MRTR-09] is not the one of nobody, nor nobody’s anyone’s', () => {
    const open = createStateSealer({ ...KEYS, allowAnonymous: true })
    const nobodys = open.seal(1, { ...BINDING, principal: undefined })
    for (const principal of ['', 'null', 'undefined', 'ada']) {
      expect(open.open(nobodys, { ...BINDING, principal })).toBeUndefined()
    }
    expect(open.open(sealer.seal(1, BINDING), { ...BINDING, principal: undefined })).toBeUndefined()
  })

  test('[MRTR-08] of nobody opens nothing where nothing is sealed for nobody', () => {
    const open = createStateSealer({ ...KEYS, allowAnonymous: true })
    const token = open.seal(1, { ...BINDING, principal: undefined })
    expect(opened(token, { principal: undefined })).toBeUndefined()
    expect(opened('forged', { principal: undefined })).toBeUndefined()
  })
})

describe('the clock', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_800_000_000_000 }))
  afterEach(() => void vi.useRealTimers())

  test('[MRTR-09] ends a state after ttlMs, ten minutes by default', () => {
    for (const [options, ttlMs] of [
      [KEYS, 600_000],
      [{ ...KEYS, ttlMs: 5 }, 5],
    ] as const) {
      const token = createStateSealer(options).seal(1, BINDING)
      vi.advanceTimersByTime(ttlMs - 1)
      expect(opened(token)).toEqual({ state: 1 })
      vi.advanceTimersByTime(1)
      expect(opened(token)).toBeUndefined()
    }
  })

  test('[MRTR-09] that goes back gives a state that much more, and ends it all the same', () => {
    const token = sealer.seal(1, BINDING)
    vi.setSystemTime(Date.now() - 60_000)
    vi.advanceTimersByTime(659_999)
    expect(opened(token)).toEqual({ state: 1 })
    vi.advanceTimersByTime(1)
    expect(opened(token)).toBeUndefined()
  })

  test('[MRTR-09] ends a state by what it was sealed with, not by what it is opened with', () => {
    const token = createStateSealer({ ...KEYS, ttlMs: 1000 }).seal(1, BINDING)
    vi.advanceTimersByTime(1000)
    expect(opened(token, {}, { ...KEYS, ttlMs: 600_000 } as never)).toBeUndefined()
  })
})

describe('the keys', () => {
  test('[MRTR-09] rotate: the first seals, each of them opens', () => {
    const older = sealer.seal('older', BINDING)
    const both = { keys: [keyOf(2), keyOf(1)] }
    const newer = createStateSealer(both).seal('newer', BINDING)
    expect(opened(older, {}, both)).toEqual({ state: 'older' })
    expect(opened(newer, {}, both)).toEqual({ state: 'newer' })
    expect(opened(newer)).toBeUndefined()
    expect(opened(older, {}, { keys: [keyOf(2)] })).toBeUndefined()
  })

  test('[MRTR-08] have to be whole', () => {
    const near = keyOf(1)
    near[31] = 2
    const longer = Uint8Array.from([...keyOf(1), 0])
    const token = sealer.seal(1, BINDING)
    for (const key of [near, longer, keyOf(0)]) {
      expect(opened(token, {}, { keys: [key] })).toBeUndefined()
    }
  })

  test('are copied: what is written into them later changes nothing', () => {
    const key = keyOf(1)
    const keys = [key]
    const made = createStateSealer({ keys })
    key.fill(9)
    keys[0] = keyOf(3)
    keys.push(keyOf(4))
    expect(opened(made.seal(1, BINDING))).toEqual({ state: 1 })
    expect(made.open(sealer.seal(1, BINDING), BINDING)).toEqual({ state: 1 })
    expect(Object.isFrozen(made)).toBe(true)
  })

  test('may be longer than they have to, and a part of a buffer', () => {
    const pool = Buffer.alloc(100, 7)
    const part = { keys: [pool.subarray(10, 90)] }
    const token = createStateSealer(part).seal(1, BINDING)
    expect(opened(token, {}, { keys: [new Uint8Array(80).fill(7)] })).toEqual({ state: 1 })
  })
})

describe('createStateSealer', () => {
  test.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /createStateSealer/],
    ['a list', [keyOf(1)], /createStateSealer/],
    ['no keys', {}, /keys/],
    ['an empty list of keys', { keys: [] }, /keys/],
    ['one key without a list', { keys: keyOf(1) }, /keys/],
    ['a short key', { keys: [new Uint8Array(31)] }, /32 bytes/],
    ['a short key behind a long one', { keys: [keyOf(1), new Uint8Array(16)] }, /32 bytes/],
    ['a text', { keys: ['x'.repeat(64)] }, /keys.*Uint8Array/],
    ['other numbers', { keys: [new Uint16Array(64)] }, /keys/],
    ['plain numbers', { keys: [Array.from({ length: 32 }, () => 1)] }, /keys/],
    ['a hole', { keys: [keyOf(1), undefined] }, /keys/],
    ['a life of 0', { ...KEYS, ttlMs: 0 }, /ttlMs/],
    ['an endless life', { ...KEYS, ttlMs: Number.POSITIVE_INFINITY }, /ttlMs/],
    ['a fraction', { ...KEYS, ttlMs: 0.5 }, /ttlMs/],
    ['a text for a life', { ...KEYS, ttlMs: '1000' }, /ttlMs/],
    ['a name for principalId', { ...KEYS, principalId: 'sub' }, /principalId/],
    ['a number for allowAnonymous', { ...KEYS, allowAnonymous: 1 }, /allowAnonymous/],
    ['a slip of the pen', { ...KEYS, ttlMS: 5 }, /did you mean.*ttlMs/],
  ])('refuses %s', async (_what, options, message) => {
    const made = await failure(() => createStateSealer(options as StateSealerOptions))
    expect(made.code).toBe('BEAM_ERR_OPT_INVALID')
    expect(made.message).toMatch(message)
    expect(made.message).not.toMatch(/1,1,1|xxx/)
  })
})

describe('what a state may be', () => {
  test.each([
    [null],
    [0],
    [''],
    [false],
    ['\ud800'],
    [[]],
    [{ a: [{ b: null }] }],
    [JSON.parse('{"__proto__":{"admin":true},"constructor":1}')],
    [JSON.parse('{"\\u0000":1,"\\"":2,"\\\\":3,"a\\nb":4}')],
  ])('%j comes back as it was', (state) => {
    const back = opened(sealer.seal(state, BINDING))?.state
    expect(JSON.stringify(back)).toBe(JSON.stringify(state))
    expect((back as { admin?: unknown } | null)?.admin).toBeUndefined()
  })

  test('comes back by its own keys whatever was read before', () => {
    // Node 24 and 26 may take a key with an escape for a key of an object read earlier.
    JSON.parse(String.raw`{"name":0,"\\u00":0}`)
    const state = { name: 'echo', '\u0001ame': 'wipe' }
    expect(opened(sealer.seal(state, BINDING))).toEqual({ state })
  })

  test('is what JSON makes of it', () => {
    const state = { at: new Date(0), gone: undefined }
    expect(opened(sealer.seal(state, BINDING))).toEqual({
      state: { at: '1970-01-01T00:00:00.000Z' },
    })
  })

  const cycle: { self?: unknown } = {}
  cycle.self = cycle
  test.each([
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a bigint', 1n],
    ['NaN', Number.NaN],
    ['an infinity inside', { a: [Number.POSITIVE_INFINITY] }],
    ['a cycle', cycle],
    ['a Map', new Map([['a', 1]])],
    ['an undefined in a list', [undefined]],
  ])('is not %s', async (_what, state) => {
    const made = await failure(() => sealer.seal(state, BINDING))
    expect(made.code).toBe('BEAM_ERR_CONTRACT')
  })

  test('is not too deep to be written, and opens where it was', async () => {
    const nest = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
    expect(opened(sealer.seal(nest(1000), BINDING))).toEqual({ state: nest(1000) })
    let deep: unknown = 1
    for (let level = 0; level < 200_000; level += 1) deep = [deep]
    expect((await failure(() => sealer.seal(deep, BINDING))).code).toBe('BEAM_ERR_CONTRACT')
  })
})

describe('the length of a state', () => {
  test('is at most 64 KiB of characters, in sealing and in opening', async () => {
    const lengthOf = (size: number): number => sealer.seal('x'.repeat(size), BINDING).length
    const overhead = lengthOf(0)
    let size = Math.floor(((65_536 - overhead) * 3) / 4)
    while ((await fits(size + 1)) !== undefined) size += 1
    while ((await fits(size)) === undefined) size -= 1
    const longest = await fits(size)
    expect(longest?.length).toBeGreaterThan(65_532)
    expect(longest?.length).toBeLessThanOrEqual(65_536)
    expect(opened(String(longest))).toEqual({ state: 'x'.repeat(size) })
    const made = await failure(() => sealer.seal('x'.repeat(size + 1), BINDING))
    expect(made).toMatchObject({ code: 'BEAM_ERR_CONTRACT' })
    expect(made.message).toContain('65536 characters')
    expect(made.message).not.toContain('xxx')
  })

  async function fits(size: number): Promise<string | undefined> {
    try {
      return sealer.seal('x'.repeat(size), BINDING)
    } catch {
      return undefined
    }
  }

  test('of a million characters costs less than one of the longest that may be', () => {
    const open = (token: string) => () => {
      for (let run = 0; run < 20; run += 1) expect(opened(token)).toBeUndefined()
    }
    // Of the right form, so that it is tried with the key; a longer one is not even decoded.
    const longest = Buffer.alloc(49_152, 1).toString('base64url')
    expect(costRatio(open('A'.repeat(1_000_000)), open(longest), 1)).toBeLessThan(1)
  })
})
