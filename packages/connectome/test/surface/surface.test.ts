// SPDX-License-Identifier: Apache-2.0
import {
  createGraph,
  type Graph,
  type GraphInput,
  hashHex,
  invokeEdge,
  serverNode,
  toolNode,
} from '@beam-mcp/connectome'
import { createCollector } from '@beam-mcp/connectome/observed'
import {
  callSurface,
  createSurface,
  readSurface,
  SURFACE_GRAPHS,
  type SurfaceParts,
} from '@beam-mcp/connectome/surface'
import { defineTool } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { serve } from '../observed/server.ts'
import { refusalOf, wrong } from '../refusal.ts'

const nodes = [serverNode('s'), toolNode('s', 'a')]
const ends = { from: 's/server', to: 's/tool/a' }
const DECLARED: Graph = createGraph({
  nodes,
  edges: [invokeEdge({ ...ends, provenance: 'declared' })],
})
const OBSERVED: GraphInput = {
  nodes,
  edges: [{ ...ends, kind: 'invoke', provenance: 'observed', weight: 3 }],
}
const PARTS: SurfaceParts = { declared: DECLARED, observed: OBSERVED, window: { day: 'Monday' } }

const GRAPH_TEXT =
  '{"schema_version":2,"nodes":[{"id":"s/server","kind":"server","labels":{},"level":"server"},{"id":"s/tool/a","kind":"tool","labels":{},"level":"server"}],"edges":[{"from":"s/server","kind":"invoke","provenance":"PROVENANCE","sign":"unset","to":"s/tool/a"}]}'
const DIFF_TEXT =
  '{"classes":{"changed_sign":[],"declared_and_observed":[{"from":"s/server","kind":"invoke","to":"s/tool/a"}],"declared_never_observed":[],"observed_but_undeclared":[]},"coverage":{"declared_and_observed":1,"declared_edges":1,"declared_endpoint_covered":1,"declared_nodes":2,"declared_sign_only":0,"nodes_in_both":2,"observed_edges":1,"observed_endpoint_declared":1,"observed_nodes":2,"observed_sign_only":0},"schema_version":2,"window":{"day":"Monday"}}'

describe('readSurface', () => {
  test('gives the canonical bytes of the graph that the uri names', () => {
    const read = (uri: string): string => readSurface(uri, PARTS).text
    expect(read('connectome://declared')).toBe(GRAPH_TEXT.replace('PROVENANCE', 'declared'))
    expect(read('connectome://observed')).toBe(GRAPH_TEXT.replace('PROVENANCE', 'observed'))
    expect(read('connectome://diff')).toBe(DIFF_TEXT)
    expect(readSurface('connectome://diff', PARTS)).toEqual({
      uri: 'connectome://diff',
      mimeType: 'application/json',
      text: DIFF_TEXT,
    })
  })

  test('writes version 3 under the algorithm it is asked for', () => {
    const parts: SurfaceParts = { ...PARTS, schemaVersion: 3, algorithm: 'sha384' }
    for (const graph of SURFACE_GRAPHS) {
      expect(readSurface(`connectome://${graph}`, parts).text).toContain('"algorithm":"sha384"')
    }
  })

  test('asks for what the graph needs and for nothing else', () => {
    const asked: string[] = []
    const part = <Value>(name: string, value: Value): (() => Value) => {
      return () => {
        asked.push(name)
        return value
      }
    }
    const parts: SurfaceParts = {
      declared: part('declared', DECLARED),
      observed: part('observed', OBSERVED),
      window: part('window', {}),
    }
    for (const graph of SURFACE_GRAPHS) readSurface(`connectome://${graph}`, parts)
    expect(asked).toEqual(['declared', 'window', 'declared', 'observed', 'observed'])
  })

  test.each<[string, SurfaceParts, string, unknown[]]>([
    ['connectome://other', PARTS, 'SURFACE', ['unknown_uri', 'connectome://other']],
    ['connectome://declared', {}, 'SURFACE', ['missing', 'declared']],
    ['connectome://observed', {}, 'SURFACE', ['missing', 'observed']],
    ['connectome://diff', {}, 'SURFACE', ['missing', 'window']],
    ['connectome://diff', { window: {} }, 'SURFACE', ['missing', 'declared']],
    ['connectome://diff', { window: {}, declared: DECLARED }, 'SURFACE', ['missing', 'observed']],
    [
      'connectome://observed',
      { observed: createCollector({ server: 's' }).snapshot },
      'OBSERVED',
      ['not_started'],
    ],
    [
      'connectome://diff',
      { ...PARTS, observed: DECLARED },
      'DIFF',
      ['observed', ['invalid', 'provenance', 'declared']],
    ],
  ])('refuses %s', (uri, parts, area, reason) => {
    expect(refusalOf(() => readSurface(uri, parts))).toEqual({
      code: `BEAM_ERR_GRAPH_${area}`,
      reason,
    })
  })
})

describe('callSurface', () => {
  test('answers bytes and their digest, named after the algorithm', () => {
    expect(callSurface({ graph: 'declared' }, PARTS)).toEqual({
      graph: 'declared',
      bytes: GRAPH_TEXT.replace('PROVENANCE', 'declared'),
      sha256: hashHex(DECLARED),
    })
    const parts: SurfaceParts = { ...PARTS, schemaVersion: 3, algorithm: 'sha512' }
    const answer = callSurface({ graph: 'diff' }, parts)
    expect(Object.keys(answer)).toEqual(['graph', 'bytes', 'sha512'])
    expect(answer.sha512).toMatch(/^[0-9a-f]{128}$/)
  })

  test.each<[unknown, unknown[]]>([
    [{}, ['missing', 'graph']],
    [undefined, ['missing', 'graph']],
    [{ graph: 'all' }, ['unknown_graph', 'all']],
    [{ graph: 1 }, ['unknown_graph', 1]],
  ])('refuses %j', (args, reason) => {
    expect(refusalOf(() => callSurface(args, PARTS))).toEqual({
      code: 'BEAM_ERR_GRAPH_SURFACE',
      reason,
    })
  })
})

describe('createSurface, listed by a host', () => {
  const listed = (parts: SurfaceParts) => {
    const surface = createSurface(parts)
    const tool = defineTool({
      name: 'connectome',
      inputSchema: { type: 'object', properties: { graph: { type: 'string' } } },
      handler: surface.call,
    })
    return serve('s', { tools: [tool], resources: surface.resources() })
  }

  test('reaches the wire as bytes', async () => {
    const server = listed(PARTS)
    const read = await server.ask('resources/read', { uri: 'connectome://diff' })
    expect(read?.result?.['contents']).toEqual([
      { uri: 'connectome://diff', mimeType: 'application/json', text: DIFF_TEXT },
    ])
    const call = await server.ask('tools/call', {
      name: 'connectome',
      arguments: { graph: 'declared' },
    })
    expect(call?.result?.['structuredContent']).toMatchObject({ sha256: hashHex(DECLARED) })
  })

  test('tells a refusal with its reason as data', async () => {
    const { snapshot } = createCollector({ server: 's' })
    const server = listed({ observed: snapshot })
    const read = await server.ask('resources/read', { uri: 'connectome://observed' })
    expect(read?.error).toEqual({
      code: -32602,
      message: 'Resource not found: connectome://observed',
      data: { uri: 'connectome://observed', reason: '["not_started"]' },
    })
    const call = await server.ask('tools/call', {
      name: 'connectome',
      arguments: { graph: 'diff' },
    })
    expect(call?.result).toMatchObject({
      content: [{ type: 'text', text: '["missing","window"]' }],
      structuredContent: { error: ['missing', 'window'] },
      isError: true,
    })
  })

  test('tells nothing of what a host throws', async () => {
    const fail = (): never => {
      throw new Error('of the host')
    }
    const server = listed({ declared: fail })
    const read = await server.ask('resources/read', { uri: 'connectome://declared' })
    expect(read?.error).toMatchObject({ code: -32603, message: 'Internal error' })
  })

  test('names what has no JSON in a reason', () => {
    const window = wrong<Record<string, never>>({ n: 1n, f: () => 1 })
    const surface = createSurface({ ...PARTS, window })
    expect(surface.call({ graph: 'diff' })).toMatchObject({ isError: true })
  })
})
