// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'

/**
 * Finds what is wrong with the params of a sampling request.
 *
 * @returns a phrase that follows "a request", or undefined
 * @see MCP 2026-07-28, Sampling: SAM-02, SAM-03
 */
export function findSamplingFault({ messages, maxTokens }: JsonObject): string | undefined {
  if (!Array.isArray(messages)) return 'without a list of messages'
  if (!Number.isSafeInteger(maxTokens) || Number(maxTokens) < 1) {
    return 'whose maxTokens is no whole number from 1'
  }
  let unanswered: ReadonlySet<unknown> = NONE
  for (const message of messages as readonly unknown[]) {
    const blocks = isJsonObject(message) ? readBlocks(message['content']) : undefined
    if (!isJsonObject(message) || !isRole(message['role']) || blocks === undefined) {
      return 'with a message that has no role, or no content of blocks'
    }
    const answered = blocks.filter(({ type }) => type === 'tool_result')
    const stands =
      answered.length === 0 || (message['role'] === 'user' && answered.length === blocks.length)
    if (!stands)
      return 'with a message that has tool_result beside other blocks, or is no user message'
    if (!isSame(unanswered, new Set(answered.map(({ toolUseId }) => toolUseId)))) {
      return 'with tool_use and tool_result that do not answer each other'
    }
    unanswered = new Set(blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id))
  }
  return undefined
}

const NONE: ReadonlySet<unknown> = new Set()

/** The blocks of one block or a list of them; undefined for what is neither. */
export function readBlocks(content: unknown): readonly JsonObject[] | undefined {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  return blocks.every(isBlock) ? blocks : undefined
}

/** Says whether a value is one of the two roles of a conversation. */
export function isRole(value: unknown): boolean {
  return value === 'user' || value === 'assistant'
}

function isBlock(value: unknown): value is JsonObject {
  return isJsonObject(value) && typeof value['type'] === 'string'
}

function isSame(used: ReadonlySet<unknown>, answered: ReadonlySet<unknown>): boolean {
  return used.size === answered.size && [...used].every((id) => answered.has(id))
}
