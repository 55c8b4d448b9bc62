// SPDX-License-Identifier: Apache-2.0
import {
  createEdge,
  createGraph,
  createNode,
  diff,
  type EdgeOptions,
  encode,
  encodeDiff,
  type NodeOptions,
  toGraphml,
} from '@beam-mcp/connectome'
import { type Check, check, reasonOf, textOf } from './checks.ts'
import { inputOf } from './graph-checks.ts'
import { identityOf } from './small-checks.ts'
import { type Tagged, untag } from './tagged.ts'

export interface RefusalCase {
  readonly name: string
  readonly op: 'encode' | 'graph_new' | 'edge_new' | 'node_new' | 'graphml' | 'diff'
  readonly input?: Tagged
  readonly options?: { readonly [key: string]: Tagged }
  readonly declared?: Tagged
  readonly observed?: Tagged
  readonly window?: Tagged
  readonly expect: {
    readonly ok?: Tagged
    readonly error?: Tagged
    readonly error_tag?: string
    readonly error_field?: string
  }
}

export function refusalChecks(vector: RefusalCase): Check[] {
  const { ok, error, error_tag: tag, error_field: field } = vector.expect
  const actual = reasonOf(() => run(vector))
  if (tag !== undefined) {
    return [check('tag', Array.isArray(actual) && actual.slice(0, 2), [tag, field])]
  }
  if (error !== undefined) return [check('refused', actual, untag(error))]
  return [check('admitted', actual, { answered: ok === true ? true : untag(ok ?? null) })]
}

function run(vector: RefusalCase): unknown {
  const { op, input = null, options = {}, declared = null, observed = null, window } = vector
  switch (op) {
    case 'encode':
      return textOf(encode(inputOf(input)))
    case 'graph_new':
      return createGraph(inputOf(input)) !== undefined
    case 'edge_new':
      return createEdge(untag(options) as EdgeOptions) // faults are what is tested
    case 'node_new':
      return createNode(nodeOptions(options)).id
    case 'graphml':
      return toGraphml(inputOf(input))
    case 'diff': {
      const given = untag(window ?? null)
      const asked = given === undefined ? {} : { window: given }
      return textOf(encodeDiff(diff(inputOf(declared), inputOf(observed), asked as DiffAsked)))
    }
  }
}

type DiffAsked = Parameters<typeof diff>[2]

function nodeOptions(options: { readonly [key: string]: Tagged }): NodeOptions {
  const read = untag(options) as Record<string, unknown> // an object, as given
  const identity = identityOf(read['identity'] as [string])
  return { ...read, identity } as unknown as NodeOptions // faults are what is tested
}
