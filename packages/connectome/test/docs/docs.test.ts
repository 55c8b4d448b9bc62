// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process'
import * as connectome from '@beam-mcp/connectome'
import {
  CONNECTOME_CODES,
  createGraph,
  diff,
  dominates,
  EDGE_KINDS,
  encode,
  encodeDiff,
  type Graph,
  mandatoryPass,
  NODE_KINDS,
  NODE_LEVELS,
  nodeId,
  PROVENANCES,
  reachableWithout,
  SIGNS,
} from '@beam-mcp/connectome'
import { describe, expect, test } from 'vitest'
import { blocks, page, quoted, rows, section } from './pages.ts'

/** A digest by a program that knows nothing of this package. */
function sum(program: string, text: string): string {
  const { stdout, error } = spawnSync(program, { input: text, encoding: 'utf8' })
  if (error !== undefined) throw error
  return stdout.split(' ')[0] ?? ''
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

function graphIn(text: string | undefined): Graph {
  return createGraph(JSON.parse(text ?? ''))
}

describe('docs/connectome.md', () => {
  const text = page('')

  test('lists the vocabulary as it is', () => {
    const words = rows(section(text, 'Vocabulary')).map(([, cell = '']) => quoted(cell))
    expect(words).toEqual([NODE_KINDS, NODE_LEVELS, EDGE_KINDS, PROVENANCES, SIGNS])
  })

  test('lists every code, and no other', () => {
    const codes = rows(section(text, 'Refusals')).flatMap(([cell = '']) => quoted(cell))
    expect(codes.sort()).toEqual(Object.values(CONNECTOME_CODES).sort())
  })

  test('shows ids as they are made', () => {
    const [server, module, name] = ['<server>', '<module>', '<name>']
    const made = [
      nodeId({ kind: 'server', server }),
      nodeId({ kind: 'tool', server, name }),
      nodeId({ kind: 'module', server, module }),
      nodeId({ kind: 'module', server, module, function: '<function>', arity: 0 }),
      nodeId({ kind: 'boundary', server, source: 'application', name }),
    ]
    const shown = rows(section(text, 'Ids')).map(([, cell = '']) => quoted(cell)[0])
    const filled = shown.map((id) => id?.replace('<arity>', '0').replace('<source>', 'application'))
    expect(filled).toEqual(made)
  })

  test('the pages name everything the package exports', () => {
    const all = [page(''), page('-canonical'), page('-diff'), page('-reach')].join('\n')
    const unnamed = Object.keys(connectome).filter((name) => !all.includes(name))
    expect(unnamed).toEqual([])
  })
})

describe('docs/connectome-canonical.md', () => {
  const example = section(page('-canonical'), 'A worked example')
  const [input, bytes = ''] = blocks(example, 'json')
  const [second, third] = blocks(example, 'text')

  test('its example has the bytes it shows', () => {
    expect(textOf(encode(graphIn(input)))).toBe(bytes)
  })

  test('its example has the hash it shows, by sha256sum alone', () => {
    expect(sum('sha256sum', bytes)).toBe(second)
  })

  test('its example at version 3 has the other hash, by sha384sum alone', () => {
    const head = '{"schema_version":3,"algorithm":"sha384",'
    const text = bytes.replace('{"schema_version":2,', head)
    expect(sum('sha384sum', text)).toBe(third)
    const options = { schemaVersion: 3, algorithm: 'sha384' } as const
    expect(textOf(encode(graphIn(input), options))).toBe(text)
  })
})

describe('docs/connectome-diff.md', () => {
  const text = page('-diff')
  const [declared, observed, record = ''] = blocks(text, 'json')
  const [hash] = blocks(text, 'text')
  const found = diff(graphIn(declared), graphIn(observed), { window: { day: 'Monday' } })

  test('its example has the record and the hash it shows', () => {
    expect(textOf(encodeDiff(found))).toBe(record)
    expect(sum('sha256sum', record)).toBe(hash)
  })

  test('lists the classes and the counts there are', () => {
    const names = (heading: string): string[] =>
      rows(section(text, heading)).flatMap(([cell = '']) => quoted(cell))
    expect(names('Classes').sort()).toEqual(Object.keys(found.classes).sort())
    expect(names('Coverage').sort()).toEqual(Object.keys(found.coverage).sort())
  })
})

describe('docs/connectome-reach.md', () => {
  const text = page('-reach')
  const graph = graphIn(blocks(text, 'json')[0])

  test('its calls have the answers it shows', () => {
    const answers = [
      dominates(graph, 'gate', 'write'),
      dominates(graph, 'gate', 'read'),
      dominates(graph, 'gate', 'read', { kinds: ['invoke'] }),
      mandatoryPass(graph, 'write'),
      reachableWithout(graph, 's/server', 'write', ['gate']),
    ]
    const shown = rows(text).filter(([call = '']) => call.startsWith('`') && call.includes("'"))
    expect(shown.map(([, cell = '']) => quoted(cell)[0])).toEqual(
      answers.map((answer) => JSON.stringify(answer)),
    )
  })
})
