// SPDX-License-Identifier: Apache-2.0
import { isJsonObject } from '../protocol/plain.ts'
import type { Capabilities, Catalog } from './catalog.ts'
import type { Completer } from './completion.ts'

/** An argument's completer, on the object that is its `this`. */
type Completing = (...given: Parameters<Completer>) => ReturnType<Completer>
type ByArgument = ReadonlyMap<string, Completing>

/**
 * Turns the completers on specs into one `complete` of the contract.
 *
 * @returns undefined where nothing completes, so that completion is not advertised
 */
export function completeBy({
  resources,
  prompts,
}: Pick<Capabilities, 'resources' | 'prompts'>): Catalog['complete'] {
  const byPrompt = new Map(prompts.map((prompt) => [prompt.name, ofPrompt(prompt)]))
  const byTemplate = new Map(
    resources.flatMap((spec) =>
      'uriTemplate' in spec ? [[spec.uriTemplate, ofTemplate(spec)] as const] : [],
    ),
  )
  const isEmpty = [...byPrompt.values(), ...byTemplate.values()].every(({ size }) => size === 0)
  if (isEmpty) return undefined
  return ({ ref, argument }, context) => {
    const completers = ref.type === 'ref/prompt' ? byPrompt : byTemplate
    return completers.get(context.matched)?.get(argument.name)?.(argument.value, context) ?? []
  }
}

/** Says whether any of these specs has a completer. */
export function hasCompleters(capabilities: Pick<Capabilities, 'resources' | 'prompts'>): boolean {
  return completeBy(capabilities) !== undefined
}

/** What is off its shape is left out here: start-up refuses it by name. */
function ofPrompt(spec: unknown): ByArgument {
  const given = isJsonObject(spec) ? spec['arguments'] : undefined
  const args: readonly unknown[] = Array.isArray(given) ? given : []
  return new Map(
    args.flatMap((argument) => {
      const name = isJsonObject(argument) ? argument['name'] : undefined
      return typeof name === 'string' ? bind(name, argument, 'complete') : []
    }),
  )
}

function ofTemplate(spec: unknown): ByArgument {
  const given = isJsonObject(spec) ? spec['complete'] : undefined
  const names = isJsonObject(given) ? Object.keys(given) : []
  return new Map(names.flatMap((name) => bind(name, given, name)))
}

function bind(name: string, owner: unknown, member: string): [string, Completing][] {
  const holder = owner as Readonly<Record<string, unknown>>
  const complete = holder[member]
  return typeof complete === 'function'
    ? [[name, (value, context) => Reflect.apply(complete, holder, [value, context])]]
    : []
}
