// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from '../../catalog/catalog.ts'
import type { CompiledCatalog } from '../../catalog/compile-catalog.ts'
import type { CompiledTool } from '../../catalog/compile-tool.ts'
import { isExtensionResult } from '../../catalog/outcome.ts'
import { findInexact } from '../../json/find-inexact.ts'
import type { SchemaFault } from '../../schema/compile-schema.ts'
import { askHost } from '../ask-host.ts'
import { cutText, kindOf } from '../echo.ts'
import { encodeExtensionResult } from '../extension-result.ts'
import { type Finish, observe } from '../observe.ts'
import { isJsonObject, isThenable, type JsonObject, ownMember } from '../plain.ts'
import type { Call, Method, Reply } from '../revision.ts'
import { isVisible } from '../visibility.ts'
import { invalidParams, unknownTool } from '../wire-errors.ts'
import { encodeOutcome } from './tool-outcome.ts'

/**
 * `tools/call`. A fault of the arguments is a result with `isError: true` that a model can act on;
 * a fault of the host is `-32603` and tells the caller nothing.
 *
 * @see MCP 2026-07-28, Tools, Calling Tools: TOOL-11 to TOOL-20
 */
export const toolsCall: Method = {
  mirrors: 'name',
  mayAskClient: true,
  run: (call) => {
    const name = ownMember(call.params, 'name')
    if (typeof name !== 'string')
      return { error: invalidParams('tools/call requires a string name') }
    const tool = findTool(call, name)
    return isThenable(tool)
      ? tool.then((found) => callTool(call, name, found))
      : callTool(call, name, tool)
  },
}

function findTool(call: Call, name: string): Awaitable<CompiledTool | undefined> {
  const current = call.service.access.current(call.context)
  return isThenable(current) || call.service.catalog.allows !== undefined
    ? findVisibleTool(call, current, name)
    : current.tools.get(name)
}

async function findVisibleTool(
  call: Call,
  current: Awaitable<CompiledCatalog>,
  name: string,
): Promise<CompiledTool | undefined> {
  const { tools } = await current
  const tool = tools.get(name)
  return tool !== undefined && (await isVisible(call, tool.entry)) ? tool : undefined
}

function callTool(call: Call, name: string, tool: CompiledTool | undefined): Awaitable<Reply> {
  if (tool === undefined) return { error: unknownTool(cutText(name)) }
  call.called = { kind: 'tool', name: tool.name }
  const args = readArguments(call.params)
  if (args === undefined) {
    const given = kindOf(ownMember(call.params, 'arguments'))
    return { error: invalidParams(`arguments must be an object, got ${given}`) }
  }
  const mismatch = call.mirror?.checkParams(tool.mirrored, args)
  if (mismatch !== undefined) return { error: mismatch }
  const fault = findArgumentFault(call, tool, args)
  if (fault !== undefined) return argumentFault(call, tool, fault)
  return observe(call, 'tool', tool.name, (finish) => dispatch(call, tool, args, finish))
}

/** The arguments, `{}` where there are none (TOOL-11), or undefined for what is no object. */
export function readArguments(params: JsonObject): JsonObject | undefined {
  const given = ownMember(params, 'arguments')
  if (given === undefined) return {}
  return isJsonObject(given) ? given : undefined
}

function findArgumentFault(
  call: Call,
  tool: CompiledTool,
  args: JsonObject,
): SchemaFault | undefined {
  if (call.hasInexact) {
    const inexact = findInexact(args)
    if (inexact !== undefined) return inexactFault(cutText(inexact.path), inexact.kind)
  }
  return tool.input?.validate(args)
}

/** A number that would have to be rounded is refused by its path, never rounded. */
function inexactFault(path: string, kind: 'integer' | 'overflow'): SchemaFault {
  const message =
    kind === 'integer'
      ? `${path} must be an integer within ±9007199254740991`
      : `${path} must be a number that a 64-bit float can hold`
  return { path, keyword: 'number', message }
}

/** In the older revision even a failed result is held to the output schema: its text says it alone. */
function argumentFault({ revision }: Call, tool: CompiledTool, fault: SchemaFault): Reply {
  const text = `Invalid arguments for ${cutText(tool.name)}: ${fault.message}`
  const error = { tool: tool.name, reason: 'invalid_arguments', ...fault }
  const structured =
    revision.toolForm === 'full' || tool.output === undefined
      ? `"structuredContent":${JSON.stringify({ error })},`
      : ''
  return {
    members: `"content":[{"type":"text","text":${JSON.stringify(text)}}],${structured}"isError":true`,
    isError: true,
  }
}

function dispatch(
  call: Call,
  tool: CompiledTool,
  args: JsonObject,
  finish: Finish,
): Awaitable<Reply> {
  return askHost(call, {
    ask: () => call.service.dispatch(tool.name, tool.pick(args), call.context),
    encode: (outcome) =>
      isExtensionResult(outcome)
        ? encodeExtensionResult(call, outcome, toolFailure)
        : encodeOutcome(tool, outcome, call.revision.toolForm),
    fault: 'A tool failed',
    mayAskClient: true,
    named: { tool: cutText(tool.name) },
    limitMs: tool.timeoutMs,
    tell: toolFailure,
    finish,
  })
}

function toolFailure(text: string): Reply {
  return {
    members: `"content":[{"type":"text","text":${JSON.stringify(text)}}],"isError":true`,
    isError: true,
  }
}
