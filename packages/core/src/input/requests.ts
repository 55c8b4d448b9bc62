// SPDX-License-Identifier: Apache-2.0
import type { ContentBlock } from '../catalog/content.ts'
import { BEAM_ERR_CONTRACT } from '../errors.ts'
import type { JsonObject } from '../protocol/plain.ts'
import type { FormContentOf } from './form-content.ts'
import type { FormSchema, FormValue } from './form-schema.ts'
import { findRequestFault } from './request-fault.ts'

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
    ? ElicitFormResponse<FormContentOf<Schema>>
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
  return checked('elicitForm', {
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema },
  })
}

/**
 * A page to open. Put nothing secret or personal into the url, and see on that page that whoever
 * opens it is whoever started the request (ELI-06, ELI-07).
 *
 * @throws BEAM_ERR_CONTRACT for a url that is not http or https, or that has a name or password in it
 */
export function elicitUrl(message: string, url: string): ElicitUrlRequest {
  return checked('elicitUrl', {
    method: 'elicitation/create',
    params: { mode: 'url', message, url },
  })
}

/**
 * A question to the client's model. Deprecated in 2026-07-28, as sampling is (SAM-01).
 *
 * @throws BEAM_ERR_CONTRACT for params without messages or maxTokens, and for results of tools that do
 * not answer the uses right before them
 */
export function sample(params: SamplingParams): SamplingRequest {
  return checked('sample', { method: 'sampling/createMessage', params })
}

/** A request for the client's folders. Deprecated in 2026-07-28, as roots are (ROOT-01). */
export function listRoots(): ListRootsRequest {
  return { method: 'roots/list' }
}

function checked<Request extends InputRequest>(helper: string, request: Request): Request {
  const fault = findRequestFault(request)
  if (fault !== undefined) throw new BEAM_ERR_CONTRACT(helper, `was given a request ${fault}`)
  return request
}
