// SPDX-License-Identifier: Apache-2.0
import type { InputRequired } from '../catalog/outcome.ts'
import { BEAM_ERR_CONTRACT } from '../errors.ts'
import type { InputRequest } from '../input/requests.ts'
import { findMissingCapabilities } from '../input/required-capabilities.ts'
import type { StateBinding } from '../state/state-sealer.ts'
import { encodeJson } from './encode-json.ts'
import { isJsonObject } from './plain.ts'
import type { Call, Reply } from './revision.ts'
import { missingClientCapability } from './wire-errors.ts'

const METHODS = new Set<unknown>(['elicitation/create', 'sampling/createMessage', 'roots/list'])

/**
 * Writes what a host asks the client for. Asking for what the client has not declared is an error
 * that names it.
 *
 * @throws BEAM_ERR_CONTRACT for requests or a state off their contract
 * @see MCP 2026-07-28, Multi Round-Trip Requests: MRTR-01 to MRTR-05, MRTR-17
 */
export function encodeInputRequired(call: Call, { requests, state }: InputRequired): Reply {
  const asked = Object.entries(requests)
  if (asked.length === 0 && state === undefined) breaksContract('asks for nothing and has no state')
  for (const [key, request] of asked as [string, unknown][]) {
    if (!isJsonObject(request) || !METHODS.has(request['method'])) {
      breaksContract(`asks under '${key}' for what no client can be asked for`)
    }
  }
  const missing = findMissingCapabilities(
    asked.map(([, request]) => request),
    call.context.clientCapabilities,
  )
  if (missing !== undefined) return { error: missingClientCapability(missing) }
  const members = [
    ...(asked.length > 0 ? [`"inputRequests":${encodeRequests(requests)}`] : []),
    ...(state === undefined ? [] : [`"requestState":${JSON.stringify(seal(call, state))}`]),
  ]
  return { members: members.join(','), resultType: 'input_required' }
}

/** What a sealed state belongs to: the caller, the endpoint and what was asked of it. */
export function bindingOf({ context, endpoint, service, params }: Call): StateBinding {
  return {
    endpoint: endpoint?.() ?? service.serverName,
    principal: context.principal,
    method: context.method,
    params,
  }
}

function encodeRequests(requests: Readonly<Record<string, InputRequest>>): string {
  const encoding = encodeJson(requests)
  return encoding.ok ? encoding.json : breaksContract(`asks with ${encoding.why}`)
}

function seal(call: Call, state: unknown): string {
  const { stateSealer } = call.service
  if (stateSealer === undefined) return breaksContract('has a state, which needs stateSealer')
  const encoding = encodeJson(state)
  if (!encoding.ok) return breaksContract(`has a state with ${encoding.why}`)
  return stateSealer.seal(state, bindingOf(call))
}

function breaksContract(what: string): never {
  throw new BEAM_ERR_CONTRACT('inputRequired', what)
}
