// SPDX-License-Identifier: Apache-2.0
import type { ContentBlock } from '../catalog/content.ts'
import type { ArgumentsOf } from '../catalog/define.ts'
import { BEAM_ERR_CONTRACT } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'
import { type FormSchema, type FormValue, findFormFault } from './form-schema.ts'

/** Asks the user to fill in a form. @see MCP 2026-07-28, Elicitation: ELI-02 */
export interface ElicitFormRequest<Schema extends FormSchema = FormSchema> {
  readonly method: 'elicitation/create'
  readonly params: {
    readonly mode: 'form'
    readonly message: string
    readonly requestedSchema: Schema
  }
}

/** Asks the user to open a page. @see MCP 2026-07-28, Elicitation: ELI-05 to ELI-07 */
export interface ElicitUrlRequest {
  readonly method: 'elicitation/create'
  readonly params: { readonly mode: 'url'; readonly message: string; readonly url: string }
}

/** One message of a conversation to sample from. */
export interface SamplingMessage {
  readonly role: 'user' | 'assistant'
  readonly content: ContentBlock | JsonObject | readonly (ContentBlock | JsonObject)[]
}

/** What {@link sample} takes. @see SAM-02 */
export interface SamplingParams {
  readonly messages: readonly SamplingMessage[]
  /** A whole number from 1. */
  readonly maxTokens: number
  readonly systemPrompt?: string
  readonly modelPreferences?: JsonObject
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  readonly metadata?: JsonObject
  /** Needs `sampling.context` for anything but `none`. */
  readonly includeContext?: 'none' | 'thisServer' | 'allServers'
  /** Needs `sampling.tools`. */
  readonly tools?: readonly JsonObject[]
  readonly toolChoice?: { readonly mode?: 'auto' | 'required' | 'none' }
}

/** Asks the client's model; deprecated in 2026-07-28. @see SAM-01 */
export interface SamplingRequest {
  readonly method: 'sampling/createMessage'
  readonly params: SamplingParams
}

/** Asks which folders the client works in; deprecated in 2026-07-28. @see ROOT-01 */
export interface ListRootsRequest {
  readonly method: 'roots/list'
}

/** What a server may ask a client for. */
export type InputRequest = ElicitFormRequest | ElicitUrlRequest | SamplingRequest | ListRootsRequest

/** The answer to a form: data only where the user accepted. @see ELI-08 */
export type ElicitFormResponse<Content = Readonly<Record<string, FormValue>>> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel' }

/** The answer to a page: `accept` says that it was opened, not that anything was done there. */
export interface ElicitUrlResponse {
  readonly action: 'accept' | 'decline' | 'cancel'
}

/** What the client's model said. @see SAM-04 */
export interface SamplingResponse {
  readonly role: 'user' | 'assistant'
  readonly content: unknown
  readonly model: string
  readonly stopReason?: string
}

/** The client's folders. */
export interface ListRootsResponse {
  readonly roots: readonly { readonly uri: string; readonly name?: string }[]
}

/** The type of the answer to a request. */
export type InputResponseOf<Request extends InputRequest> =
  Request extends ElicitFormRequest<infer Schema>
    ? ElicitFormResponse<
        FormSchema extends Schema ? Readonly<Record<string, FormValue>> : ArgumentsOf<Schema>
      >
    : Request extends ElicitUrlRequest
      ? ElicitUrlResponse
      : Request extends SamplingRequest
        ? SamplingResponse
        : ListRootsResponse

/**
 * A form. Never ask for a password, a key or a card in one (ELI-04).
 *
 * @throws BEAM_ERR_CONTRACT for a schema that a client could not show
 */
export function elicitForm<const Schema extends FormSchema>(
  message: string,
  requestedSchema: Schema,
): ElicitFormRequest<Schema> {
  if (typeof message !== 'string') refuse('elicitForm', 'takes a message that is a string')
  const fault = findFormFault(requestedSchema)
  if (fault !== undefined) refuse('elicitForm', `was given a form ${fault}`)
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } }
}

/**
 * A page to open. Put nothing secret or personal into the url, and see on that page that whoever
 * opens it is whoever started the request (ELI-06, ELI-07).
 *
 * @throws BEAM_ERR_CONTRACT for a url that is none
 */
export function elicitUrl(message: string, url: string): ElicitUrlRequest {
  if (typeof message !== 'string') refuse('elicitUrl', 'takes a message that is a string')
  if (!URL.canParse(url)) refuse('elicitUrl', 'was given a url that is none')
  return { method: 'elicitation/create', params: { mode: 'url', message, url } }
}

/** @throws BEAM_ERR_CONTRACT for parameters that miss messages or maxTokens */
export function sample(params: SamplingParams): SamplingRequest {
  if (!isJsonObject(params) || !Array.isArray(params['messages'])) {
    return refuse('sample', 'takes a list of messages')
  }
  const { maxTokens } = params as unknown as SamplingParams
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 1) {
    refuse('sample', 'takes maxTokens, a whole number from 1')
  }
  return { method: 'sampling/createMessage', params: params as unknown as SamplingParams }
}

/** A request for the client's folders. */
export function listRoots(): ListRootsRequest {
  return { method: 'roots/list' }
}

function refuse(helper: string, what: string): never {
  throw new BEAM_ERR_CONTRACT(helper, what)
}
