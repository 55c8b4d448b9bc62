// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject, ownMember } from '../protocol/plain.ts'
import type { InputRequest, SamplingParams } from './requests.ts'

/**
 * Finds what the client would have to declare to be asked all of this, and has not.
 *
 * @param requests  sound ones
 * @returns client capabilities as an object, or undefined where nothing is missing
 * @see MCP 2026-07-28, Multi Round-Trip Requests: MRTR-05, ERR-07, ELI-01, SAM-01, A-29
 */
export function findMissingCapabilities(
  requests: readonly InputRequest[],
  declared: JsonObject,
): JsonObject | undefined {
  const needed = new Map<string, Set<string>>()
  for (const [name, ...members] of requests.map(neededBy)) {
    needed.set(name, new Set([...(needed.get(name) ?? []), ...members]))
  }
  const missing = [...needed]
    .filter(([name, members]) => !isDeclared(declared, name, members))
    .map(([name, members]) => [name, shapeOf(declared, name, members)] as const)
  return missing.length === 0 ? undefined : Object.fromEntries(missing)
}

/** A capability, and the members of it that are needed. */
type Need = readonly [name: string, ...members: string[]]

function neededBy(request: InputRequest): Need {
  switch (request.method) {
    case 'elicitation/create':
      return ['elicitation', request.params.mode ?? 'form']
    case 'sampling/createMessage':
      return ['sampling', ...samplingNeeds(request.params)]
    default:
      return ['roots']
  }
}

function samplingNeeds({ tools, toolChoice, includeContext }: SamplingParams): readonly string[] {
  return [
    ...(tools !== undefined || toolChoice !== undefined ? ['tools'] : []),
    ...(includeContext !== undefined && includeContext !== 'none' ? ['context'] : []),
  ]
}

function isDeclared(declared: JsonObject, name: string, members: ReadonlySet<string>): boolean {
  const capability = ownMember(declared, name)
  if (!isJsonObject(capability)) return false
  // An empty `elicitation` means forms; one that names modes means those alone.
  const isImplied = name === 'elicitation' && Object.keys(capability).length === 0
  return [...members].every(
    (member) => isJsonObject(ownMember(capability, member)) || (isImplied && member === 'form'),
  )
}

/**
 * What has to be declared. Forms alone are an empty `elicitation`, unless the client names its modes:
 * a client that adds `url` to an empty one no longer takes forms.
 */
function shapeOf(declared: JsonObject, name: string, members: ReadonlySet<string>): JsonObject {
  const isFormAlone = name === 'elicitation' && members.size === 1 && members.has('form')
  const isEmpty = isFormAlone && !isJsonObject(ownMember(declared, name))
  return isEmpty ? {} : Object.fromEntries([...members].map((member) => [member, {}]))
}
