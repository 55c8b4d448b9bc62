// SPDX-License-Identifier: Apache-2.0

import { findContentFault } from '../../catalog/block-faults.ts'
import type { Awaitable } from '../../catalog/catalog.ts'
import type { CompiledPrompt } from '../../catalog/compile-catalog.ts'
import { isPromptError } from '../../catalog/outcome.ts'
import { BEAM_ERR_CONTRACT } from '../../errors.ts'
import { askHost } from '../ask-host.ts'
import { cutText, kindOf } from '../echo.ts'
import { encodeJson } from '../encode-json.ts'
import { type Finish, observe } from '../observe.ts'
import { isJsonObject, type JsonObject, ownMember } from '../plain.ts'
import type { Call, Method, Reply, Result } from '../revision.ts'
import { isVisible } from '../visibility.ts'
import { invalidParams } from '../wire-errors.ts'
import { readArguments } from './tools-call.ts'

/**
 * `prompts/get`: the arguments are judged by what the prompt declares before the reader runs.
 *
 * @see MCP 2026-07-28, Prompts, Getting a Prompt: PROM-03 to PROM-07
 */
export const promptsGet: Method = {
  mirrors: 'name',
  mayAskClient: true,
  run: async (call) => {
    const name = ownMember(call.params, 'name')
    if (typeof name !== 'string')
      return { error: invalidParams('prompts/get requires a string name') }
    const shown = cutText(name)
    const prompt = await findPrompt(call, name)
    if (prompt === undefined) {
      return { error: invalidParams(`unknown prompt ${shown}`, 200, { name: shown }) }
    }
    call.called = { kind: 'prompt', name }
    const args = readArguments(call.params)
    if (args === undefined) {
      const given = kindOf(ownMember(call.params, 'arguments'))
      return { error: invalidParams(`arguments must be an object, got ${given}`) }
    }
    const fault = prompt.findArgumentFault(args)
    if (fault === undefined)
      return observe(call, 'prompt', name, (finish) => render(call, name, args, finish))
    const reason = `invalid arguments: ${fault}`
    return { error: invalidParams(reason, 200, { name: shown, reason }) }
  },
}

async function findPrompt(call: Call, name: string): Promise<CompiledPrompt | undefined> {
  const { promptsByName } = await call.service.access.current(call.context)
  const prompt = promptsByName.get(name)
  return prompt !== undefined && (await isVisible(call, prompt.entry)) ? prompt : undefined
}

function render(call: Call, name: string, args: JsonObject, finish: Finish): Awaitable<Reply> {
  const judged = args as Readonly<Record<string, string>>
  const shown = cutText(name)
  return askHost(call, {
    ask: () => call.service.catalog.getPrompt?.(name, judged, call.context),
    encode: (answer) => {
      if (!isPromptError(answer)) return encodePrompt(answer)
      const data = { name: shown, reason: answer.reason }
      return { error: invalidParams(`prompt ${shown} cannot be rendered`, 200, data) }
    },
    fault: 'A prompt could not be rendered',
    mayAskClient: true,
    named: { prompt: shown },
    finish,
  })
}

/** @throws BEAM_ERR_CONTRACT for an answer off its contract */
function encodePrompt(answer: unknown): Result {
  const messages = isJsonObject(answer) ? answer['messages'] : undefined
  if (!isJsonObject(answer) || !Array.isArray(messages)) {
    return breaksContract('answered something without a list of messages')
  }
  const { description } = answer
  if (description !== undefined && typeof description !== 'string') {
    return breaksContract('answered a description that is no string')
  }
  const encoding = encodeJson(messages.map(readMessage))
  if (!encoding.ok) return breaksContract(`answered ${encoding.why}`)
  const told = description === undefined ? '' : `,"description":${JSON.stringify(description)}`
  return { members: `"messages":${encoding.json}${told}` }
}

function readMessage(message: unknown): JsonObject {
  const role = isJsonObject(message) ? message['role'] : undefined
  if (!isJsonObject(message) || (role !== 'user' && role !== 'assistant')) {
    return breaksContract("answered a message whose role is neither 'user' nor 'assistant'")
  }
  const { content } = message
  const block = typeof content === 'string' ? { type: 'text', text: content } : content
  const fault = findContentFault(block)
  return fault === undefined
    ? { role, content: block }
    : breaksContract(`answered a message whose block ${fault}`)
}

function breaksContract(what: string): never {
  throw new BEAM_ERR_CONTRACT('getPrompt', what)
}
