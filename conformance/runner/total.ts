// SPDX-License-Identifier: Apache-2.0
import type { Outcome, Verdict } from './verdict.ts'

/** What a list of scenarios comes to. */
export interface Total {
  readonly passed: number
  readonly hollow: number
  readonly of: number
  readonly checks: Readonly<Record<'passed' | 'failed' | 'warnings' | 'skipped', number>>
}

export function totalOf(verdicts: readonly Verdict[]): Total {
  const outcomes = (outcome: Outcome) => verdicts.filter((one) => one.outcome === outcome).length
  const sum = (key: keyof Total['checks']) => verdicts.reduce((sum, one) => sum + one[key], 0)
  return {
    passed: outcomes('passed'),
    hollow: outcomes('hollow'),
    of: verdicts.length,
    checks: {
      passed: sum('passed'),
      failed: sum('failed'),
      warnings: sum('warnings'),
      skipped: sum('skipped'),
    },
  }
}
