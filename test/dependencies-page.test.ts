// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { listPackages, listRowNames, readSections, readText } from './workspace.ts'

describe('docs/dependencies.md', () => {
  const sections = readSections(readText('docs/dependencies.md'))
  const packages = listPackages()

  test.each(packages.map(({ manifest }) => [manifest.name, manifest] as const))(
    'has a row for each runtime dependency and peer of %s, and no other',
    (name, manifest) => {
      const { dependencies, peerDependencies, optionalDependencies } = manifest
      const wanted = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies })
      const own = sections.filter(({ heading }) => heading.replaceAll('`', '') === name)
      expect(own.flatMap(listRowNames).sort()).toEqual(wanted.sort())
    },
  )

  test('has no section for a package that is not there', () => {
    const names = sections
      .map(({ heading }) => heading.replaceAll('`', ''))
      .filter((heading) => heading.startsWith('@'))
    const known = packages.map(({ manifest }) => manifest.name)
    expect(names.filter((name) => !known.includes(name))).toEqual([])
  })
})
