// SPDX-License-Identifier: Apache-2.0
import type { CallContext } from './context.ts'

/** What a completer is told of the call. */
export interface CompletionContext<Principal = unknown> extends CallContext<Principal> {
  /** The prompt's name, or the listed template that was named or that the named uri fits. */
  readonly matched: string
  /** The values that were already chosen for other arguments, by name; `{}` if none were sent. */
  readonly arguments: Readonly<Record<string, string>>
}

/** What is to be completed: an argument of a prompt, or a variable of a resource template. */
export interface CompletionRequest {
  readonly ref: PromptRef | ResourceRef
  readonly argument: {
    readonly name: string
    /** What was typed so far; may be empty. */
    readonly value: string
  }
  /** The same as {@link CompletionContext.arguments}. */
  readonly arguments: Readonly<Record<string, string>>
}

/** Names a prompt. */
export interface PromptRef {
  readonly type: 'ref/prompt'
  readonly name: string
}

/** Names a resource template, by itself or by a uri that fits it. */
export interface ResourceRef {
  readonly type: 'ref/resource'
  readonly uri: string
}

/**
 * What a completer answers: values, the best first. More than 100 are cut, and the client is told
 * that there are more. `total` is a whole number, at least the count of the values.
 */
export type CompletionAnswer =
  | readonly string[]
  | {
      readonly values: readonly string[]
      readonly total?: number
      readonly hasMore?: boolean
    }

/**
 * Completes one argument. A throw, a rejection or another answer is a host fault.
 *
 * @param value  what was typed so far; any text, of any length that a request may have
 */
export type Completer<Principal = unknown> = {
  // A method signature keeps a completer for a narrower principal assignable.
  bivariance(
    value: string,
    context: CompletionContext<Principal>,
  ): CompletionAnswer | Promise<CompletionAnswer>
}['bivariance']
