// SPDX-License-Identifier: Apache-2.0
import { CONNECTOME_CODES, ConnectomeError } from '@beam-mcp/connectome'
import { describe, expect, test } from 'vitest'

const message = (...reason: unknown[]): string =>
  new ConnectomeError(CONNECTOME_CODES.GRAPH, reason).message.split(': ').slice(1).join(': ')

describe('ConnectomeError', () => {
  test('is an Error with the code, the reason, and a message that says both', () => {
    const error = new ConnectomeError('BEAM_ERR_GRAPH_INVALID', ['duplicate_node', 'a'])
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: 'ConnectomeError',
      code: 'BEAM_ERR_GRAPH_INVALID',
      reason: ['duplicate_node', 'a'],
    })
    expect(error.message).toMatch(/: \["duplicate_node", "a"\]$/)
  })

  test('names every value in its message, whatever it is', () => {
    const cycle: unknown[] = []
    cycle.push(cycle)
    expect(message('x', 1n, undefined, null, Symbol('s'))).toBe(
      '["x", 1, undefined, null, Symbol(s)]',
    )
    expect(message(new Map(), () => 1, Number.NaN)).toBe('[an object, a function, NaN]')
    expect(message(cycle)).toBe('[[[[a list]]]]')
  })

  test('says what to do where a package is not there', () => {
    const { message } = new ConnectomeError('BEAM_ERR_GRAPH_DECLARED', [
      'unavailable',
      'oxc-parser',
    ])
    expect(message).toMatch(/"oxc-parser"\]; install it, an optional peer, in the one version/)
  })

  test('keeps its message short, however large what it repeats is', () => {
    const huge = Array.from({ length: 100_000 }, () => 'x'.repeat(1_000))
    expect(message('invalid', 'nodes', huge).length).toBeLessThan(1_000)
  })
})
