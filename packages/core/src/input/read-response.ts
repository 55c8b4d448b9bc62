// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject, ownMember } from '../protocol/plain.ts'
import { fitsField } from './form-field.ts'
import type { FormSchema } from './form-schema.ts'
import type { ElicitFormRequest, InputRequest } from './requests.ts'
import { isRole, readBlocks } from './sampling-fault.ts'

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
  const at = `inputResponses.${key}`
  if (!isJsonObject(response)) return malformed(`${at} must be an object`)
  const reading = readFor(request, response)
  return reading.ok ? reading : malformed(`${at}: ${reading.why}`)
}

function malformed(why: string): ResponseReading {
  return { ok: false, why }
}

function readFor(request: InputRequest, response: JsonObject): ResponseReading {
  switch (request.method) {
    case 'elicitation/create':
      return readElicited(request, response)
    case 'sampling/createMessage':
      return judged(response, findSampledFault(response))
    default:
      return judged(response, findRootsFault(response))
  }
}

function judged(response: JsonObject, why: string | undefined): ResponseReading {
  return why === undefined ? { ok: true, response } : malformed(why)
}

/** Only what was asked for is handed over, and no data with an answer that has none. @see ELI-08 */
function readElicited(
  { params }: Extract<InputRequest, { method: 'elicitation/create' }>,
  { action, content = {} }: JsonObject,
): ResponseReading {
  if (action === 'decline' || action === 'cancel') return { ok: true, response: { action } }
  if (action !== 'accept') return malformed('action must be accept, decline or cancel')
  if (params.mode === 'url') return { ok: true, response: { action } }
  const { requestedSchema } = params as ElicitFormRequest['params']
  const fault = findAnswerFault(requestedSchema, content)
  if (fault !== undefined) return malformed(fault)
  return { ok: true, response: { action, content: pickFields(requestedSchema, content) } }
}

function pickFields({ properties }: FormSchema, content: unknown): JsonObject {
  const asked = Object.entries(content as JsonObject).filter(([name]) =>
    Object.hasOwn(properties, name),
  )
  return Object.fromEntries(asked)
}

/**
 * Finds what is wrong with the answers to a form that is sound.
 *
 * @returns a phrase with the field's name and never its value, or undefined
 * @see ELI-09, A-14
 */
function findAnswerFault(
  { properties, required = [] }: FormSchema,
  content: unknown,
): string | undefined {
  if (!isJsonObject(content)) return 'content must be an object'
  const missing = required.find((name) => !Object.hasOwn(content, name))
  if (missing !== undefined) return `${missing} is missing`
  for (const [name, field] of Object.entries(properties)) {
    if (!Object.hasOwn(content, name)) continue
    if (!fitsField(field as JsonObject, content[name])) return `${name} does not fit its field`
  }
  return undefined
}

function findSampledFault({ role, content, model, stopReason }: JsonObject): string | undefined {
  if (!isRole(role)) return 'role must be user or assistant'
  if (readBlocks(content) === undefined) return 'content must be a block or a list of blocks'
  if (typeof model !== 'string') return 'model must be a string'
  return isTextOrNone(stopReason) ? undefined : 'stopReason must be a string'
}

function findRootsFault({ roots }: JsonObject): string | undefined {
  return Array.isArray(roots) && roots.every(isRoot)
    ? undefined
    : 'roots must be a list of objects with a uri'
}

function isRoot(root: unknown): boolean {
  return isJsonObject(root) && typeof root['uri'] === 'string' && isTextOrNone(root['name'])
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}
