// SPDX-License-Identifier: Apache-2.0
import { floatText, type NodeIdentity, nodeId } from '@beam-mcp/connectome'
import { type Check, check } from './checks.ts'

export interface FloatCase {
  readonly bits: string
  readonly text: string
}

export function floatChecks({ bits, text }: FloatCase): Check[] {
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, BigInt(`0x${bits}`))
  return [check('text', floatText(view.getFloat64(0)), text)]
}

type Listed = readonly [string, ...unknown[]]

/** An identity as the vectors list it: a tag, the server, the rest. */
export function identityOf([tag, server, ...rest]: Listed): NodeIdentity {
  const [first, second] = rest
  const fields: Record<string, unknown> = { kind: tag, server }
  if (tag === 'boundary') Object.assign(fields, { source: first, name: second })
  else if (tag !== 'module') Object.assign(fields, first === undefined ? {} : { name: first })
  else if (!Array.isArray(first)) fields['module'] = first
  else Object.assign(fields, { module: first[0], function: first[1], arity: first[2] })
  return fields as unknown as NodeIdentity // what it says is for the library to check
}

export interface NodeIdCase {
  readonly identity: Listed
  readonly id: string
}

export function nodeIdChecks({ identity, id }: NodeIdCase): Check[] {
  return [check('id', nodeId(identityOf(identity)), id)]
}
