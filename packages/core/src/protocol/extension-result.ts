// SPDX-License-Identifier: Apache-2.0
import type { ExtensionResult } from '../catalog/outcome.ts'
import { BEAM_ERR_CONTRACT } from '../errors.ts'
import { parseJson } from '../json/parse-json.ts'
import { encodeJson } from './encode-json.ts'
import { isJsonObject, ownMember } from './plain.ts'
import type { Call, Reply } from './revision.ts'
import { missingClientCapability } from './wire-errors.ts'

const NOT_OWNED = new Set(['complete', 'input_required', ''])
const OWN_MEMBERS = ['resultType', '_meta']

/**
 * Writes a result that an extension owns, for a client that declared it.
 *
 * @param tell  tells a client of the older era, where there are no extensions, in words
 * @throws BEAM_ERR_CONTRACT for an extension that the server does not declare, or a result that is none
 * @see MCP 2026-07-28, Extensions: EXT-02, EXT-03, ENV-06
 */
export function encodeExtensionResult(
  { service, context, revision }: Call,
  { extension, resultType, members }: ExtensionResult,
  tell: (text: string) => Reply,
): Reply {
  if (!service.extensions.has(extension)) breaksContract('names an extension that is not declared')
  if (typeof resultType !== 'string' || NOT_OWNED.has(resultType)) {
    breaksContract('has a resultType that no extension can own')
  }
  const json = encodeMembers(members)
  if (revision.era === 'legacy') return tell(`This needs a client with the extension ${extension}`)
  if (!isJsonObject(ownMember(context.clientExtensions, extension))) {
    return { error: missingClientCapability({ extensions: { [extension]: {} } }) }
  }
  return { members: json.slice(1, -1), resultType }
}

/** Judged by their text, which is what a member `toJSON` says and not what the object shows. */
function encodeMembers(members: unknown): string {
  const encoding = encodeJson(members)
  if (!encoding.ok) return breaksContract(`has ${encoding.why}`)
  const written = parseJson(encoding.json)
  if (!isJsonObject(written) || OWN_MEMBERS.some((name) => Object.hasOwn(written, name))) {
    return breaksContract('has members that are no object, or resultType or _meta among them')
  }
  return encoding.json
}

function breaksContract(what: string): never {
  throw new BEAM_ERR_CONTRACT('extensionResult', what)
}
