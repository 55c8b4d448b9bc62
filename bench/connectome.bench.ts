// How long do the connectome's bytes, diffs and searches take, and how do they grow? Unit: ms a call.
// SPDX-License-Identifier: Apache-2.0

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { availableParallelism, cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import {
  createGraph,
  diff,
  dominates,
  type EdgeInput,
  type EdgeKind,
  encode,
  encodeDiff,
  type Graph,
  type GraphInput,
  hashHex,
  mandatoryPass,
  type NodeInput,
  type Provenance,
  prepare,
  reachable,
  reachableWithout,
  toGraphology,
} from '@beam-mcp/connectome'
import { bfsFromNode } from 'graphology-traversal'

const EDGES = 10_000
const SIZES = [10_000, 100_000, 1_000_000]
const ROUNDS = 61
const WARM_UP = 30

/** What the declared graph of 10,000 edges must hash to; anything else is another fixture. */
const FIXTURE_HASH = 'd0d5061df10498e5e0a42e9fd71b4d68a7f622498abd9f4c87cbf4c52c4db46b'

/** The reference implementation on a similar machine, in ms: measured elsewhere, not in this run. */
const ELSEWHERE: Readonly<Record<string, number>> = {
  build: 9,
  'encode and hash': 88,
  'diff, encode and hash': 403,
  search: 22,
  dominance: 39,
  'mandatory pass': 37,
}

const KINDS: readonly EdgeKind[] = ['invoke', 'read', 'message', 'supervise']
const ALL = { maxEdges: Number.POSITIVE_INFINITY }

/** A graph of random edges among tools; a twentieth as many tools as edges. */
function fixture(seed: number, provenance: Provenance, size: number, entries = 0): GraphInput {
  const tools = size / 20
  let state = seed
  const below = (n: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state * n) / 2 ** 32)
  }
  const tool = (i: number): string => `bench/tool/t${i}`
  const nodes: NodeInput[] = [{ id: 'bench/server', kind: 'server', level: 'server', labels: {} }]
  for (let i = 1; i <= tools; i++) {
    const labels = { command_class: 'observe', mode: 'read_only' }
    nodes.push({ id: tool(i), kind: 'tool', level: 'server', labels })
  }
  const seen = new Set<number>()
  const edges: EdgeInput[] = []
  for (let draw = 0; draw < size * 1.1; draw++) {
    const from = below(tools)
    const to = below(tools)
    const kind = below(KINDS.length)
    const key = (from * tools + to) * KINDS.length + kind
    if (seen.has(key) || edges.length === size) continue
    seen.add(key)
    edges.push({
      from: tool(from + 1),
      to: tool(to + 1),
      kind: KINDS[kind] ?? 'invoke',
      provenance,
    })
  }
  for (let i = 1; i <= entries; i++) {
    edges.push({ from: 'bench/server', to: tool(i), kind: 'invoke', provenance })
  }
  return { nodes, edges }
}

interface Question {
  readonly name: string
  /** The answer is kept, so that no call can be left out. */
  readonly ask: () => unknown
}

let kept: unknown

function timeOf({ ask }: Question): number {
  kept = undefined
  const start = performance.now()
  kept = ask()
  return performance.now() - start
}

interface Times {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** Questions take turns, so that a busy moment of the machine meets them all. */
function measure(
  questions: readonly Question[],
  rounds: number,
  warmUp: number,
): Map<string, Times> {
  const times = new Map(questions.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    for (const question of questions) {
      const time = timeOf(question)
      if (round >= warmUp) times.get(question.name)?.push(time)
    }
  }
  return new Map([...times].map(([name, list]) => [name, spread(list)]))
}

function spread(times: readonly number[]): Times {
  const sorted = [...times].sort((a, b) => a - b)
  const part = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return { median: part(0.5), low: part(0.25), high: part(0.75) }
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The node a breadth-first search from the server meets last: the longest search there is. */
function lastMet(graph: Graph): string {
  let last = 'bench/server'
  bfsFromNode(toGraphology(graph), last, (node) => {
    last = node
  })
  return last
}

/** Bytes as a quick script would write them: sorted by plain comparison, nothing checked. */
function plainEncode({ nodes, edges }: GraphInput): Uint8Array {
  const key = (edge: EdgeInput): string => `${edge.from} ${edge.to} ${edge.kind} ${edge.provenance}`
  const byKey = edges.map((edge): [string, EdgeInput] => [key(edge), edge])
  byKey.sort(([a], [b]) => (a < b ? -1 : 1))
  const byId = [...nodes].sort((a, b) => (a.id < b.id ? -1 : 1))
  const text = JSON.stringify({
    schema_version: 2,
    nodes: byId.map(({ id, kind, labels, level }) => ({ id, kind, labels, level })),
    edges: byKey.map(([, { from, kind, provenance, to }]) => {
      return { from, kind, provenance, sign: 'unset', to }
    }),
  })
  return new TextEncoder().encode(text)
}

const WINDOW = { window: {} }

function graphQuestions(size: number): Question[] {
  const input = fixture(1, 'declared', size)
  const declared = createGraph(input)
  const observed = createGraph(fixture(2, 'observed', size))
  const hash = hashHex(declared)
  if (size === EDGES && hash !== FIXTURE_HASH) throw new Error(`Another fixture: ${hash}`)
  if (sha256(plainEncode(input)) !== hash) throw new Error('The plain encoder writes other bytes')
  return [
    { name: 'build', ask: () => createGraph(input) },
    { name: 'encode and hash', ask: () => sha256(encode(declared)) },
    { name: 'hash alone', ask: () => hashHex(declared) },
    { name: 'plain encoder, unchecked, and hash', ask: () => sha256(plainEncode(input)) },
    {
      name: 'diff, encode and hash',
      ask: () => sha256(encodeDiff(diff(declared, observed, WINDOW))),
    },
  ]
}

function searchQuestions(size: number): Question[] {
  const graph = createGraph(fixture(3, 'declared', size, 10))
  const index = prepare(graph)
  const other = toGraphology(graph)
  const from = 'bench/server'
  const to = lastMet(graph)
  const gate = 'bench/tool/t1'
  return [
    { name: 'search', ask: () => reachable(graph, from, to, ALL) },
    { name: 'search around a gate', ask: () => reachableWithout(graph, from, to, [gate], ALL) },
    { name: 'dominance', ask: () => dominates(graph, gate, to, ALL) },
    { name: 'mandatory pass', ask: () => mandatoryPass(graph, to, ALL) },
    { name: 'prepare', ask: () => prepare(graph) },
    { name: 'search, prepared', ask: () => index.reachable(from, to, ALL) },
    { name: 'dominance, prepared', ask: () => index.dominates(gate, to, ALL) },
    { name: 'mandatory pass, prepared', ask: () => index.mandatoryPass(to, ALL) },
    { name: 'graphology breadth-first search', ask: () => otherSearch(other, from, to) },
  ]
}

function otherSearch(graph: ReturnType<typeof toGraphology>, from: string, to: string): boolean {
  let isMet = false
  const visit = (node: string): boolean => {
    isMet ||= node === to
    return isMet
  }
  bfsFromNode(graph, from, visit, { mode: 'outbound' })
  return isMet
}

const figure = (ms: number): string => (ms < 10 ? ms.toFixed(3) : ms.toFixed(1)).padStart(10)

function printAtFixture(): void {
  console.log(`\n${EDGES} edges; medians of ${ROUNDS - WARM_UP} rounds with their quartiles, in ms`)
  console.log('(the last column was measured elsewhere, with the reference implementation)\n')
  const graphs = measure(graphQuestions(EDGES), ROUNDS, WARM_UP)
  const searches = measure(searchQuestions(EDGES), ROUNDS, WARM_UP)
  for (const [name, { median, low, high }] of [...graphs, ...searches]) {
    const elsewhere = ELSEWHERE[name]
    const note = elsewhere === undefined ? '' : `   elsewhere ${elsewhere}`
    console.log(`${name.padEnd(36)}${figure(median)}  ${figure(low)} to${figure(high)}${note}`)
  }
  const ratio = (times: Map<string, Times>, slow: string, quick: string): string =>
    ((times.get(slow)?.median ?? 0) / (times.get(quick)?.median ?? 1)).toFixed(1)
  console.log('\nIn this run:')
  const plain = 'plain encoder, unchecked, and hash'
  console.log(`  ${plain}: ${ratio(graphs, plain, 'encode and hash')} times encode and hash`)
  const other = 'graphology breadth-first search'
  console.log(`  ${other}: ${ratio(searches, other, 'search')} times a search,`)
  console.log(`    ${ratio(searches, other, 'search, prepared')} times a prepared one`)
}

/** Each size has a process of its own, for its peak memory. */
function printGrowth(): void {
  console.log('\nGrowth: medians, one process for each size, checks on\n')
  const columns = SIZES.map((size) => growthAt(size, []))
  const title = 'in ms, for edges:'.padEnd(26)
  console.log(title + SIZES.map((size) => String(size).padStart(12)).join(''))
  const line = (name: string, figures: readonly number[]): void =>
    console.log(name.padEnd(26) + figures.map((value) => `  ${figure(value)}`).join(''))
  const names = Object.keys(columns[0] ?? {})
  for (const name of names) line(name, valuesOf(columns, name))
  console.log('\nin ns an edge:')
  for (const name of names.filter((known) => known !== PEAK)) {
    line(
      name,
      valuesOf(columns, name).map((ms, i) => (ms * 1e6) / (SIZES[i] ?? 1)),
    )
  }
}

/** What the steps need, rather than what an unhurried collector leaves lying about. */
function printPeak(): void {
  const size = Math.max(...SIZES)
  const column = growthAt(size, [`--max-old-space-size=${HEAP_LIMIT}`])
  const peak = Math.round(column[PEAK] ?? 0)
  console.log(`\n${size} edges again, the heap limited to ${HEAP_LIMIT} MiB: ${PEAK} ${peak}`)
}

const HEAP_LIMIT = 512
const PEAK = 'peak memory, MiB'

function valuesOf(columns: readonly Column[], name: string): number[] {
  return columns.map((column) => column[name] ?? 0)
}

type Column = Readonly<Record<string, number>>

function growthAt(size: number, flags: readonly string[]): Column {
  const command = [...flags, fileURLToPath(import.meta.url), '--size', String(size)]
  const { stdout, stderr, status } = spawnSync(process.execPath, command, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The run of ${size} edges ended with ${status}: ${stderr}`)
  return JSON.parse(stdout) as Column // written by measureSize
}

/** Steps one after another, each graph let go when no later step needs it. */
function measureSize(size: number): Column {
  const column: Record<string, number> = {}
  const warmUp = Math.max(1, Math.round(300_000 / size))
  const note = (questions: readonly Question[]): void => {
    for (const [name, { median }] of measure(questions, warmUp + 3, warmUp)) column[name] = median
    kept = undefined
  }
  noteBytes(size, note)
  noteSearches(size, note)
  column[PEAK] = process.resourceUsage().maxRSS / 1024
  return column
}

type Note = (questions: readonly Question[]) => void

function noteBytes(size: number, note: Note): void {
  const declared = buildOnce(fixture(1, 'declared', size), note)
  note([{ name: 'encode and hash', ask: () => sha256(encode(declared)) }])
  note([{ name: 'hash alone', ask: () => hashHex(declared) }])
  const observed = createGraph(fixture(2, 'observed', size))
  const whole = (): string => sha256(encodeDiff(diff(declared, observed, WINDOW)))
  note([{ name: 'diff, encode and hash', ask: whole }])
}

function buildOnce(input: GraphInput, note: Note): Graph {
  let graph = createGraph(input)
  const build = (): void => {
    graph = createGraph(input)
  }
  note([{ name: 'build', ask: build }])
  return graph
}

function noteSearches(size: number, note: Note): void {
  const graph = createGraph(fixture(3, 'declared', size, 10))
  const to = `bench/tool/t${size / 20}`
  const gate = 'bench/tool/t1'
  // Nothing leads back to the server, so this search looks at everything it can reach.
  note([{ name: 'search', ask: () => reachable(graph, gate, 'bench/server', ALL) }])
  note([{ name: 'dominance', ask: () => dominates(graph, gate, to, ALL) }])
  note([{ name: 'mandatory pass', ask: () => mandatoryPass(graph, to, ALL) }])
  const index = prepare(graph)
  note([{ name: 'search, prepared', ask: () => index.reachable(gate, 'bench/server', ALL) }])
}

const [flag, size] = process.argv.slice(2)
if (flag === '--size') {
  console.log(JSON.stringify(measureSize(Number(size))))
} else {
  const [cpu] = cpus()
  console.log(`Node ${process.version}, ${availableParallelism()} cores, ${cpu?.model}`)
  printAtFixture()
  printGrowth()
  printPeak()
  if (kept === undefined) console.log('Nothing was measured')
}
