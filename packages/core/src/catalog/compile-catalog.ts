// SPDX-License-Identifier: Apache-2.0
import { BEAM_ERR_CATALOG_ENTRY } from '../errors.ts'
import { compareCodePoints } from '../protocol/collate.ts'
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'
import type { CompiledSchema } from '../schema/compile-schema.ts'
import { createBoundedCache } from './bounded-cache.ts'
import type { Capabilities, CatalogEntry } from './catalog.ts'
import { type CompiledTool, compileTool, createSchemaCompiler } from './compile-tool.ts'
import { type CompiledPromptSpec, compilePromptSpec, type PromptSpec } from './prompt-spec.ts'
import {
  encodeResourceSpec,
  encodeResourceTemplateSpec,
  isTemplateSpec,
  type ResourceSpec,
  type ResourceTemplateSpec,
} from './resource-spec.ts'
import type { ToolForm, ToolText } from './tool-form.ts'
import type { ToolSpec } from './tool-spec.ts'

/** An entry with the key its list is sorted by and its text in that list. */
export interface CompiledEntry {
  readonly entry: CatalogEntry
  readonly key: string
  readonly json: string
}

/** A resource template with its matcher and the names of its variables. */
export interface CompiledTemplate extends CompiledEntry {
  readonly matches: (uri: string) => boolean
  readonly variables: ReadonlySet<string>
  readonly mimeType: string | undefined
}

/** A prompt with the judge of its arguments and their names. */
export interface CompiledPrompt extends CompiledEntry {
  readonly variables: ReadonlySet<string>
  readonly findArgumentFault: CompiledPromptSpec['findArgumentFault']
}

/** A listed resource. */
export interface CompiledResource extends CompiledEntry {
  readonly mimeType: string | undefined
}

/** A list in order, with what was already written of it. */
export interface CompiledList<Entry extends CompiledEntry = CompiledEntry> {
  /** Sorted by key, in code point order. */
  readonly entries: readonly Entry[]
  /** Pages already written, by the index of their first entry: those that follow one another. */
  readonly pages: Map<number, string>
}

/** What a request meets of one answer of `capabilities`. */
export interface CompiledCatalog {
  readonly tools: ReadonlyMap<string, CompiledTool>
  /** The members of an unfiltered `tools/list`, in catalog order. */
  readonly toolsJson: ToolText
  readonly resources: CompiledList<CompiledResource>
  readonly resourcesByUri: ReadonlyMap<string, CompiledResource>
  readonly templates: CompiledList<CompiledTemplate>
  readonly prompts: CompiledList<CompiledPrompt>
  readonly promptsByName: ReadonlyMap<string, CompiledPrompt>
}

/** Compiles catalogs; what is compiled of a spec lives as long as the spec's own object. */
export interface CatalogCompiler {
  /** @throws BEAM_ERR_CATALOG_ENTRY, BEAM_ERR_SCHEMA_UNSUPPORTED naming the entry and the fix */
  readonly compile: (capabilities: Capabilities) => CompiledCatalog
}

const SCHEMA_TEXTS = 1024
const SCHEMA_TEXT_CHARACTERS = 8 * 1024 * 1024

/** Both forms of the whole list: one text where the tools have but one. */
function listTools(tools: readonly CompiledTool[]): ToolText {
  const list = (form: ToolForm): string =>
    `"tools":[${tools.map(({ json }) => json[form]).join(',')}]`
  const full = list('full')
  const isSame = tools.every(({ json }) => json.full === json.objects)
  return { full, objects: isSame ? full : list('objects') }
}

/** @param maxValueBytes  the longest value a caller can send, which is the body limit */
export function createCatalogCompiler(maxValueBytes: number): CatalogCompiler {
  const texts = createBoundedCache<CompiledSchema>(SCHEMA_TEXTS, SCHEMA_TEXT_CHARACTERS)
  const schemas = createSchemaCompiler(maxValueBytes, texts)
  const tool = onceFor((spec: ToolSpec) => compileTool(spec, schemas))
  const resource = onceFor(compileResource)
  const template = onceFor(compileTemplate)
  const prompt = onceFor(compilePrompt)
  return {
    compile: ({ tools, resources, prompts }) => {
      const compiledTools = tools.map(tool)
      // A host's entries are what they are; each is judged as it is compiled.
      const given: readonly unknown[] = resources
      const listed = sorted(given.filter((spec) => !isTemplateSpec(spec)).map(resource))
      const templates = sorted(given.filter(isTemplateSpec).map(template))
      const compiledPrompts = sorted(prompts.map(prompt))
      return {
        tools: byKey(compiledTools, ({ name }) => name, 'tool'),
        toolsJson: listTools(compiledTools),
        resources: listed,
        resourcesByUri: byKey(listed.entries, ({ key }) => key, 'resource'),
        templates: checkedTemplates(templates),
        prompts: compiledPrompts,
        promptsByName: byKey(compiledPrompts.entries, ({ key }) => key, 'prompt'),
      }
    },
  }
}

/** Remembers a compiled form by the identity of its spec; what is no object is compiled, to be refused. */
function onceFor<Spec, Compiled>(compile: (spec: Spec) => Compiled): (spec: Spec) => Compiled {
  const known = new WeakMap<object, Compiled>()
  return (spec) => {
    if (!isJsonObject(spec)) return compile(spec)
    const before = known.get(spec)
    if (before !== undefined) return before
    const compiled = compile(spec)
    known.set(spec, compiled)
    return compiled
  }
}

function compileResource(given: unknown): CompiledResource {
  if (!isJsonObject(given)) {
    throw new BEAM_ERR_CATALOG_ENTRY('a resource', 'it must be an object with a uri and a name')
  }
  const json = encodeResourceSpec(given)
  const spec = given as typeof given & ResourceSpec
  return { entry: { type: 'resource', spec }, key: spec.uri, json, mimeType: spec.mimeType }
}

function compileTemplate(given: JsonObject): CompiledTemplate {
  const { json, matches, variables } = encodeResourceTemplateSpec(given)
  const spec = given as JsonObject & ResourceTemplateSpec
  return {
    entry: { type: 'resourceTemplate', spec },
    key: spec.uriTemplate,
    json,
    matches,
    variables,
    mimeType: spec.mimeType,
  }
}

function compilePrompt(spec: PromptSpec): CompiledPrompt {
  const compiled = compilePromptSpec(spec)
  return { entry: { type: 'prompt', spec }, key: spec.name, ...compiled }
}

function sorted<Entry extends CompiledEntry>(entries: readonly Entry[]): CompiledList<Entry> {
  const inOrder = entries.toSorted((a, b) => compareCodePoints(a.key, b.key))
  return { entries: inOrder, pages: new Map() }
}

function checkedTemplates(list: CompiledList<CompiledTemplate>): CompiledList<CompiledTemplate> {
  byKey(list.entries, ({ key }) => key, 'resource template')
  return list
}

/** @throws BEAM_ERR_CATALOG_ENTRY for a name or uri that is listed twice */
function byKey<Entry>(
  entries: readonly Entry[],
  keyOf: (entry: Entry) => string,
  what: string,
): ReadonlyMap<string, Entry> {
  const map = new Map<string, Entry>()
  for (const entry of entries) {
    const key = keyOf(entry)
    if (map.has(key)) {
      throw new BEAM_ERR_CATALOG_ENTRY(`${what} '${key}'`, 'it is listed twice; rename or drop one')
    }
    map.set(key, entry)
  }
  return map
}
