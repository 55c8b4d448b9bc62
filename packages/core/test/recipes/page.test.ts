// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

const HERE = new URL('.', import.meta.url)
const page = readFileSync(new URL('../../../../docs/http.md', HERE), 'utf8')
const files = readdirSync(HERE)
const recipes = files.filter((name) => name === 'testing.test.ts' || !name.endsWith('.test.ts'))
const blocks = [...page.matchAll(/^```(ts|nginx)\n(.*?)^```$/gms)].map(([, kind, text]) => ({
  kind,
  text,
}))

describe('docs/http.md', () => {
  test.each(recipes)('has the recipe %s as it is run', (name) => {
    const file = readFileSync(new URL(name, HERE), 'utf8')
    const text = file.replace(/^\/\/ SPDX-License-Identifier: .*\n/, '')
    const kind = name.endsWith('.conf') ? 'nginx' : 'ts'
    expect(page).toContain(`\`\`\`${kind}\n${text}\`\`\``)
  })

  test('has no program that is not run', () => {
    const run = recipes.map((name) => readFileSync(new URL(name, HERE), 'utf8'))
    const others = blocks.filter(({ text = '' }) => !run.some((file) => file.includes(text)))
    expect(others).toEqual([])
    expect(recipes.length).toBeGreaterThan(5)
  })
})
