// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject, ownMember } from '../protocol/plain.ts'
import type { InputRequest, SamplingParams } from './requests.ts'

/**
 * Finds what the client would have to declare to be asked all of this, and has not.
 *
 * @returns client capabilities as an object, or undefined where nothing is missing
 * @see MCP 2026-07-28, Multi Round-Trip Requests: MRTR-05, ERR-07, ELI-01, SAM-01, A-29
 */
export function findMissingCapabilities(
  requests: readonly InputRequest[],
  declared: JsonObject,
): JsonObject | undefined {
  const missing: Record<string, JsonObject> = {}
  for (const [name, mode] of requests.flatMap(neededBy)) {
    if (isDeclared(declared, name, mode)) continue
    missing[name] = { ...missing[name], ...(mode !== undefined && { [mode]: {} }) }
  }
  return Object.keys(missing).length === 0 ? undefined : missing
}

/** A capability, and the member of it that is needed. */
type Need = readonly [name: string, member: string | undefined]

function neededBy(request: InputRequest): readonly Need[] {
  switch (request.method) {
    case 'elicitation/create':
      return [['elicitation', request.params.mode === 'url' ? 'url' : undefined]]
    case 'sampling/createMessage':
      return samplingNeeds(request.params)
    default:
      return [['roots', undefined]]
  }
}

function samplingNeeds({ tools, toolChoice, includeContext }: SamplingParams): readonly Need[] {
  const needs: Need[] = [['sampling', undefined]]
  if (tools !== undefined || toolChoice !== undefined) needs.push(['sampling', 'tools'])
  if (includeContext !== undefined && includeContext !== 'none') needs.push(['sampling', 'context'])
  return needs
}

function isDeclared(declared: JsonObject, name: string, member: string | undefined): boolean {
  const capability = ownMember(declared, name)
  if (!isJsonObject(capability)) return false
  if (member !== undefined) return isJsonObject(ownMember(capability, member))
  // An empty `elicitation` means forms; one that names modes means those alone.
  return (
    name !== 'elicitation' ||
    Object.keys(capability).length === 0 ||
    isJsonObject(ownMember(capability, 'form'))
  )
}
