// SPDX-License-Identifier: Apache-2.0
export { checkCanonical, encode, hashHex } from './canonical/encode.ts'
export {
  encodeValue,
  type HashValueOptions,
  hashValueHex,
  type ValueOptions,
} from './canonical/encode-value.ts'
export { floatText } from './canonical/float-text.ts'
export { sidecar } from './canonical/sidecar.ts'
export type { WriteOptions } from './canonical/write-options.ts'
export { type DiffOptions, diff } from './diff/diff.ts'
export { diffHashHex, encodeDiff } from './diff/encode-diff.ts'
export type {
  ChangedSign,
  DiffClasses,
  DiffCoverage,
  DiffLabel,
  DiffRecord,
} from './diff/record.ts'
export { ALGORITHMS, type Algorithm } from './digest/digest.ts'
export { CONNECTOME_CODES, type ConnectomeCode, ConnectomeError, type Reason } from './error.ts'
export { toDot } from './exports/dot.ts'
export { toGraphml } from './exports/graphml.ts'
export { checkGraph, createGraph } from './graph/create-graph.ts'
export { createEdge, type EdgeInput, type EdgeOptions, type GraphEdge } from './graph/edge.ts'
export {
  type EdgeEnds,
  invokeEdge,
  messageEdge,
  readEdge,
  superviseEdge,
} from './graph/edge-kinds.ts'
export { Float, float } from './graph/float.ts'
export type { Graph, GraphInput } from './graph/graph.ts'
export type { Labels, LabelValue } from './graph/labels.ts'
export { createNode, type GraphNode, type NodeInput, type NodeOptions } from './graph/node.ts'
export {
  type BoundaryIdentity,
  type ModuleIdentity,
  type NamedIdentity,
  type NodeIdentity,
  nodeId,
  type ServerIdentity,
} from './graph/node-id.ts'
export {
  boundaryNode,
  functionNode,
  moduleNode,
  type NamedNodeOptions,
  processNode,
  promptNode,
  resourceNode,
  serverNode,
  toolNode,
} from './graph/node-kinds.ts'
export {
  EDGE_KINDS,
  type EdgeKind,
  NODE_KINDS,
  NODE_LEVELS,
  type NodeKind,
  type NodeLevel,
  PROVENANCES,
  type Provenance,
  type SchemaVersion,
  SIGNS,
  type Sign,
} from './graph/vocabulary.ts'
export type { Weight } from './graph/weight.ts'
export {
  type EdgeAttributes,
  fromGraphology,
  type GraphAttributes,
  type NodeAttributes,
  toGraphology,
} from './interchange/graphology.ts'
export type { Witness } from './reach/queries.ts'
export {
  allPaths,
  dominates,
  mandatoryPass,
  type PreparedGraph,
  prepare,
  reachable,
  reachableWithout,
} from './reach/reach.ts'
export type { DominanceOptions, PathOptions, ReachOptions } from './reach/reach-options.ts'
export {
  noSigner,
  type Signature,
  type SignatureOptions,
  type Signer,
  type SignerAnswer,
  signature,
} from './signing/signature.ts'
export { type Verified, type VerifyOptions, verify } from './verify/verify.ts'
