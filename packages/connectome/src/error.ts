// SPDX-License-Identifier: Apache-2.0

/**
 * What a refusal says, as data: a name first, then what it is about. Names use the spelling of the
 * contract pages (`max_edges`, `schema_version`), whatever the spelling of the option.
 */
export type Reason = readonly unknown[]

/**
 * The area that refused. One code per kind of question, so that a host can match on it.
 *
 * @see docs/connectome.md, "Refusals"
 */
export const CONNECTOME_CODES = {
  /** A node, an edge, an identity or a graph is not what the vocabulary allows. */
  GRAPH: 'BEAM_ERR_GRAPH_INVALID',
  /** A graph or a value has no canonical bytes, or the options for writing them are wrong. */
  CANON: 'BEAM_ERR_CANON_REFUSED',
  /** Bytes are not a canonical graph, or not the one a hash names. */
  VERIFY: 'BEAM_ERR_CANON_UNVERIFIED',
  /** A signer gave no signature. */
  SIGNATURE: 'BEAM_ERR_CANON_UNSIGNED',
  /** Two graphs could not be compared. */
  DIFF: 'BEAM_ERR_GRAPH_DIFF',
  /** A reachability question could not be answered. */
  REACH: 'BEAM_ERR_GRAPH_REACH',
  /** A declared graph could not be built. */
  DECLARED: 'BEAM_ERR_GRAPH_DECLARED',
  /** A collector is made wrongly, is not running, or was told of what is no edge. */
  OBSERVED: 'BEAM_ERR_GRAPH_OBSERVED',
  /** A tracer could not be started. */
  TRACER: 'BEAM_ERR_GRAPH_TRACER',
  /** The host's own resources or tool were asked for a graph that there is not. */
  SURFACE: 'BEAM_ERR_GRAPH_SURFACE',
} as const

export type ConnectomeCode = (typeof CONNECTOME_CODES)[keyof typeof CONNECTOME_CODES]

const MESSAGES: Readonly<Record<ConnectomeCode, string>> = {
  BEAM_ERR_GRAPH_INVALID: 'The graph model refuses this; correct what the reason names',
  BEAM_ERR_CANON_REFUSED: 'There are no canonical bytes for this; correct what the reason names',
  BEAM_ERR_CANON_UNVERIFIED: 'These bytes are not verified; take nothing from them',
  BEAM_ERR_CANON_UNSIGNED: 'There is no signature; the reason is the signer’s or names its fault',
  BEAM_ERR_GRAPH_DIFF: 'The two graphs are not compared; the reason names the side and the fault',
  BEAM_ERR_GRAPH_REACH: 'The question is not answered; correct what the reason names',
  BEAM_ERR_GRAPH_DECLARED: 'No declared graph is built; correct what the reason names',
  BEAM_ERR_GRAPH_OBSERVED: 'Nothing observed is given; the reason says what is missing or wrong',
  BEAM_ERR_GRAPH_TRACER: 'Nothing is traced; correct what the reason names',
  BEAM_ERR_GRAPH_SURFACE:
    'There is no such graph to give; the reason names what is missing or wrong',
}

/** Refusals of this package. Match on `code`; read `reason` for what was refused. */
export class ConnectomeError extends Error {
  readonly code: ConnectomeCode
  /** The refusal as an array, for example `['duplicate_node', 'srv/server']`. */
  readonly reason: Reason

  constructor(code: ConnectomeCode, reason: Reason) {
    super(`${MESSAGES[code]}: ${describe(reason)}${fixFor(reason)}`)
    this.name = 'ConnectomeError'
    this.code = code
    this.reason = reason
  }
}

/** What to do where the reason alone does not say it. */
function fixFor([name]: Reason): string {
  return name === 'unavailable'
    ? '; install it, an optional peer, in the one version that package.json of @beam-mcp/connectome names'
    : ''
}

const MAX_PARTS = 6
const MAX_DEPTH = 4
const MAX_TEXT = 120

/** A value in one short line, however large it is; objects are named, not shown. */
function describe(value: unknown, depth = 0): string {
  if (typeof value === 'string') return JSON.stringify(cut(value))
  if (typeof value === 'bigint') return cut(String(value))
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return String(value)
  if (!Array.isArray(value)) return 'an object'
  if (depth === MAX_DEPTH) return 'a list'
  const parts = value.slice(0, MAX_PARTS).map((part) => describe(part, depth + 1))
  return `[${parts.join(', ')}${value.length > MAX_PARTS ? ', …' : ''}]`
}

function cut(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
}
