// SPDX-License-Identifier: Apache-2.0

/** What a node is. Never inferred from its level. */
export const NODE_KINDS = ['server', 'tool', 'resource', 'prompt', 'process', 'module'] as const
/** How fine a node's grain is, from finest to coarsest. */
export const NODE_LEVELS = ['mfa', 'module', 'boundary', 'server'] as const
/** What an edge does, in canonical order. */
export const EDGE_KINDS = ['invoke', 'message', 'read', 'supervise'] as const
/** Where an edge was learnt, in canonical order. */
export const PROVENANCES = ['declared', 'observed'] as const
/**
 * What a consumer says of an edge. `unset` means that nobody handed a sign to this library;
 * `ungoverned` is a consumer's own statement that no rule covers the edge.
 */
export const SIGNS = ['allow', 'deny', 'hold', 'ungoverned', 'unset'] as const

export type NodeKind = (typeof NODE_KINDS)[number]
export type NodeLevel = (typeof NODE_LEVELS)[number]
export type EdgeKind = (typeof EDGE_KINDS)[number]
export type Provenance = (typeof PROVENANCES)[number]
export type Sign = (typeof SIGNS)[number]

/** The version of a graph's bytes: 2 is the default; 3 names its digest. */
export type SchemaVersion = 2 | 3

/** The position of a word in its list, or -1; the lists are short enough for a scan. */
export function codeOf(words: readonly string[], word: unknown): number {
  for (let code = 0; code < words.length; code++) if (words[code] === word) return code
  return -1
}

export const isNodeKind = (value: unknown): value is NodeKind => codeOf(NODE_KINDS, value) >= 0
export const isNodeLevel = (value: unknown): value is NodeLevel => codeOf(NODE_LEVELS, value) >= 0
export const isEdgeKind = (value: unknown): value is EdgeKind => codeOf(EDGE_KINDS, value) >= 0
export const isProvenance = (value: unknown): value is Provenance => codeOf(PROVENANCES, value) >= 0
