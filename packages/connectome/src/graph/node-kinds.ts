// SPDX-License-Identifier: Apache-2.0
import type { Labels } from './labels.ts'
import { createNode, type GraphNode } from './node.ts'
import type { BoundaryIdentity } from './node-id.ts'
import type { NodeLevel } from './vocabulary.ts'

/** What a named node may add: its level (default `server`) and its labels (default none). */
export interface NamedNodeOptions {
  readonly level?: NodeLevel
  readonly labels?: Labels
}

/** The node of a server: `<server>/server`. */
export function serverNode(server: string, options: NamedNodeOptions = {}): GraphNode {
  return createNode({
    level: 'server',
    ...options,
    kind: 'server',
    identity: { kind: 'server', server },
  })
}

/** The node of a tool: `<server>/tool/<name>`. */
export function toolNode(server: string, name: string, options: NamedNodeOptions = {}): GraphNode {
  return named('tool', server, name, options)
}

/** The node of a resource: `<server>/resource/<name>`, the name being its URI. */
export function resourceNode(
  server: string,
  name: string,
  options: NamedNodeOptions = {},
): GraphNode {
  return named('resource', server, name, options)
}

/** The node of a prompt: `<server>/prompt/<name>`. */
export function promptNode(
  server: string,
  name: string,
  options: NamedNodeOptions = {},
): GraphNode {
  return named('prompt', server, name, options)
}

/** The node of a process: `<server>/process/<name>`. */
export function processNode(
  server: string,
  name: string,
  options: NamedNodeOptions = {},
): GraphNode {
  return named('process', server, name, options)
}

function named(
  kind: 'tool' | 'resource' | 'prompt' | 'process',
  server: string,
  name: string,
  options: NamedNodeOptions,
): GraphNode {
  return createNode({ level: 'server', ...options, kind, identity: { kind, server, name } })
}

/** The node of a module, at level `module`: `<server>/module/<module>`. */
export function moduleNode(server: string, module: string, labels: Labels = {}): GraphNode {
  const identity = { kind: 'module', server, module } as const
  return createNode({ kind: 'module', level: 'module', identity, labels })
}

/** The node of a function, at level `mfa`: `<server>/module/<module>/<name>/<arity>`. */
export function functionNode(
  server: string,
  {
    module,
    name,
    arity,
  }: { readonly module: string; readonly name: string; readonly arity: number },
  labels: Labels = {},
): GraphNode {
  const identity = { kind: 'module', server, module, function: name, arity } as const
  return createNode({ kind: 'module', level: 'mfa', identity, labels })
}

/** The node of a boundary, of kind `module` at level `boundary`: `<server>/boundary/<source>/<name>`. */
export function boundaryNode(
  server: string,
  { source, name }: Pick<BoundaryIdentity, 'source' | 'name'>,
  labels: Labels = {},
): GraphNode {
  const identity = { kind: 'boundary', server, source, name } as const
  return createNode({ kind: 'module', level: 'boundary', identity, labels })
}
