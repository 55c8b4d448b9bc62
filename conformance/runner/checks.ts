// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const STATUSES = ['SUCCESS', 'FAILURE', 'WARNING', 'SKIPPED', 'INFO'] as const

/** One check that the suite made, of what its file says of it. */
export interface Check {
  /** Unique among a scenario's kinds of check; the same check may be made several times. */
  readonly id: string
  readonly status: (typeof STATUSES)[number]
  /** What the suite says of a failure or a warning, on one line; may be empty. */
  readonly message: string
  /** Whether it called a tool or a prompt that the harness does not have. */
  readonly metNothing: boolean
}

/** How the harness answers a call of what it does not have. */
const NOTHING_THERE = /\bunknown (?:tool|prompt)\b/i

/**
 * Reads the text of a `checks.json`.
 *
 * @throws Error naming the member that is off its shape
 */
export function parseChecks(text: string): readonly Check[] {
  const list: unknown = JSON.parse(text)
  if (!Array.isArray(list)) throw new Error('checks.json is no list')
  return list.map(readCheck)
}

function readCheck(given: unknown, index: number): Check {
  const { id, status, errorMessage, details } = (given ?? {}) as Readonly<Record<string, unknown>>
  const known = STATUSES.find((name) => name === status)
  if (typeof id !== 'string' || known === undefined) {
    throw new Error(`check ${index} has no id, or the status ${JSON.stringify(status)}`)
  }
  const message = typeof errorMessage === 'string' ? errorMessage : messageIn(details)
  return {
    id,
    status: known,
    message: message.replace(/\s+/g, ' ').trim(),
    metNothing: NOTHING_THERE.test(`${message} ${JSON.stringify(details ?? '')}`),
  }
}

function messageIn(details: unknown): string {
  const message = (details as { readonly message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : ''
}

const TIME = String.raw`\d{4}-\d{2}-\d{2}T[\d-]+Z`

/**
 * Reads what one run of the suite left in a folder.
 *
 * @returns the checks by scenario; a scenario of which nothing was left is not in it
 */
export function readChecks(folder: string): ReadonlyMap<string, readonly Check[]> {
  const name = new RegExp(`^server-(.+)-${TIME}$`)
  const found = new Map<string, readonly Check[]>()
  for (const entry of readdirSync(folder)) {
    const [, scenario] = name.exec(entry) ?? []
    if (scenario === undefined) continue
    if (found.has(scenario)) throw new Error(`${folder} has two runs of ${scenario}`)
    found.set(scenario, parseChecks(readFileSync(join(folder, entry, 'checks.json'), 'utf8')))
  }
  return found
}
