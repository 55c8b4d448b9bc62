// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { headerValues } from '../../src/http/raw-headers.ts'
import { costRatio } from '../support/cost.ts'

describe('headerValues', () => {
  test('[HDR-04] finds every line of a name, in any case, in the order sent', () => {
    const raw = ['Mcp-Name', 'a', 'Host', 'h', 'MCP-NAME', 'b', 'mcp-name', 'a']
    expect(headerValues(raw, 'mcp-name')).toEqual(['a', 'b', 'a'])
  })

  test('tells a missing header from an empty one', () => {
    expect(headerValues(['Host', 'h'], 'mcp-name')).toEqual([])
    expect(headerValues(['Mcp-Name', ''], 'mcp-name')).toEqual([''])
  })

  test('takes no value for a name', () => {
    expect(headerValues(['Host', 'mcp-name', 'Mcp-Name', 'x'], 'mcp-name')).toEqual(['x'])
  })

  test.each([
    ['  foo\t ', 'foo'],
    [' \t ', ''],
    ['a  b', 'a  b'],
    ['\u00a0foo\u00a0', '\u00a0foo\u00a0'],
    ['\nfoo', '\nfoo'],
  ])('[HDR-05] leaves out spaces and tabs around %j, and nothing else', (value, expected) => {
    expect(headerValues(['Mcp-Name', value], 'mcp-name')).toEqual([expected])
  })

  test('[HDR-05] trims exactly what surrounds a value, whatever the value', () => {
    const space = fc.string({ unit: fc.constantFrom(' ', '\t') })
    const bare = fc.string().filter((text) => !/^[ \t]|[ \t]$/.test(text))
    fc.assert(
      fc.property(space, bare, space, (before, value, after) => {
        expect(headerValues(['x', before + value + after], 'x')).toEqual([value])
      }),
    )
  })

  test('takes time in proportion to the length, wherever the spaces stand', () => {
    const hostile = ['Origin', `a${' '.repeat(16_000)}b`]
    const harmless = ['Origin', 'a'.repeat(16_002)]
    const ratio = costRatio(
      () => headerValues(hostile, 'origin'),
      () => headerValues(harmless, 'origin'),
      20,
    )
    expect(ratio).toBeLessThan(20)
  })
})
