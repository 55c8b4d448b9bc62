// SPDX-License-Identifier: Apache-2.0
import type { InputRequired } from '../catalog/outcome.ts'
import { BEAM_ERR_CONTRACT } from '../errors.ts'
import { findRequestFault } from '../input/request-fault.ts'
import type { InputRequest } from '../input/requests.ts'
import { findMissingCapabilities } from '../input/required-capabilities.ts'
import { parseJson } from '../json/parse-json.ts'
import { MAX_STATE_LENGTH, type StateBinding } from '../state/state-sealer.ts'
import { encodeJson } from './encode-json.ts'
import type { Call, Reply } from './revision.ts'
import { letGo } from './settle.ts'
import { missingClientCapability } from './wire-errors.ts'

/**
 * Writes what a host asks the client for. Asking for what the client has not declared is an error
 * that names it.
 *
 * @throws BEAM_ERR_CONTRACT for requests or a state off their contract
 * @see MCP 2026-07-28, Multi Round-Trip Requests: MRTR-01 to MRTR-05, MRTR-17
 */
export function encodeInputRequired(call: Call, { requests, state }: InputRequired): Reply {
  const { json, asked } = writeRequests(requests)
  if (asked.length === 0 && state === undefined) breaksContract('asks for nothing and has no state')
  const missing = findMissingCapabilities(asked, call.context.clientCapabilities)
  if (missing !== undefined) return { error: missingClientCapability(missing) }
  const members = [
    ...(asked.length > 0 ? [`"inputRequests":${json}`] : []),
    ...(state === undefined ? [] : [`"requestState":${JSON.stringify(seal(call, state))}`]),
  ]
  return { members: members.join(','), resultType: 'input_required' }
}

/** What is judged is what is sent: the requests as JSON has them. */
function writeRequests(requests: InputRequired['requests']): {
  readonly json: string
  readonly asked: readonly InputRequest[]
} {
  const encoding = encodeJson(requests)
  if (!encoding.ok) return breaksContract(`asks with ${encoding.why}`)
  const written = Object.entries(parseJson(encoding.json) as Record<string, InputRequest>)
  for (const [key, request] of written) {
    const fault = findRequestFault(request)
    if (fault !== undefined) breaksContract(`asks under '${key}' with a request ${fault}`)
  }
  return { json: encoding.json, asked: written.map(([, request]) => request) }
}

/** What a sealed state belongs to: the caller, the endpoint and what was asked of it. */
export function bindingOf({ context, endpoint, service, boundParams }: Call): StateBinding {
  return {
    endpoint: endpoint?.() ?? service.serverName,
    principal: context.principal,
    method: context.method,
    params: boundParams,
  }
}

function seal(call: Call, state: unknown): string {
  const { stateSealer } = call.service
  if (stateSealer === undefined) return breaksContract('has a state, which needs stateSealer')
  const encoding = encodeJson(state)
  if (!encoding.ok) return breaksContract(`has a state with ${encoding.why}`)
  const token: unknown = stateSealer.seal(state, bindingOf(call))
  if (typeof token === 'string' && token.length <= MAX_STATE_LENGTH) return token
  letGo(token)
  return breaksContract(`has a state that is not sealed to at most ${MAX_STATE_LENGTH} characters`)
}

function breaksContract(what: string): never {
  throw new BEAM_ERR_CONTRACT('inputRequired', what)
}
