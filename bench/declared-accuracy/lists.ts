// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figures } from './compare.ts'
import type { Truth } from './truth.ts'

/** Each fault with its file and line, the columns from 1, as editors count them. */
export function describeFaults(figures: Figures, truth: Truth): string {
  const parts = [
    section('Neither declared nor listed', figures.neither),
    section('The same in the graph of modules', figures.modulesNeither),
    section('Declared, and its site never led there', figures.functions.falseEdges),
    section('Of modules, and its site never led there', figures.modules.falseEdges),
    section(
      'Through a built-in or another package, neither declared nor listed',
      figures.lostOthers,
    ),
    section('Happened, not declared, from a listed site', figures.listedEdges),
    section('Listed sites that ran', figures.listedSites),
    section('Marks and V8 disagree', truth.unlike),
  ]
  return parts.join('\n')
}

function section(title: string, lines: readonly string[]): string {
  return `# ${title}: ${lines.length}\n${[...new Set(lines)].map((line) => `${line}\n`).join('')}`
}

/** Keeps the list where the machine keeps what is of no lasting use. */
export function writeList(name: string, text: string): void {
  const folder = join(tmpdir(), 'declared-accuracy')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.txt`), text)
}
