// SPDX-License-Identifier: Apache-2.0
import { CONNECTOME_CODES, ConnectomeError } from '../error.ts'
import { isPlainObject, unknownKey } from './plain-object.ts'

/** A node of one server that is known by a name: a tool, a resource, a prompt or a process. */
export interface NamedIdentity {
  readonly kind: 'tool' | 'resource' | 'prompt' | 'process'
  readonly server: string
  readonly name: string
}

/** The server itself. */
export interface ServerIdentity {
  readonly kind: 'server'
  readonly server: string
}

/** A module or, with `function` and `arity` (an integer from 0), one function of it. */
export interface ModuleIdentity {
  readonly kind: 'module'
  readonly server: string
  readonly module: string
  readonly function?: string
  readonly arity?: number
}

/** A boundary: an application (a package), or a module that a host declares to be one. */
export interface BoundaryIdentity {
  readonly kind: 'boundary'
  readonly server: string
  readonly source: 'application' | 'boundary_module'
  readonly name: string
}

export type NodeIdentity = ServerIdentity | NamedIdentity | ModuleIdentity | BoundaryIdentity

/** What names a node, before it is written as an id. */
export interface IdParts {
  readonly tag: string
  readonly grain: 'named' | 'module' | 'mfa' | 'boundary'
  readonly parts: readonly string[]
}

/**
 * The id of a node: its components joined by `/`, the server's name first, then the kind (or
 * `boundary`), then the rest. In each component `%` becomes `%25` and `/` becomes `%2F`; nothing is
 * normalised, and ids are never parsed back.
 *
 * @throws ConnectomeError `BEAM_ERR_GRAPH_INVALID`, `['invalid', 'identity', given]`
 * @see docs/connectome.md, "Ids"
 */
export function nodeId(identity: NodeIdentity): string {
  const read = readIdentity(identity)
  if (read === undefined) {
    throw new ConnectomeError(CONNECTOME_CODES.GRAPH, ['invalid', 'identity', identity])
  }
  return writeId(read)
}

export function writeId(identity: IdParts): string {
  return identity.parts.map(escapeComponent).join('/')
}

function escapeComponent(component: string): string {
  return component.replaceAll('%', '%25').replaceAll('/', '%2F')
}

/** The parts of an identity, or `undefined` when the vocabulary does not name its shape. */
export function readIdentity(value: unknown): IdParts | undefined {
  if (!isPlainObject(value) || typeof value['server'] !== 'string') return undefined
  const { kind, server } = value
  switch (kind) {
    case 'server':
      return unknownKey(value, NAMED) === undefined && value['name'] === undefined
        ? { tag: kind, grain: 'named', parts: [server, kind] }
        : undefined
    case 'tool':
    case 'resource':
    case 'prompt':
    case 'process':
      return readNamed(value, kind, server)
    case 'module':
      return readModule(value, server)
    case 'boundary':
      return readBoundary(value, server)
    default:
      return undefined
  }
}

const NAMED = ['kind', 'server', 'name']
const MODULE = ['kind', 'server', 'module', 'function', 'arity']
const BOUNDARY = ['kind', 'server', 'source', 'name']

type Fields = Readonly<Record<string, unknown>>

function readNamed(value: Fields, kind: string, server: string): IdParts | undefined {
  const { name } = value
  if (typeof name !== 'string' || unknownKey(value, NAMED) !== undefined) return undefined
  return { tag: kind, grain: 'named', parts: [server, kind, name] }
}

function readModule(value: Fields, server: string): IdParts | undefined {
  const { module, arity } = value
  const name = value['function']
  if (typeof module !== 'string' || unknownKey(value, MODULE) !== undefined) return undefined
  const parts = [server, 'module', module]
  if (name === undefined && arity === undefined) return { tag: 'module', grain: 'module', parts }
  if (typeof name !== 'string' || typeof arity !== 'number') return undefined
  if (!Number.isSafeInteger(arity) || arity < 0) return undefined
  return { tag: 'module', grain: 'mfa', parts: [...parts, name, String(arity)] }
}

function readBoundary(value: Fields, server: string): IdParts | undefined {
  const { source, name } = value
  if (source !== 'application' && source !== 'boundary_module') return undefined
  if (typeof name !== 'string') return undefined
  if (unknownKey(value, BOUNDARY) !== undefined) return undefined
  return { tag: 'boundary', grain: 'boundary', parts: [server, 'boundary', source, name] }
}
