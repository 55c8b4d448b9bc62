// SPDX-License-Identifier: Apache-2.0
// How long does a declared build take beside the parser's own time, and how does it grow? Unit: ms of the processor and
// ratios, by the processor and by the clock, and MB at the peak. With --write Node 20 and Node 24
// each have their own table.

import { spawnSync } from 'node:child_process'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDeclared } from '@beam-mcp/connectome/declared'
import { parseSync } from 'oxc-parser'
import { analyseScope } from '../packages/connectome/src/declared/analyse-scope.ts'
import { publish, table } from './http/page.ts'
import { describeRun, format, median, spread } from './http/statistics.ts'

const SIZES = [375, 750, 1_500]
const ROUNDS = 11
/** A package with a file beyond this holds a bundle, and one of them would decide the measurement. */
const MAX_BYTES = 250_000
/** Packages of many tiny files would measure the reading of folders. */
const MIN_MEAN_BYTES = 2_500
const STORE = fileURLToPath(new URL('../../../node_modules/.pnpm/', import.meta.url))
const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/

interface Outcome {
  readonly ms: number
  /** Time of the processor, which other work on the machine stretches less. */
  readonly cpuMs: number
  readonly peakMb: number
}

interface Input {
  readonly entries: readonly string[]
  readonly packages: readonly string[]
  /** Every file that a build of these reads, so that the parser is given the same. */
  readonly paths: readonly string[]
  readonly bytes: number
}

/** Whole installed packages of `count` source files together, always the same ones. */
async function findInput(count: number): Promise<Input> {
  const entries: string[] = []
  const packages = new Set<string>()
  for (const entry of readdirSync(STORE).sort()) {
    const [, name] = /^(@?[^@]+)@/.exec(entry) ?? []
    if (name === undefined || entries.length >= count) continue
    const sources = sourcesIn(join(STORE, entry, 'node_modules', name.replace('+', '/')))
    const sizes = sources.map((path) => statSync(path).size)
    const sum = sizes.reduce((total, size) => total + size, 0)
    if (Math.max(...sizes) > MAX_BYTES || sum < MIN_MEAN_BYTES * sources.length) continue
    entries.push(...sources.slice(0, count - entries.length))
    packages.add(name.replace('+', '/'))
  }
  const { gathered } = await analyseScope({ entries, packages: [...packages] })
  const paths = gathered.modules.map(({ path }) => path)
  const bytes = paths.reduce((total, path) => total + statSync(path).size, 0)
  return { entries, packages: [...packages], paths, bytes }
}

function sourcesIn(folder: string): string[] {
  try {
    const found = readdirSync(realpathSync(folder), { recursive: true, withFileTypes: true })
    return found
      .filter((one) => one.isFile() && SOURCE.test(one.name))
      .map((one) => join(one.parentPath, one.name))
      .filter((path) => !/node_modules.*\/(?:test|tests|bench|__tests__)\//.test(path))
      .sort()
  } catch {
    return [] // a package for another platform, which is not installed
  }
}

function parseAll(files: readonly string[]): number {
  let statements = 0
  for (const path of files) {
    const { program } = parseSync(path, readFileSync(path, 'utf8'), { preserveParens: false })
    statements += program.body.length
  }
  return statements
}

/** One measurement in a process of its own, so that memory is its own too. */
async function measure(what: string, { entries, packages, paths }: Input): Promise<Outcome> {
  const start = performance.now()
  const before = process.cpuUsage()
  if (what === 'parse') parseAll(paths)
  else {
    const level = what === 'functions' ? 'mfa' : 'module'
    await buildDeclared({ server: 'bench', level, scope: { entries, packages } })
  }
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  return { ms, cpuMs: (user + system) / 1000, peakMb: process.resourceUsage().maxRSS / 1024 }
}

function run(what: string, input: string): Outcome {
  const args = [fileURLToPath(import.meta.url), what, input]
  const { stdout, status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Outcome
}

async function measureSize(count: number, folder: string): Promise<readonly string[]> {
  const input = await findInput(count)
  const path = join(folder, `${count}.json`)
  writeFileSync(path, JSON.stringify(input))
  const rounds = Array.from({ length: ROUNDS }, () => ({
    parse: run('parse', path),
    modules: run('modules', path),
    functions: run('functions', path),
  }))
  const cpuMs = median(rounds.map(({ modules }) => modules.cpuMs))
  return [
    format(input.paths.length, 0),
    format(input.bytes / 1e6, 1),
    format(median(rounds.map(({ parse }) => parse.cpuMs)), 0),
    format(cpuMs, 0),
    spread(
      rounds.map(({ parse, modules }) => modules.cpuMs / parse.cpuMs),
      2,
    ),
    spread(
      rounds.map(({ parse, functions }) => functions.cpuMs / parse.cpuMs),
      2,
    ),
    spread(
      rounds.map(({ parse, modules }) => modules.ms / parse.ms),
      2,
    ),
    format(cpuMs / (input.bytes / 1e6), 0),
    format(median(rounds.map(({ modules }) => modules.peakMb)), 0),
  ]
}

async function report(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'declared-bench-'))
  const rows: (readonly string[])[] = []
  for (const count of SIZES) rows.push(await measureSize(count, folder))
  rmSync(folder, { recursive: true })
  const head = [
    'files',
    'MB',
    'parser, ms',
    'modules, ms',
    'modules / parser, processor',
    'functions / parser, processor',
    'modules / parser, clock',
    'ms per MB',
    'peak, MB',
  ]
  const [major] = process.versions.node.split('.')
  publish(
    `declared-node-${major}`,
    `${describeRun(['oxc-parser'])}\n\n${table(head, rows)}`,
    'connectome-declared.md',
  )
}

const [what, input] = process.argv.slice(2).filter((one) => one !== '--write')
if (what === undefined || input === undefined) await report()
else {
  const read = JSON.parse(readFileSync(input, 'utf8')) as Input // what `measureSize` wrote
  console.log(JSON.stringify(await measure(what, read)))
}
