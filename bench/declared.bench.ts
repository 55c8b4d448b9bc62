// How long does a declared build take beside the parser's own time, and how does it grow? Unit: ms, and MB at the peak.
// SPDX-License-Identifier: Apache-2.0

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDeclared } from '@beam-mcp/connectome/declared'
import { parseSync } from 'oxc-parser'
import { table } from './http/page.ts'
import { describeRun, format, median, spread } from './http/statistics.ts'

const SIZES = [375, 750, 1_500]
const ROUNDS = 5
/** A file beyond this is a bundle, and one of them would decide the whole measurement. */
const MAX_BYTES = 120_000
const STORE = fileURLToPath(new URL('../../../node_modules/.pnpm/', import.meta.url))
const SOURCE = /(?<!\.d)\.[cm]?[jt]sx?$/

interface Outcome {
  readonly ms: number
  /** Time of the processor, which other work on the machine stretches less. */
  readonly cpuMs: number
  readonly peakMb: number
  readonly sites: number
}

/** Source files of installed packages, and the packages' names, always the same ones. */
function findFiles(count: number): { files: string[]; packages: string[] } {
  const files: string[] = []
  const packages = new Set<string>()
  for (const entry of readdirSync(STORE).sort()) {
    const [, name] = /^(@?[^@]+)@/.exec(entry) ?? []
    if (name === undefined || files.length >= count) continue
    const folder = join(STORE, entry, 'node_modules', name.replace('+', '/'))
    for (const path of sourcesIn(folder)) {
      if (files.length >= count) break
      files.push(path)
      packages.add(name.replace('+', '/'))
    }
  }
  return { files, packages: [...packages] }
}

function sourcesIn(folder: string): string[] {
  try {
    const found = readdirSync(realpathSync(folder), { recursive: true, withFileTypes: true })
    return found
      .filter((one) => one.isFile() && SOURCE.test(one.name))
      .map((one) => join(one.parentPath, one.name))
      .filter((path) => !/node_modules.*\/(?:test|tests|bench|__tests__)\//.test(path))
      .filter((path) => readFileSync(path).length <= MAX_BYTES)
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
async function measure(what: string, count: number): Promise<Outcome> {
  const { files, packages } = findFiles(count)
  const start = performance.now()
  const before = process.cpuUsage()
  let sites = 0
  if (what === 'parse') parseAll(files)
  else {
    const scope = { entries: files, packages }
    const { bound } = await buildDeclared({ server: 'bench', level: 'mfa', scope })
    sites = bound.unresolved_calls.length
  }
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  return { ms, cpuMs: (user + system) / 1000, peakMb: process.resourceUsage().maxRSS / 1024, sites }
}

function run(what: string, count: number): Outcome {
  const args = [fileURLToPath(import.meta.url), what, String(count)]
  const { stdout, status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Outcome
}

function report(): void {
  const rows = SIZES.map((count) => {
    const { files } = findFiles(count)
    const bytes = files.reduce((sum, path) => sum + readFileSync(path).length, 0)
    const rounds = Array.from({ length: ROUNDS }, () => ({
      parse: run('parse', count),
      build: run('build', count),
    }))
    const ratios = rounds.map(({ parse, build }) => build.ms / parse.ms)
    const cpuRatios = rounds.map(({ parse, build }) => build.cpuMs / parse.cpuMs)
    const ms = median(rounds.map(({ build }) => build.ms))
    return [
      format(files.length, 0),
      format(bytes / 1e6, 1),
      format(median(rounds.map(({ parse }) => parse.ms)), 0),
      format(ms, 0),
      spread(ratios, 2),
      spread(cpuRatios, 2),
      format(ms / (bytes / 1e6), 0),
      format(median(rounds.map(({ build }) => build.peakMb)), 0),
    ]
  })
  const head = [
    'files',
    'MB',
    'parser, ms',
    'build, ms',
    'build / parser',
    'the same, processor',
    'ms per MB',
    'peak, MB',
  ]
  console.log(`${describeRun([])}\n\n${table(head, rows)}`)
}

const [what, count] = process.argv.slice(2)
if (what === undefined || count === undefined) report()
else console.log(JSON.stringify(await measure(what, Number(count))))
