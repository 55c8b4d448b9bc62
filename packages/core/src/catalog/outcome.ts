// SPDX-License-Identifier: Apache-2.0

import type { InputRequest } from '../input/requests.ts'
import type { JsonObject } from '../protocol/plain.ts'
import type { ContentBlock } from './content.ts'

/**
 * Envelopes that only code can make. The brand is a symbol from the global registry, so that it
 * holds across two copies of this package and no JSON text can forge it.
 */
const BRAND = Symbol.for('@beam-mcp/core.outcome')

type Branded<Kind extends string> = { readonly [BRAND]: Kind }

/** A whole result of a tool. */
export interface ToolResult extends Branded<'tool-result'> {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  readonly isError: boolean
  readonly _meta?: JsonObject
}

/** "There is no such resource", said by a reader. */
export interface NotFound extends Branded<'not-found'> {
  readonly reason: string | undefined
}

/** "This needs something that the client has not declared." */
export interface MissingCapability extends Branded<'missing-capability'> {
  readonly requiredCapabilities: JsonObject
}

/** "Ask the client for this, and call again." */
export interface InputRequired extends Branded<'input-required'> {
  readonly requests: Readonly<Record<string, InputRequest>>
  readonly state: unknown
}

/** A result whose kind an extension owns. */
export interface ExtensionResult extends Branded<'extension-result'> {
  readonly extension: string
  readonly resultType: string
  readonly members: JsonObject
}

/** "This prompt can't be rendered", said by a prompt's reader. */
export interface PromptError extends Branded<'prompt-error'> {
  readonly reason: string
}

/**
 * A result with content blocks of your own.
 *
 * @param parts.content  blocks in order; may be empty
 * @param parts.structuredContent  any JSON value; absent leaves it out
 * @param parts.isError  true for a failure that the caller should see. Default false
 * @see MCP 2026-07-28, Tools, Tool Result: TOOL-16 to TOOL-20
 */
export function toolResult(parts: {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: JsonObject
}): ToolResult {
  return { isError: false, ...parts, [BRAND]: 'tool-result' }
}

/**
 * An expected failure: its text reaches the caller, often a model, with `isError: true`. A thrown
 * error never does.
 *
 * @see MCP 2026-07-28, Tools, Error Handling: TOOL-15
 */
export function toolError(text: string): ToolResult {
  return toolResult({ content: [{ type: 'text', text }], isError: true })
}

/**
 * What `readResource` answers when there is nothing at the uri.
 *
 * @param reason  reaches the caller under `data.reason`
 * @see MCP 2026-07-28, Resources, Error Handling: RES-06
 */
export function notFound(reason?: string): NotFound {
  return { reason, [BRAND]: 'not-found' }
}

/**
 * What `getPrompt` answers when the prompt can't be rendered from these arguments.
 *
 * @param reason  reaches the caller under `data.reason`
 * @see MCP 2026-07-28, Prompts, Error Handling: PROM-05
 */
export function promptError(reason: string): PromptError {
  return { reason, [BRAND]: 'prompt-error' }
}

/**
 * What a handler, a reader or a renderer answers, or throws, when it can't do without something that
 * the client has not declared for this request in `context.clientCapabilities`. Better to do without
 * where that is possible.
 *
 * @param requiredCapabilities  client capabilities as an object: `{ sampling: {} }`
 * @see MCP 2026-07-28, Error Codes: ERR-07, A-28
 */
export function missingCapability(requiredCapabilities: JsonObject): MissingCapability {
  return { requiredCapabilities, [BRAND]: 'missing-capability' }
}

/** Says whether a value was made by {@link missingCapability}. */
export function isMissingCapability(value: unknown): value is MissingCapability {
  return brandOf(value) === 'missing-capability'
}

/**
 * What a tool's handler, a reader or a renderer answers to be called again with what the client is
 * asked for. It ends the request; the retry is a new one, with the answers in `context.input`.
 *
 * @param parts.requests  what is asked for, by keys of your choice
 * @param parts.state  any JSON value, handed back in `context.state`; needs the option `stateSealer`
 * @see MCP 2026-07-28, Multi Round-Trip Requests: MRTR-01 to MRTR-05
 */
export function inputRequired(parts: {
  readonly requests?: Readonly<Record<string, InputRequest>>
  readonly state?: unknown
}): InputRequired {
  return { requests: { ...parts.requests }, state: parts.state, [BRAND]: 'input-required' }
}

/** Says whether a value was made by {@link inputRequired}. */
export function isInputRequired(value: unknown): value is InputRequired {
  return brandOf(value) === 'input-required'
}

/**
 * A result of a tool whose `resultType` an extension owns. The server has to declare the extension
 * with the option `extensions`, and the client for this request; otherwise the call is an error.
 *
 * @param extension  its id: `com.example/jobs`
 * @param resultType  neither `complete` nor `input_required`, and not empty
 * @param members  the other members of the result, plain JSON
 * @see MCP 2026-07-28, Extensions: EXT-02, EXT-03, ENV-06
 */
export function extensionResult(
  extension: string,
  resultType: string,
  members: JsonObject,
): ExtensionResult {
  return { extension, resultType, members, [BRAND]: 'extension-result' }
}

/** Says whether a value was made by {@link extensionResult}. */
export function isExtensionResult(value: unknown): value is ExtensionResult {
  return brandOf(value) === 'extension-result'
}

function brandOf(value: unknown): unknown {
  try {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, BRAND)
      ? (value as { [BRAND]?: unknown })[BRAND]
      : undefined
  } catch {
    // A revoked proxy: nothing may be asked of it.
    return undefined
  }
}

/** Says whether a value was made by {@link toolResult} or {@link toolError}. */
export function isToolResult(value: unknown): value is ToolResult {
  return brandOf(value) === 'tool-result'
}

/** Says whether a value was made by {@link notFound}. */
export function isNotFound(value: unknown): value is NotFound {
  return brandOf(value) === 'not-found'
}

/** Says whether a value was made by {@link promptError}. */
export function isPromptError(value: unknown): value is PromptError {
  return brandOf(value) === 'prompt-error'
}
