// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import * as errors from '../packages/core/src/errors.ts'
import * as index from '../packages/core/src/index.ts'
import * as server from '../packages/core/src/server.ts'
import { listRowNames, readSections, readText } from './workspace.ts'

const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].sort()
const isLocalCode = (name: string): boolean => name.startsWith('BEAM_ERR_')

/** The codes that the page has a heading or a row for. */
function listCodes(shape: RegExp): readonly string[] {
  const sections = readSections(readText('docs/errors.md'))
  const names = sections.flatMap((section) => [
    section.heading.replaceAll('`', ''),
    ...listRowNames(section),
  ])
  return sorted(names.filter((name) => shape.test(name)))
}

describe('docs/errors.md', () => {
  const exported = Object.keys(errors).filter(isLocalCode)

  test('has every local error of the package, and no other', () => {
    expect(listCodes(/^BEAM_ERR_/)).toEqual(sorted(exported))
  })

  test('calls each error by its code', () => {
    const made = Object.entries(errors).map(([name, LocalError]) => {
      const Made = LocalError as new (...args: string[]) => Error & { readonly code: string }
      return [name, new Made('one', 'two').code]
    })
    expect(made).toEqual(Object.keys(errors).map((name) => [name, name]))
  })

  test('the package exports every local error, and ./server those that are not of HTTP', () => {
    const isOfHttp = (name: string): boolean => name.startsWith('BEAM_ERR_HTTP_')
    expect(sorted(Object.keys(index).filter(isLocalCode))).toEqual(sorted(exported))
    expect(sorted(Object.keys(server).filter(isLocalCode))).toEqual(
      sorted(exported.filter((name) => !isOfHttp(name))),
    )
  })

  test('has every wire code of the package, and no other', () => {
    const source = readText('packages/core/src/protocol/wire-errors.ts')
    const codes = [...source.matchAll(/^const [A-Z_]+ = (-\d+)$/gm)].map(([, code = '']) => code)
    expect(codes.length).toBeGreaterThan(5)
    expect(listCodes(/^-\d+$/)).toEqual(sorted(codes))
  })
})
