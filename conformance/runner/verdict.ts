// SPDX-License-Identifier: Apache-2.0
import type { Check } from './checks.ts'

/**
 * What became of a scenario. `hollow` is one that the suite counts as passed although it called
 * something that the harness does not have, or is listed whole as not served: it showed nothing, so
 * it is not counted here.
 */
export type Outcome = 'passed' | 'failed' | 'hollow' | 'missing'

/** A check that has to be listed with its reason, or mended. */
export interface Fault {
  readonly check: string
  readonly kind: 'FAILURE' | 'WARNING' | 'NOTHING THERE'
  readonly message: string
}

/** A scenario, judged. */
export interface Verdict {
  readonly scenario: string
  readonly outcome: Outcome
  readonly passed: number
  readonly failed: number
  readonly warnings: number
  /** Checks that the suite left out, since what they are about is not claimed. */
  readonly skipped: number
  readonly faults: readonly Fault[]
}

/**
 * Judges a scenario by its checks: one failure fails it, a warning alone does not.
 *
 * @param checks  undefined or empty where the suite left none, which is never a pass
 * @param isUnserved  whether the whole scenario is listed as a known fault
 */
export function judge(
  scenario: string,
  checks: readonly Check[] = [],
  isUnserved = false,
): Verdict {
  const count = (status: Check['status']) => checks.filter((one) => one.status === status).length
  return {
    scenario,
    outcome: outcomeOf(checks, isUnserved),
    passed: count('SUCCESS'),
    failed: count('FAILURE'),
    warnings: count('WARNING'),
    skipped: count('SKIPPED'),
    faults: checks.flatMap(faultOf),
  }
}

function outcomeOf(checks: readonly Check[], isUnserved: boolean): Outcome {
  if (checks.length === 0) return 'missing'
  if (checks.some(({ status }) => status === 'FAILURE')) return 'failed'
  return isUnserved || checks.some(({ metNothing }) => metNothing) ? 'hollow' : 'passed'
}

function faultOf({ id, status, message, metNothing }: Check): readonly Fault[] {
  if (status === 'FAILURE' || status === 'WARNING') return [{ check: id, kind: status, message }]
  return metNothing ? [{ check: id, kind: 'NOTHING THERE', message }] : []
}
