// What finds the calls between modules, and what does each traced call cost? Units: edges found, µs a call.
// SPDX-License-Identifier: Apache-2.0

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCollector } from '@beam-mcp/connectome/observed'
import { startTracer } from '@beam-mcp/connectome/tracer'
import { publish, table } from './http/page.ts'
import { describeRun, format, median, spread } from './http/statistics.ts'

const MODULES = 20
const RUNS = 25
const ROUNDS = 9
const WARM_UP = 2

/** A chain of modules in which each calls the next; nothing else is called. */
function writeChain(folder: string): { readonly paths: string[]; readonly run: () => number } {
  writeFileSync(join(folder, 'package.json'), '{"name":"chain"}')
  const paths = Array.from({ length: MODULES }, (_, i) => join(folder, `m${i}.cjs`))
  for (const [i, path] of paths.entries()) {
    const next = i + 1 < MODULES ? `require('./m${i + 1}.cjs').step` : '(n) => n'
    writeFileSync(
      path,
      `const next = ${next}\nexports.step = function step(n) { return next(n + 1) }\n`,
    )
  }
  const { step } = createRequire(import.meta.url)(paths[0] ?? '') as { step: (n: number) => number }
  return { paths, run: () => step(0) }
}

/** How many of the 19 edges a way to trace found in some runs of the chain, or undefined: it knows none. */
type Way = (run: () => void) => number | undefined

function post(session: Session, method: string, params: object = {}): unknown {
  let found: unknown
  session.post(method, params, (error, answer) => {
    if (error !== null) throw error
    found = answer
  })
  return found
}

function withSession<Answer>(use: (session: Session) => Answer): Answer {
  const session = new Session()
  session.connect()
  try {
    return use(session)
  } finally {
    session.disconnect()
  }
}

const fileOf = (url: string | undefined): string => url?.split('/').at(-1) ?? ''
const isEdge = (from: string, to: string): boolean =>
  /^m\d+\.cjs$/.test(from) && /^m\d+\.cjs$/.test(to) && from !== to

/** What `startTracer` does: a condition that never holds. */
const conditions =
  (paths: readonly string[]): Way =>
  (run) => {
    const collector = createCollector({ server: 'bench' })
    collector.start()
    const tracer = startTracer({ collector, modules: paths, maxEvents: 1_000_000 })
    run()
    tracer.stop()
    const edges = collector.rows().filter(({ from, to }) => {
      const name = (identity: object): string => fileOf(String(Reflect.get(identity, 'module')))
      return isEdge(name(from), name(to))
    })
    collector.stop()
    return edges.length
  }

/** The same breakpoints without a condition: the program stops at each. */
const stops =
  (paths: readonly string[]): Way =>
  (run) =>
    withSession((session) => {
      const files = new Map<string, string>()
      const found = new Set<string>()
      session.on('Debugger.scriptParsed', ({ params }) => {
        files.set(params.scriptId, fileOf(params.url))
      })
      session.on('Debugger.paused', ({ params }) => {
        const [to, from] = params.callFrames.map(
          ({ location }) => files.get(location.scriptId) ?? '',
        )
        if (isEdge(from ?? '', to ?? '')) found.add(`${from} ${to}`)
        session.post('Debugger.resume')
      })
      post(session, 'Debugger.enable')
      for (const [scriptId, file] of files) {
        if (!paths.some((path) => fileOf(path) === file)) continue
        post(session, 'Debugger.setBreakpoint', {
          location: { scriptId, lineNumber: 1, columnNumber: 37 },
        })
      }
      run()
      return found.size
    })

/** A sample of the stack every 100 µs. */
const samples: Way = (run) =>
  withSession((session) => {
    post(session, 'Profiler.enable')
    post(session, 'Profiler.setSamplingInterval', { interval: 100 })
    post(session, 'Profiler.start')
    run()
    const { profile } = post(session, 'Profiler.stop') as Profiler.StopReturnType
    const byId = new Map(profile.nodes.map((node) => [node.id, fileOf(node.callFrame.url)]))
    const found = new Set<string>()
    for (const { id, children = [] } of profile.nodes) {
      for (const child of children) {
        const [from, to] = [byId.get(id) ?? '', byId.get(child) ?? '']
        if (isEdge(from, to)) found.add(`${from} ${to}`)
      }
    }
    return found.size
  })

/** How often each function ran; who called it is not among what V8 counts. */
const counters: Way = (run) =>
  withSession((session) => {
    post(session, 'Profiler.enable')
    post(session, 'Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    run()
    post(session, 'Profiler.takePreciseCoverage')
    post(session, 'Profiler.stopPreciseCoverage')
    return undefined
  })

const nothing: Way = (run) => {
  run()
  return undefined
}

const folder = mkdtempSync(join(tmpdir(), 'tracer-bench-'))
try {
  const { paths, run } = writeChain(folder)
  const ways: readonly (readonly [string, Way])[] = [
    ['no tracer', nothing],
    ['a condition at each entry, which never holds: `startTracer`', conditions(paths)],
    ['a stop at each entry', stops(paths)],
    ['a sample every 100 µs', samples],
    ['counters', counters],
    ['no tracer, after all of them', nothing],
  ]
  const times = ways.map(() => [] as number[])
  const found = ways.map(() => [] as (number | undefined)[])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, [, way]] of ways.entries()) {
      let us = 0
      const edges = way(() => {
        const start = performance.now()
        for (let one = 0; one < RUNS; one++) run()
        us = ((performance.now() - start) * 1_000) / (RUNS * MODULES)
      })
      if (round < WARM_UP) continue
      times[i]?.push(us)
      found[i]?.push(edges)
    }
  }
  const rows = ways.map(([name], i) => {
    const edges = (found[i] ?? []).filter((one) => one !== undefined)
    const share = edges.length === 0 ? 'none: no callers' : `${median(edges)} of ${MODULES - 1}`
    return [name, name.startsWith('no tracer') ? '' : share, spread(times[i] ?? [], 2)]
  })
  const how = `A chain of ${MODULES} modules, run ${RUNS} times in each of ${ROUNDS - WARM_UP} alternating rounds; medians, with the middle half in brackets. One call takes ${format(median(times[0] ?? []), 2)} µs untraced.`
  publish(
    'tracer',
    [
      `${describeRun(['@beam-mcp/connectome'])} ${how}`,
      table(['mechanism', 'edges found', 'µs a call'], rows),
    ].join('\n\n'),
    'connectome-observed.md',
  )
} finally {
  rmSync(folder, { recursive: true })
}
