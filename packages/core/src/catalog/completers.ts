// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'
import type { Capabilities, Catalog } from './catalog.ts'
import type { Completer } from './completion.ts'

type Entries = Pick<Capabilities, 'resources' | 'prompts'>
type Completing = (...given: Parameters<Completer>) => ReturnType<Completer>
type ByArgument = ReadonlyMap<string, Completing>

/**
 * Turns the completers on specs into one `complete` of the contract.
 *
 * @returns undefined where nothing completes, so that completion is not advertised
 */
export function completeBy({ resources, prompts }: Entries): Catalog['complete'] {
  const byPrompt = collect(prompts, 'name', ofPrompt)
  const byTemplate = collect(resources, 'uriTemplate', ofTemplate)
  if (byPrompt.size + byTemplate.size === 0) return undefined
  return ({ ref, argument }, context) => {
    const completers = ref.type === 'ref/prompt' ? byPrompt : byTemplate
    const completer = completers.get(context.matched)?.get(argument.name)
    return completer === undefined ? [] : completer(argument.value, context)
  }
}

/** Says whether any of these specs has a completer. */
export function hasCompleters(entries: Entries): boolean {
  return completeBy(entries) !== undefined
}

/** The entries that complete something; what is off its shape is left for start-up to refuse by name. */
function collect(
  specs: readonly unknown[],
  key: 'name' | 'uriTemplate',
  read: (spec: JsonObject) => ByArgument,
): ReadonlyMap<unknown, ByArgument> {
  const named = specs.filter(isJsonObject).filter((spec) => spec[key] !== undefined)
  const entries = named.map((spec) => [spec[key], read(spec)] as const)
  return new Map(entries.filter(([, completers]) => completers.size > 0))
}

function ofPrompt(spec: JsonObject): ByArgument {
  const given = spec['arguments']
  const args: readonly unknown[] = Array.isArray(given) ? given : []
  return new Map(
    args.filter(isJsonObject).flatMap((argument) => bind(argument['name'], argument, 'complete')),
  )
}

function ofTemplate(spec: JsonObject): ByArgument {
  const given = spec['complete']
  if (!isJsonObject(given)) return new Map()
  return new Map(Object.keys(given).flatMap((name) => bind(name, given, name)))
}

/** A completer with the object it stands on, which is its `this`. */
function bind(name: unknown, owner: JsonObject, member: string): [string, Completing][] {
  const complete = owner[member]
  if (typeof name !== 'string' || typeof complete !== 'function') return []
  return [[name, (value, context) => Reflect.apply(complete, owner, [value, context])]]
}
