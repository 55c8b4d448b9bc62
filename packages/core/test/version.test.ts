// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LIBRARY_VERSION } from '../src/version.ts'

test('LIBRARY_VERSION is the version of package.json', () => {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  expect(LIBRARY_VERSION).toBe(JSON.parse(manifest).version)
})
