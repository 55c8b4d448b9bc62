// How much of what really ran does `buildDeclared` declare, list or miss? Unit: shares of edges and of call sites.
// SPDX-License-Identifier: Apache-2.0

import { parseArgs } from 'node:util'
import { compare } from './declared-accuracy/compare.ts'
import { declareByBuild } from './declared-accuracy/declared-build.ts'
import { declareImportsOnly } from './declared-accuracy/imports-only.ts'
import { describeFaults, writeList } from './declared-accuracy/lists.ts'
import { runInstrumented } from './declared-accuracy/run-subject.ts'
import { SUBJECTS, type Subject } from './declared-accuracy/subjects.ts'
import { accuracyTable, NOTES, type Result, truthTable } from './declared-accuracy/table.ts'
import { readTruth } from './declared-accuracy/truth.ts'
import { publish } from './http/page.ts'
import { describeRun } from './http/statistics.ts'

const { values } = parseArgs({
  options: {
    /** Puts the tables into docs/connectome-declared.md. */
    write: { type: 'boolean' },
    /** Runs this subject alone, and prints each call that is neither and each false edge. */
    list: { type: 'string' },
  },
})

async function measure(subject: Subject): Promise<Result> {
  const truth = readTruth(runInstrumented(subject), subject.roots)
  const built = compare(truth, await declareByBuild(subject))
  const simple = compare(truth, declareImportsOnly(subject.entries, subject.roots))
  writeList(subject.name, describeFaults(built, truth))
  if (values.list !== undefined) console.log(describeFaults(built, truth))
  const builders = [
    { name: 'buildDeclared', figures: built },
    { name: 'imports only', figures: simple },
  ]
  return { subject, truth, builders }
}

const chosen = SUBJECTS.filter(({ name }) => values.list === undefined || name === values.list)
const results: Result[] = []
for (const subject of chosen) {
  try {
    results.push(await measure(subject))
  } catch (error) {
    // The others are still worth their rows; the exit code tells that one is not there.
    console.error(`${subject.name} was not measured:`, error)
    process.exitCode = 1
  }
}

const where = describeRun(['ajv', 'avvio', 'find-my-way', 'jose', 'semver', 'zod'])
const text = [where, truthTable(results), accuracyTable(results), NOTES].join('\n\n')
publish('declared-accuracy', text, 'connectome-declared.md')
