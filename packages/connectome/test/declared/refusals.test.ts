// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CONNECTOME_CODES, ConnectomeError } from '@beam-mcp/connectome'
import { buildDeclared } from '@beam-mcp/connectome/declared'
import { describe, expect, test } from 'vitest'
import { wrong } from '../refusal.ts'
import { writeFiles } from './fixture.ts'

async function refusal(options: unknown): Promise<unknown> {
  const answer = await buildDeclared(wrong(options)).catch((error: unknown) => error)
  if (!(answer instanceof ConnectomeError)) throw new Error(`not refused: ${String(answer)}`)
  expect(answer.code).toBe(CONNECTOME_CODES.DECLARED)
  return answer.reason
}

const NOWHERE = join(import.meta.dirname, 'nowhere.js')
const scope = { entries: [NOWHERE], packages: [] }
const catalog = (answer: unknown) => ({ capabilities: () => answer })
const EMPTY = { tools: [], resources: [], prompts: [] }

/** Each row is also wrong in every later row's way, so that the order is seen. */
const ROWS: readonly (readonly [Record<string, unknown>, readonly unknown[]])[] = [
  [{ colour: 1 }, ['unknown_key', 'colour']],
  [{ server: undefined }, ['missing', 'server']],
  [{ server: 7 }, ['invalid', 'server', 7]],
  [{ level: 'server' }, ['invalid', 'level', 'server']],
  [{ boundaries: 'reflect' }, ['unsupported', 'boundaries', 'reflect']],
  [{ boundaries: ['x'] }, ['invalid', 'boundaries', ['x']]],
  [{ scope: undefined }, ['missing', 'scope']],
  [{ scope: [] }, ['invalid', 'scope', []]],
  [{ scope: {} }, ['missing', 'scope']],
  [{ scope: { ...scope, manifests: [] } }, ['invalid', 'scope', 'both_entries_and_manifests']],
  [{ scope: { entries: 'x', packages: [] } }, ['invalid', 'entries', 'x']],
  [{ scope: { entries: ['./x.js'], packages: [] } }, ['invalid', 'entries', './x.js']],
  [{ scope: { entries: [NOWHERE] } }, ['invalid', 'packages', undefined]],
  [{ scope: { manifests: [] } }, ['invalid', 'manifests', []]],
  [{ toolModules: { t: 1 } }, ['invalid', 'tool_modules', { t: 1 }]],
  [{ dynamicAllowlist: [1] }, ['invalid', 'dynamic_allowlist', [1]]],
  [{ include: ['write'] }, ['invalid', 'include', ['write']]],
  [{ catalog: {} }, ['invalid', 'catalog', ['missing', 'capabilities']]],
  [{ catalog: catalog(undefined) }, ['invalid', 'catalog', ['invalid', 'capabilities']]],
  [{ catalog: catalog({ tools: [] }) }, ['invalid', 'catalog', ['missing', 'resources']]],
  [
    { catalog: catalog({ ...EMPTY, tools: [{}] }) },
    ['invalid', 'catalog', ['invalid', 'tools', 'name']],
  ],
  [
    { catalog: catalog({ ...EMPTY, prompts: [{ name: 'p' }, { name: 'p' }] }) },
    ['invalid', 'catalog', ['duplicate', 'prompts', 'p']],
  ],
  [{}, ['unknown_entry', NOWHERE]],
]

describe('a declared build refuses', () => {
  test.each([undefined, null, 'x', [], new Map()])('options that are %o', async (options) => {
    expect(await refusal(options)).toEqual(['invalid', 'opts', options])
  })

  test.each(ROWS.map(([given, reason], place) => [reason, place, given] as const))(
    'with %o before what comes later',
    async (reason, place) => {
      // Of two faults in one option the earlier row's stands.
      const merged: Record<string, unknown> = { server: 's', scope }
      for (const [given] of ROWS.slice(place).reverse()) Object.assign(merged, given)
      expect(await refusal(merged)).toEqual(reason)
    },
  )

  test('a catalog whose capabilities fail', async () => {
    const failing = { capabilities: () => Promise.reject(new Error('secret')) }
    const reason = await refusal({ server: 's', scope, catalog: failing })
    expect(reason).toEqual(['invalid', 'catalog', ['failed', 'capabilities']])
  })

  test('a manifest that is not there, or has no name', async () => {
    const folder = writeFiles({ 'package.json': '{}' })
    for (const path of [join(folder, 'package.json'), join(folder, 'gone/package.json')]) {
      const reason = await refusal({ server: 's', scope: { manifests: [path] } })
      expect(reason).toEqual(['unknown_manifest', path])
    }
  })

  test('nothing where an entry is a `file:` URL', async () => {
    const folder = writeFiles({ 'main.js': '' })
    const entries = [pathToFileURL(join(folder, 'main.js')).href]
    const answer = await buildDeclared({ server: 's', scope: { entries, packages: [] } })
    expect(answer.graph.nodes.map(({ id }) => id)).toEqual(['s/module/app%2Fmain.js', 's/server'])
  })
})
