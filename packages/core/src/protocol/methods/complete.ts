// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from '../../catalog/catalog.ts'
import type { CompiledPrompt, CompiledTemplate } from '../../catalog/compile-catalog.ts'
import type { CompletionRequest } from '../../catalog/completion.ts'
import { askHost } from '../ask-host.ts'
import { cutText } from '../echo.ts'
import { type JsonObject, ownMember } from '../plain.ts'
import type { Call, Method, Reply } from '../revision.ts'
import { firstVisible, isVisible } from '../visibility.ts'
import { invalidParams } from '../wire-errors.ts'
import { readCompletion, readRef } from './completion-params.ts'
import { encodeCompletion } from './completion-result.ts'

/**
 * `completion/complete`: values for an argument of a prompt or a variable of a resource template,
 * while it is typed. Entries the caller may not see are unknown.
 *
 * @see MCP 2026-07-28, Completion: COMP-01 to COMP-07; MCP 2025-11-25: L-COMP-01
 */
export const complete: Method = {
  targetOf: (params) => {
    const ref = readRef(ownMember(params, 'ref'))
    return ref.ok ? targetOf(ref.value) : undefined
  },
  run: async (call) => {
    const reading = readCompletion(call.params)
    if (!reading.ok) return { error: invalidParams(reading.why) }
    const { request } = reading
    const target = await findTarget(call, request.ref)
    if (target === undefined) return unknownTarget(request.ref)
    if (target === 'resource') return { members: encodeCompletion([]) }
    const { name } = request.argument
    if (!target.variables.has(name)) {
      const shown = cutText(name)
      return { error: invalidParams(`unknown argument ${shown}`, 200, { argument: shown }) }
    }
    return runCompleter(call, target, request)
  },
}

/** What has arguments to complete, or a listed resource, which has none. */
type Target = CompiledPrompt | CompiledTemplate | 'resource'

/** A listed uri decides alone, as it does for a read; then the template itself, then those it fits. */
async function findTarget(call: Call, ref: CompletionRequest['ref']): Promise<Target | undefined> {
  const catalog = await call.service.access.current(call.context)
  if (ref.type === 'ref/prompt') {
    const prompt = catalog.promptsByName.get(ref.name)
    return prompt !== undefined && (await isVisible(call, prompt.entry)) ? prompt : undefined
  }
  const { uri } = ref
  const listed = catalog.resourcesByUri.get(uri)
  if (listed !== undefined) return (await isVisible(call, listed.entry)) ? 'resource' : undefined
  const { entries } = catalog.templates
  return firstVisible(call, [
    ...entries.filter(({ key }) => key === uri),
    ...entries.filter(({ key, matches }) => key !== uri && matches(uri)),
  ])
}

function targetOf(ref: CompletionRequest['ref']): string {
  return ref.type === 'ref/prompt' ? ref.name : ref.uri
}

function unknownTarget(ref: CompletionRequest['ref']): Reply {
  const shown = cutText(targetOf(ref))
  return ref.type === 'ref/prompt'
    ? { error: invalidParams(`unknown prompt ${shown}`, 200, { name: shown }) }
    : { error: invalidParams(`unknown resource template ${shown}`, 200, { uri: shown }) }
}

function runCompleter(
  call: Call,
  { key, variables }: Exclude<Target, 'resource'>,
  request: CompletionRequest,
): Awaitable<Reply> {
  const chosen = pickKnown(request.arguments, variables)
  const context = call.context.forCompleting(key, chosen)
  return askHost(call, {
    ask: () => call.service.catalog.complete?.({ ...request, arguments: chosen }, context),
    encode: (answer) => ({ members: encodeCompletion(answer) }),
    fault: 'A completion failed',
    named: { completing: cutText(key), argument: cutText(request.argument.name) },
  })
}

/** Only what the prompt or the template has: a caller may send any names. */
function pickKnown(
  args: JsonObject,
  variables: ReadonlySet<string>,
): CompletionRequest['arguments'] {
  const known = Object.entries(args).filter(([name]) => variables.has(name))
  return Object.fromEntries(known) as Record<string, string>
}
