// SPDX-License-Identifier: Apache-2.0
// CommonJS by hand: one function or class a file.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

type Semver = Record<string, (...args: readonly unknown[]) => unknown> & {
  readonly Range: new (range: string) => { readonly test: (version: string) => boolean }
}

export function drive(): void {
  const semver = require('semver') as Semver
  const versions = ['1.2.3', '1.2.4-beta.1', '2.0.0', '10.1.0+build', 'v3.4.5', 'nope']
  const ranges = [
    '^1.2.0',
    '~1.2.3',
    '>=1 <3 || 10.x',
    '1.2.3 - 2.3',
    '*',
    '<=2.0.0-rc.1',
    '>1.x',
    'bad range',
  ]
  const call = (name: string, ...args: readonly unknown[]): unknown => semver[name]?.(...args)
  for (const version of versions) {
    for (const name of ['valid', 'parse', 'clean', 'coerce', 'prerelease']) call(name, version)
    for (const kind of [
      'major',
      'minor',
      'patch',
      'premajor',
      'preminor',
      'prepatch',
      'prerelease',
    ]) {
      call('inc', version, kind, 'beta')
    }
    if (version === 'nope') continue
    for (const name of ['major', 'minor', 'patch']) call(name, version)
    for (const other of versions.slice(0, 5)) {
      for (const name of [
        'compare',
        'rcompare',
        'compareLoose',
        'compareBuild',
        'gt',
        'lt',
        'eq',
        'neq',
        'gte',
        'lte',
        'diff',
      ]) {
        call(name, version, other)
      }
      for (const sign of ['>', '<=', '===', '!==', '']) call('cmp', version, sign, other)
    }
    for (const range of ranges) call('satisfies', version, range)
    for (const range of ranges.slice(0, 7)) {
      for (const name of ['gtr', 'ltr']) call(name, version, range)
      call('outside', version, range, '>')
    }
  }
  const known = versions.slice(0, 5)
  for (const exact of ['2.0.0', '1.0.0', '=9.9.9']) {
    for (const sign of ['<', '>']) call('outside', '1.2.3', exact, sign)
  }
  call('sort', [...known])
  call('rsort', [...known])
  for (const range of ranges) {
    for (const name of ['maxSatisfying', 'minSatisfying', 'simplifyRange']) {
      try {
        call(name, known, range)
      } catch {
        // A range that does not parse is refused by some, which is their answer.
      }
    }
    call('validRange', range)
  }
  for (const range of ranges.slice(0, 7)) {
    call('minVersion', range)
    call('toComparators', range)
    for (const other of ranges.slice(0, 7)) {
      for (const name of ['intersects', 'subset']) call(name, range, other)
    }
  }
  String(new semver.Range('>=1.2.3 <2 || ~3').test('1.5.0'))
}
