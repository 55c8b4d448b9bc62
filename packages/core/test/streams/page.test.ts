// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { listen } from '../support/app.ts'
import { asking, sendCall } from '../support/event-streams.ts'
import { createApp } from './fixtures/search.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const page = read('../../../../docs/streams.md')

/** The blocks of one language, in their order. */
function blocksOf(language: string): readonly (string | undefined)[] {
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))
  return [...blocks].map(([, text]) => text)
}

describe('docs/streams.md', () => {
  test('has the programs as they are run, and no other', () => {
    const run = ['search.ts', 'search.test.ts'].map((name) =>
      read(`fixtures/${name}`).replace(/^\/\/ SPDX-License-Identifier: .*\n/, ''),
    )
    expect(blocksOf('ts')).toEqual(run)
  })

  test('shows the bytes of its first program', async () => {
    const app = await createApp([{ name: 'new', search: async () => ['the fox'] }])
    const message = asking('search', { token: 'pt-3', level: 'info' }, { word: 'fox' })
    const { authorization } = { authorization: 'Bearer s3cret' }
    const open = await sendCall(await listen(app), message, { authorization }).answer
    const { status, headers } = open
    const head = ['content-type', 'cache-control', 'x-accel-buffering']
      .map((name) => `${name}: ${headers[name]}\n`)
      .join('')
    // The server's identity would be most of the line.
    const body = (await open.rest()).replace(/,"_meta":\{.*\}\}\}\n/, '}}\n')
    expect(blocksOf('text')).toEqual([`HTTP/1.1 ${status} OK\n${head}\n${body.trimEnd()}\n`])
  })
})
