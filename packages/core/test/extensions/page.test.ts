// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { call, META, request } from '../support/messages.ts'
import { server } from './fixtures/jobs.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

describe('docs/extensions.md', () => {
  test('has the program as it is run, and no other', () => {
    const program = read('fixtures/jobs.ts').replace(/^\/\/ SPDX-License-Identifier: .*\n/, '')
    const page = read('../../../../docs/extensions.md')
    expect([...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text)).toEqual([program])
  })

  test('shows a tool that does without where it has to', async () => {
    const clientCapabilities = { extensions: { 'com.example/jobs': {} } }
    const _meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': clientCapabilities }
    const declared = await server.handle(request('tools/call', { name: 'make_report', _meta }))
    expect(declared?.result).toMatchObject({ resultType: 'com.example/job', jobId: 'j-1' })
    const plain = await server.handle(call('make_report'))
    expect(plain?.result).toMatchObject({ resultType: 'complete', isError: false })
    const { capabilities } = (await server.handle(request('server/discover')))?.result ?? {}
    expect(capabilities).toMatchObject({ extensions: { 'com.example/jobs': { mostAtOnce: 4 } } })
  })
})
