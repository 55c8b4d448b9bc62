// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'

/** The revisions that the suite has a requirement set for, newest first. */
export const REVISIONS = ['2026-07-28', '2025-11-25'] as const

export type Revision = (typeof REVISIONS)[number]

/** A scenario that is run and does not count, and the suite's word for why. */
export interface Unscored {
  readonly scenario: string
  readonly reason: string
}

/** What the suite asks of servers of a revision, in its order. */
export interface Requirements {
  readonly scored: readonly string[]
  readonly unscored: readonly Unscored[]
}

const require = createRequire(import.meta.url)
const MANIFEST = require.resolve('@modelcontextprotocol/conformance/package.json')

/** The suite's own version, and the script that it is started by. */
export const SUITE = {
  version: (require(MANIFEST) as { readonly version: string }).version,
  script: join(dirname(MANIFEST), 'dist', 'index.js'),
} as const

/** Reads the suite's own list for a revision. */
export function readRequirements(revision: Revision): Requirements {
  const path = join(dirname(MANIFEST), 'requirements', `${revision}.yaml`)
  const set = parse(readFileSync(path, 'utf8')) as {
    readonly server: readonly string[]
    readonly not_scored: readonly (Unscored & { readonly leg: string })[]
  }
  return { scored: set.server, unscored: set.not_scored.filter(({ leg }) => leg === 'server') }
}
