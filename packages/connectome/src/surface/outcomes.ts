// SPDX-License-Identifier: Apache-2.0
import { ConnectomeError, type Reason } from '../error.ts'

/**
 * The mark by which `@beam-mcp/core` knows the envelopes that only code can make. It is in the global
 * registry so that it holds without an import: this package does not load that one.
 */
const BRAND = Symbol.for('@beam-mcp/core.outcome')

/** "There is no such resource", said by a reader. */
export interface NotFoundOutcome {
  readonly [BRAND]: 'not-found'
  /** The refusal as JSON text; the caller finds it under `data.reason`. */
  readonly reason: string
  /** Never there: it fits the reader's contract, whose own mark only that package can name. */
  readonly text?: never
}

/** A failure that the caller is told of, said by a handler. */
export interface ToolErrorOutcome {
  readonly [BRAND]: 'tool-result'
  readonly content: readonly [{ readonly type: 'text'; readonly text: string }]
  readonly structuredContent: { readonly error: unknown }
  readonly isError: true
}

/** What is answered, or a refusal of this package as "not found". What else is thrown goes on. */
export function orNotFound<Answer>(run: () => Answer): Answer | NotFoundOutcome {
  return orRefusal(run, (text) => ({ [BRAND]: 'not-found', reason: text }))
}

/** What is answered, or a refusal of this package as a result. What else is thrown goes on. */
export function orToolError<Answer>(run: () => Answer): Answer | ToolErrorOutcome {
  return orRefusal(run, (text) => ({
    [BRAND]: 'tool-result',
    content: [{ type: 'text', text }],
    structuredContent: { error: JSON.parse(text) as unknown },
    isError: true,
  }))
}

function orRefusal<Answer, Refusal>(
  run: () => Answer,
  refuse: (reason: string) => Refusal,
): Answer | Refusal {
  try {
    return run()
  } catch (thrown) {
    if (thrown instanceof ConnectomeError) return refuse(reasonText(thrown.reason))
    throw thrown
  }
}

/** A reason may hold what a host gave, which may have no JSON: then it is named, not shown. */
function reasonText(reason: Reason): string {
  try {
    return JSON.stringify(reason)
  } catch {
    return JSON.stringify(reason.map((part) => (typeof part === 'string' ? part : typeof part)))
  }
}
