// SPDX-License-Identifier: Apache-2.0
import {
  boundaryNode,
  createEdge,
  createNode,
  float,
  functionNode,
  invokeEdge,
  messageEdge,
  moduleNode,
  nodeId,
  processNode,
  promptNode,
  readEdge,
  resourceNode,
  serverNode,
  superviseEdge,
  toolNode,
} from '@beam-mcp/connectome'
import { describe, expect, test } from 'vitest'
import { refusalOf, wrong } from '../refusal.ts'

const identity = { kind: 'tool', server: 's', name: 'a' } as const
const options = { kind: 'tool', level: 'server', identity } as const
const GRAPH = 'BEAM_ERR_GRAPH_INVALID'

describe('nodeId', () => {
  test.each<[string, unknown]>([
    ['no object', 's/tool/a'],
    ['a kind that is not named', { kind: 'gate', server: 's', name: 'a' }],
    ['a server that is no string', { kind: 'server', server: 7 }],
    ['a server with a name', { kind: 'server', server: 's', name: 'a' }],
    ['a tool without a name', { kind: 'tool', server: 's' }],
    ['a tool with another member', { ...identity, '': 1 }],
    ['a function without an arity', { kind: 'module', server: 's', module: 'm', function: 'f' }],
    ['an arity without a function', { kind: 'module', server: 's', module: 'm', arity: 1 }],
    ['a broken arity', { kind: 'module', server: 's', module: 'm', function: 'f', arity: 0.5 }],
    ['a boundary of another source', { kind: 'boundary', server: 's', source: 'x', name: 'a' }],
    ['a boundary without a name', { kind: 'boundary', server: 's', source: 'application' }],
  ])('refuses %s', (_name, given) => {
    expect(refusalOf(() => nodeId(wrong(given)))).toEqual({
      code: GRAPH,
      reason: ['invalid', 'identity', given],
    })
  })
})

describe('createNode', () => {
  test('gives a frozen node with the id of its identity', () => {
    const node = createNode({ ...options, labels: { x: [1] } })
    expect(node).toEqual({ id: 's/tool/a', kind: 'tool', level: 'server', labels: { x: [1] } })
    expect([node, node.labels, node.labels['x']].every(Object.isFrozen)).toBe(true)
  })

  test.each<[string, unknown, readonly unknown[]]>([
    ['no object', null, ['invalid', 'opts', null]],
    ['an unknown key first', { id: 'x' }, ['unknown_key', 'id']],
    ['a missing kind before a missing level', {}, ['missing', 'kind']],
    ['a missing level', { kind: 7 }, ['missing', 'level']],
    ['a missing identity', { kind: 7, level: 7 }, ['missing', 'identity']],
    ['a kind outside', { ...options, kind: 7, level: 7 }, ['invalid', 'kind', 7]],
    ['a level outside', { ...options, level: 7, labels: 7 }, ['invalid', 'level', 7]],
    ['labels that are a list', { ...options, labels: [], identity: 7 }, ['invalid', 'labels', []]],
    [
      'an identity of another kind',
      { ...options, kind: 'prompt' },
      ['invalid', 'identity', identity],
    ],
  ])('refuses %s', (_name, given, reason) => {
    expect(refusalOf(() => createNode(wrong(given)))).toEqual({ code: GRAPH, reason })
  })

  test.each([
    ['a module', { kind: 'module', server: 's', module: 'm' }, 'mfa'],
    ['a function', { kind: 'module', server: 's', module: 'm', function: 'f', arity: 0 }, 'module'],
    ['a boundary', { kind: 'boundary', server: 's', source: 'application', name: 'p' }, 'module'],
  ] as const)('refuses %s at another level than its own', (_name, module, level) => {
    const given = { kind: 'module', level, identity: module } as const
    expect(refusalOf(() => createNode(given)).reason).toEqual(['invalid', 'identity', module])
  })

  test('admits a tool at any level', () => {
    for (const level of ['mfa', 'module', 'boundary', 'server'] as const) {
      expect(createNode({ ...options, level }).level).toBe(level)
    }
  })
})

describe('the nodes of each kind', () => {
  test.each([
    [serverNode('s'), 's/server', 'server', 'server'],
    [toolNode('s', 'a'), 's/tool/a', 'tool', 'server'],
    [resourceNode('s', 'r:/a'), 's/resource/r:%2Fa', 'resource', 'server'],
    [promptNode('s', 'a'), 's/prompt/a', 'prompt', 'server'],
    [processNode('s', 'a', { level: 'module' }), 's/process/a', 'process', 'module'],
    [moduleNode('s', 'm'), 's/module/m', 'module', 'module'],
    [functionNode('s', { module: 'm', name: 'f', arity: 2 }), 's/module/m/f/2', 'module', 'mfa'],
    [
      boundaryNode('s', { source: 'application', name: 'p' }),
      's/boundary/application/p',
      'module',
      'boundary',
    ],
  ])('%o have the id, the kind and the level of their kind', (node, id, kind, level) => {
    expect(node).toEqual({ id, kind, level, labels: {} })
  })

  test('carry the labels they are given', () => {
    expect(toolNode('s', 'a', { labels: { mode: 'read_only' } }).labels).toEqual({
      mode: 'read_only',
    })
    expect(moduleNode('s', 'm', { path: 'x' }).labels).toEqual({ path: 'x' })
  })
})

const ends = { from: 'a', to: 'b', provenance: 'declared' } as const

describe('createEdge', () => {
  test('gives a frozen edge whose sign is unset', () => {
    const edge = createEdge({ ...ends, kind: 'read', weight: 3 })
    expect(edge).toEqual({ ...ends, kind: 'read', sign: 'unset', weight: 3 })
    expect(Object.isFrozen(edge)).toBe(true)
  })

  test.each<[string, unknown, readonly unknown[]]>([
    ['no object', [], ['invalid', 'opts', []]],
    ['a sign, before anything is missing', { sign: 'allow' }, ['unknown_key', 'sign']],
    ['a missing end', { to: 7 }, ['missing', 'from']],
    ['a missing kind', { from: 7, to: 7 }, ['missing', 'kind']],
    ['a missing provenance', { from: 7, to: 7, kind: 7 }, ['missing', 'provenance']],
    ['a source that is no string', { ...ends, kind: 7, from: 7 }, ['invalid', 'from', 7]],
    ['a target that is no string', { ...ends, kind: 7, to: 7 }, ['invalid', 'to', 7]],
    ['a kind outside', { ...ends, kind: 7, weight: -1 }, ['invalid', 'kind', 7]],
    ['a weight below 0', { ...ends, kind: 'read', weight: -1 }, ['invalid', 'weight', -1]],
  ])('refuses %s', (_name, given, reason) => {
    expect(refusalOf(() => createEdge(wrong(given)))).toEqual({ code: GRAPH, reason })
  })

  test('has a short form for each kind', () => {
    const kinds = [invokeEdge, readEdge, messageEdge, superviseEdge].map((make) => make(ends).kind)
    expect(kinds).toEqual(['invoke', 'read', 'message', 'supervise'])
  })
})

describe('float', () => {
  test.each([Number.NaN, Number.POSITIVE_INFINITY, '1'])('refuses %s', (value) => {
    expect(refusalOf(() => float(wrong(value)))).toEqual({
      code: GRAPH,
      reason: ['invalid', 'float', value],
    })
  })
})
