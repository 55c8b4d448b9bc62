// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject, ownMember } from '../protocol/plain.ts'
import { findAnswerFault } from './form-schema.ts'
import type { ElicitFormRequest, InputRequest } from './requests.ts'

/** An answer, none, or what is wrong with it. */
export type ResponseReading =
  | { readonly ok: true; readonly response: JsonObject | undefined }
  | { readonly ok: false; readonly why: string }

const ABSENT: ResponseReading = { ok: true, response: undefined }

/**
 * Reads the answer that a retry brings under a key. Other keys are not looked at.
 *
 * @param request  what the answer is an answer to
 * @see MCP 2026-07-28, Multi Round-Trip Requests: MRTR-07, MRTR-12 to MRTR-15
 */
export function readResponse(
  params: JsonObject,
  key: string,
  request: InputRequest,
): ResponseReading {
  const responses = ownMember(params, 'inputResponses')
  if (responses === undefined) return ABSENT
  if (!isJsonObject(responses)) return malformed('inputResponses must be an object')
  const response = ownMember(responses, key)
  if (response === undefined) return ABSENT
  if (!isJsonObject(response)) return malformed(`inputResponses.${key} must be an object`)
  const fault = findFault(request, response)
  return fault === undefined ? { ok: true, response } : malformed(`inputResponses.${key}: ${fault}`)
}

function malformed(why: string): ResponseReading {
  return { ok: false, why }
}

function findFault(request: InputRequest, response: JsonObject): string | undefined {
  switch (request.method) {
    case 'elicitation/create':
      return findElicitFault(request, response)
    case 'sampling/createMessage':
      return findSamplingFault(response)
    default:
      return findRootsFault(response)
  }
}

function findElicitFault(
  { params }: Extract<InputRequest, { method: 'elicitation/create' }>,
  { action, content }: JsonObject,
): string | undefined {
  if (action === 'decline' || action === 'cancel') return undefined
  if (action !== 'accept') return 'action must be accept, decline or cancel'
  if (params.mode === 'url') return undefined
  const { requestedSchema } = params as ElicitFormRequest['params']
  return findAnswerFault(requestedSchema, content)
}

function findSamplingFault({ role, content, model }: JsonObject): string | undefined {
  if (role !== 'user' && role !== 'assistant') return 'role must be user or assistant'
  if (!isJsonObject(content) && !Array.isArray(content)) return 'content must be a block or a list'
  return typeof model === 'string' ? undefined : 'model must be a string'
}

function findRootsFault({ roots }: JsonObject): string | undefined {
  const isList =
    Array.isArray(roots) &&
    roots.every((root: unknown) => isJsonObject(root) && typeof root['uri'] === 'string')
  return isList ? undefined : 'roots must be a list of objects with a uri'
}
