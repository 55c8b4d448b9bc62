// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The names that an entry exports, types included. */
function namesOf(entry: string): readonly string[] {
  const text = readFileSync(new URL(`../src/${entry}`, import.meta.url), 'utf8')
  const lists = text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)
  const names = [...lists].flatMap(([, list = '']) => list.split(','))
  return names
    .map((name) =>
      name
        .trim()
        .replace(/^type /, '')
        .replace(/^.* as /, ''),
    )
    .filter((name) => name !== '')
    .sort()
}

/** What only a host of the plugin has a use for. */
const HTTP_ALONE = [
  'Admission',
  'AuthorizeCallTarget',
  'BEAM_ERR_HTTP_DECORATOR_TAKEN',
  'BEAM_ERR_HTTP_NO_ENDPOINT',
  'BeamMcpOptions',
  'CallTarget',
  'Decision',
  'Denial',
  'HttpBeam',
  'McpEndpoint',
  'McpEndpoints',
  'beamMcp',
  'default',
]

test('the root has every name of ./server, and beside them those of HTTP alone', () => {
  const server = namesOf('server.ts')
  expect(server).toContain('createServer')
  expect(namesOf('index.ts')).toEqual([...server, ...HTTP_ALONE].sort())
})
