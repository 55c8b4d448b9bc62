// SPDX-License-Identifier: Apache-2.0
import { parse } from 'yaml'
import { REVISIONS, type Revision } from './requirements.ts'
import type { Fault, Verdict } from './verdict.ts'

/** A fault that is known, and why it is there. */
export interface Expected {
  readonly scenario: string
  /** One check of the scenario; left out, every fault of it, and the scenario counts as not served. */
  readonly check?: string
  readonly reason: string
}

/** The known faults of each revision. */
export type ExpectedFaults = Readonly<Record<Revision, readonly Expected[]>>

/**
 * Reads the text of `expected.yml`.
 *
 * @throws Error naming the revision, the entry and what is wrong
 */
export function readExpected(text: string): ExpectedFaults {
  const given: unknown = parse(text) ?? {}
  if (!isRecord(given)) throw new Error('expected.yml is no mapping of revisions')
  const other = Object.keys(given).find((key) => !REVISIONS.some((revision) => revision === key))
  if (other !== undefined) throw new Error(`expected.yml has '${other}', which is no revision`)
  const entries = REVISIONS.map((revision) => [revision, readList(revision, given[revision])])
  return Object.fromEntries(entries) as ExpectedFaults
}

function readList(revision: Revision, given: unknown): readonly Expected[] {
  if (given === undefined || given === null) return []
  if (!Array.isArray(given)) throw new Error(`${revision} is no list`)
  const list = given.map((entry: unknown, index) => readEntry(`${revision}, entry ${index}`, entry))
  const names = list.map(nameOf)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`${revision} lists ${twice} twice`)
  return list
}

function readEntry(place: string, given: unknown): Expected {
  if (!isRecord(given)) throw new Error(`${place} is no mapping`)
  const { scenario, check, reason, ...rest } = given
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) throw new Error(`${place} has '${unknown}'; it takes no such member`)
  if (!isText(scenario)) throw new Error(`${place} has no scenario`)
  if (!isText(reason)) throw new Error(`${place} has no reason`)
  if (reason.includes('\n')) throw new Error(`${place} has a reason of several lines`)
  if (check === undefined) return { scenario, reason }
  if (!isText(check)) throw new Error(`${place} has a check that is no id`)
  return { scenario, check, reason }
}

/** What differs between the faults that a run had and those that are listed. */
export interface Difference {
  /** Faults that nothing lists, one line each. */
  readonly unexpected: readonly string[]
  /** Entries that gave no fault, or whose scenario is not scored, one line each. */
  readonly stale: readonly string[]
}

/**
 * Compares the scored scenarios of a run with what is listed for its revision. A scenario that left
 * no checks is unexpected whatever is listed: nothing is known of it.
 */
export function compare(verdicts: readonly Verdict[], expected: readonly Expected[]): Difference {
  const unexpected = verdicts.flatMap((verdict) => {
    if (verdict.outcome === 'missing') return [`${verdict.scenario}: the suite left no checks`]
    return verdict.faults
      .filter((fault) => !expected.some((entry) => covers(entry, verdict, fault)))
      .map(({ check, kind, message }) => `${verdict.scenario}:${check}: ${kind} ${message}`)
  })
  const gave = (entry: Expected) =>
    verdicts.some((verdict) => verdict.faults.some((fault) => covers(entry, verdict, fault)))
  return { unexpected, stale: expected.filter((entry) => !gave(entry)).map(nameOf) }
}

/** Whether a scenario is listed whole, not by some of its checks. */
export function isUnserved(scenario: string, expected: readonly Expected[]): boolean {
  return expected.some((entry) => entry.scenario === scenario && entry.check === undefined)
}

function covers({ scenario, check }: Expected, verdict: Verdict, fault: Fault): boolean {
  return scenario === verdict.scenario && (check === undefined || check === fault.check)
}

function nameOf({ scenario, check }: Expected): string {
  return check === undefined ? scenario : `${scenario}:${check}`
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
