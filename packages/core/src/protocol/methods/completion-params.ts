// SPDX-License-Identifier: Apache-2.0
import type { CompletionRequest } from '../../catalog/completion.ts'
import { cutText, kindOf } from '../echo.ts'
import { isJsonObject, type JsonObject, ownMember } from '../plain.ts'

type Reading<Value> = { readonly ok: true; readonly value: Value } | Refused
type Refused = { readonly ok: false; readonly why: string }

/** The params of a completion, or what is wrong with them. */
export type CompletionReading = { readonly ok: true; readonly request: CompletionRequest } | Refused

/**
 * Reads the params of `completion/complete`. Members that it does not know are ignored.
 *
 * @see MCP 2026-07-28, Completion: COMP-02
 */
export function readCompletion(params: JsonObject): CompletionReading {
  const ref = readRef(ownMember(params, 'ref'))
  if (!ref.ok) return ref
  const argument = readArgument(ownMember(params, 'argument'))
  if (!argument.ok) return argument
  const args = readChosen(ownMember(params, 'context'))
  if (!args.ok) return args
  const request = { ref: ref.value, argument: argument.value, arguments: args.value }
  return { ok: true, request }
}

/** Reads what is to be completed. */
export function readRef(given: unknown): Reading<CompletionRequest['ref']> {
  const ref = isJsonObject(given) ? given : {}
  switch (ownMember(ref, 'type')) {
    case 'ref/prompt': {
      const name = ownMember(ref, 'name')
      return typeof name === 'string'
        ? { ok: true, value: { type: 'ref/prompt', name } }
        : { ok: false, why: 'ref of type ref/prompt requires a string name' }
    }
    case 'ref/resource': {
      const uri = ownMember(ref, 'uri')
      return typeof uri === 'string'
        ? { ok: true, value: { type: 'ref/resource', uri } }
        : { ok: false, why: 'ref of type ref/resource requires a string uri' }
    }
    default:
      return { ok: false, why: 'ref must be an object of type ref/prompt or ref/resource' }
  }
}

function readArgument(given: unknown): Reading<CompletionRequest['argument']> {
  const argument = isJsonObject(given) ? given : {}
  const name = ownMember(argument, 'name')
  const value = ownMember(argument, 'value')
  return typeof name === 'string' && typeof value === 'string'
    ? { ok: true, value: { name, value } }
    : { ok: false, why: 'argument must be an object with a string name and a string value' }
}

/** The values chosen so far, none where there is no context or it has none. */
function readChosen(context: unknown): Reading<Record<string, string>> {
  if (context === undefined) return { ok: true, value: {} }
  if (!isJsonObject(context)) {
    return { ok: false, why: `context must be an object, got ${kindOf(context)}` }
  }
  const args = ownMember(context, 'arguments')
  if (args === undefined) return { ok: true, value: {} }
  if (!isJsonObject(args)) {
    return { ok: false, why: `context.arguments must be an object, got ${kindOf(args)}` }
  }
  const odd = Object.keys(args).find((name) => typeof args[name] !== 'string')
  return odd === undefined
    ? { ok: true, value: args as Record<string, string> }
    : { ok: false, why: `context.arguments: ${cutText(odd)} must be a string` }
}
