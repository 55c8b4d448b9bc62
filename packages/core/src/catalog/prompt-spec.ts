// SPDX-License-Identifier: Apache-2.0
import { cutText } from '../protocol/echo.ts'
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'
import type { Completer } from './completion.ts'
import type { Icon } from './content.ts'
import {
  checkIcons,
  checkMeta,
  checkName,
  checkOptionalFunction,
  checkOptionalString,
  encodeEntry,
  entryLabel,
  refuseEntry,
} from './entry-faults.ts'

/** One argument of a prompt; its value is always a string. */
export interface PromptArgument<Principal = unknown> {
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** Default false. */
  readonly required?: boolean
  /** Suggests values while one is typed; never on the wire. */
  readonly complete?: Completer<Principal>
}

/** One prompt. @see MCP 2026-07-28, Prompts: PROM-02 */
export interface PromptSpec {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly icons?: readonly Icon[]
  readonly arguments?: readonly PromptArgument[]
  readonly _meta?: JsonObject
}

/** A prompt with its wire form and the judge of its arguments. */
export interface CompiledPromptSpec {
  readonly json: string
  /** The names of its arguments. */
  readonly variables: ReadonlySet<string>
  /** @returns what is wrong with the arguments, never a value of theirs; undefined if nothing is. */
  readonly findArgumentFault: (args: JsonObject) => string | undefined
}

/**
 * Checks a prompt and writes its wire form.
 *
 * @throws BEAM_ERR_CATALOG_ENTRY naming the prompt and the fix
 */
export function compilePromptSpec(spec: unknown): CompiledPromptSpec {
  if (!isJsonObject(spec)) return refuseEntry('a prompt', 'it must be an object with a name')
  const entry = entryLabel('prompt', spec['name'])
  const name = checkName(entry, spec, 'name')
  checkOptionalString(entry, spec, 'title')
  checkOptionalString(entry, spec, 'description')
  checkIcons(entry, spec['icons'])
  checkMeta(entry, spec['_meta'])
  const given = spec['arguments'] ?? []
  if (!Array.isArray(given)) return refuseEntry(entry, 'arguments must be a list, or left out')
  const args = given.map((argument: unknown) => readArgument(entry, argument))
  refuseRepeats(entry, args)
  const { title, description, icons, _meta } = spec
  const json = encodeEntry(entry, {
    name,
    title,
    description,
    icons,
    ...(args.length > 0 && { arguments: args }),
    _meta,
  })
  const variables = new Set(args.map((argument) => argument.name))
  return { json, variables, findArgumentFault: argumentJudge(args, variables) }
}

type ReadArgument = Omit<PromptArgument, 'complete'> & { readonly required: boolean }

function readArgument(entry: string, argument: unknown): ReadArgument {
  if (!isJsonObject(argument))
    return refuseEntry(entry, 'an argument must be an object with a name')
  const name = checkName(`${entry}, an argument`, argument, 'name')
  const label = `${entry}, argument '${name}'`
  checkOptionalString(label, argument, 'title')
  checkOptionalString(label, argument, 'description')
  checkOptionalFunction(label, argument, 'complete')
  const { title, description, required } = argument
  if (required !== undefined && typeof required !== 'boolean') {
    return refuseEntry(label, 'required must be true or false, or left out')
  }
  return {
    name,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    required: required ?? false,
  }
}

function refuseRepeats(entry: string, args: readonly ReadArgument[]): void {
  const seen = new Set<string>()
  for (const { name } of args) {
    if (seen.has(name)) refuseEntry(entry, `the argument '${name}' is declared twice; rename one`)
    seen.add(name)
  }
}

/** Arguments are strings, the required ones are there, and no others are (PROM-03, PROM-07). */
function argumentJudge(
  args: readonly ReadArgument[],
  known: ReadonlySet<string>,
): CompiledPromptSpec['findArgumentFault'] {
  const required = args.filter((argument) => argument.required).map(({ name }) => name)
  return (given) => {
    const missing = required.filter((name) => !Object.hasOwn(given, name))
    if (missing.length > 0) return `missing required ${plural(missing)}`
    const unknown = Object.keys(given).filter((key) => !known.has(key))
    if (unknown.length > 0) return `unknown ${plural(unknown.slice(0, 5).map(cutText))}`
    const other = Object.keys(given).find((key) => typeof given[key] !== 'string')
    return other === undefined ? undefined : `${cutText(other)} must be a string`
  }
}

function plural(names: readonly string[]): string {
  return `${names.length === 1 ? 'argument' : 'arguments'}: ${names.join(', ')}`
}
