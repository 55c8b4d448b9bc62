// SPDX-License-Identifier: Apache-2.0

import { findContentFault } from '../../catalog/block-faults.ts'
import type { CompiledTool } from '../../catalog/compile-tool.ts'
import { findMetaFault } from '../../catalog/meta-keys.ts'
import { isToolResult, type ToolResult } from '../../catalog/outcome.ts'
import type { ToolForm } from '../../catalog/tool-form.ts'
import { BEAM_ERR_CONTRACT } from '../../errors.ts'
import { parseJson } from '../../json/parse-json.ts'
import type { CompiledSchema } from '../../schema/compile-schema.ts'
import { encodeJson } from '../encode-json.ts'
import { isJsonObject, isWrittenOtherwise, type JsonObject } from '../plain.ts'
import type { Result } from '../revision.ts'

/**
 * Writes what a handler answered: a string is text, any other plain JSON value is
 * `structuredContent` and its JSON text, and a `toolResult` is itself.
 *
 * @throws BEAM_ERR_CONTRACT for an answer that can't be encoded or that breaks the output schema
 * @see MCP 2026-07-28, Tools, Tool Result: TOOL-16 to TOOL-19
 */
export function encodeOutcome(tool: CompiledTool, outcome: unknown, form: ToolForm): Result {
  if (isToolResult(outcome)) return encodeToolResult(tool, outcome, form)
  if (typeof outcome === 'string') {
    if (tool.output !== undefined) {
      return breaksContract(
        tool,
        'answered text alone, but its outputSchema promises structured content',
      )
    }
    return {
      members: `"content":[{"type":"text","text":${JSON.stringify(outcome)}}],"isError":false`,
    }
  }
  const json = encodeValue(tool, outcome)
  checkOutput(tool, json)
  return {
    members: `"content":[{"type":"text","text":${JSON.stringify(json)}}],${structure(json, canHold(form, json, undefined))}"isError":false`,
  }
}

/** Structured content as a member, where it is shown. */
function structure(json: string | undefined, isShown: boolean): string {
  return json !== undefined && isShown ? `"structuredContent":${json},` : ''
}

/**
 * Whether a form can hold structured content. The official client of 2025-11-25 throws where a failed
 * result, too, has some that breaks the output schema.
 */
function canHold(form: ToolForm, json: string, output: CompiledSchema | undefined): boolean {
  if (form === 'full') return true
  return json.startsWith('{') && output?.validate(parseJson(json)) === undefined
}

/**
 * The blocks with a text for structured content that is not shown, unless one says it already.
 *
 * @see MCP 2025-11-25: L-TOOL-02
 */
function sayInText(content: readonly unknown[], json: string): readonly unknown[] {
  const isSaid = content.some((block) => isJsonObject(block) && means(block['text'], json))
  return isSaid ? content : [...content, { type: 'text', text: json }]
}

/** Whether a text is this JSON, however it is laid out. */
function means(text: unknown, json: string): boolean {
  try {
    return typeof text === 'string' && JSON.stringify(parseJson(text)) === json
  } catch {
    return false
  }
}

function encodeToolResult(tool: CompiledTool, result: ToolResult, form: ToolForm): Result {
  const { content, structuredContent, isError, _meta: meta } = result
  if (!Array.isArray(content) || isWrittenOtherwise(content))
    return breaksContract(tool, 'answered a toolResult whose content is no list')
  for (const block of content as readonly unknown[]) {
    const fault = findContentFault(block)
    if (fault !== undefined) return breaksContract(tool, `answered a block that ${fault}`)
  }
  const metaFault = findMetaFault(meta)
  if (metaFault !== undefined) {
    return breaksContract(tool, `answered a toolResult whose _meta ${metaFault}`)
  }
  const structured =
    structuredContent === undefined ? undefined : encodeValue(tool, structuredContent)
  if (isError !== true) checkOutput(tool, structured)
  const output = isError === true ? tool.output : undefined
  const isShown = structured === undefined || canHold(form, structured, output)
  const said = isShown ? content : sayInText(content, structured)
  return {
    members: `"content":${encodeValue(tool, said)},${structure(structured, isShown)}"isError":${isError === true}`,
    isError: isError === true,
    meta: meta === undefined ? undefined : plainMeta(tool, meta),
  }
}

/** The host's `_meta` as JSON has it, so that nothing is lost when the server's identity joins it. */
function plainMeta(tool: CompiledTool, meta: JsonObject): JsonObject {
  const plain: unknown = parseJson(encodeValue(tool, meta))
  return isJsonObject(plain)
    ? plain
    : breaksContract(tool, 'answered a toolResult whose _meta is no object in JSON')
}

/** A successful result of a tool with an output schema has structured content that fits it. */
function checkOutput(tool: CompiledTool, json: string | undefined): void {
  if (tool.output === undefined) return
  if (json === undefined) {
    return breaksContract(tool, 'answered no structured content, which its outputSchema promises')
  }
  const fault = tool.output.validate(parseJson(json))
  if (fault !== undefined) {
    return breaksContract(
      tool,
      `answered structured content that breaks its outputSchema: ${fault.message}`,
    )
  }
}

function encodeValue(tool: CompiledTool, value: unknown): string {
  const encoding = encodeJson(value)
  return encoding.ok ? encoding.json : breaksContract(tool, `answered ${encoding.why}`)
}

function breaksContract(tool: CompiledTool, what: string): never {
  throw new BEAM_ERR_CONTRACT(`The handler of tool '${tool.name}'`, what)
}
