// SPDX-License-Identifier: Apache-2.0
import { type CompiledSchema, compileSchema } from '../schema/compile-schema.ts'
import type { BoundedCache } from './bounded-cache.ts'
import type { CatalogEntry } from './catalog.ts'
import { entryLabel } from './entry-faults.ts'
import { type MirroredParam, readMirroredParams } from './mirrored-params.ts'
import { type PickArguments, pickNothing, preparePick } from './pick-arguments.ts'
import type { ToolText } from './tool-form.ts'
import { encodeToolSpec, type JsonSchema, type ToolSpec } from './tool-spec.ts'

/** A tool as a request meets it: nothing is left to prepare. */
export interface CompiledTool {
  readonly entry: CatalogEntry & { readonly type: 'tool' }
  readonly name: string
  /** Its text in `tools/list`. */
  readonly json: ToolText
  /** Undefined for a tool without a schema. */
  readonly input: CompiledSchema | undefined
  readonly output: CompiledSchema | undefined
  readonly pick: PickArguments
  /** Milliseconds that a call may take, where the tool says so. */
  readonly timeoutMs: number | undefined
  readonly mirrored: readonly MirroredParam[]
}

/** Compiles schemas, each text once. */
export interface SchemaCompiler {
  readonly compile: (where: string, schema: JsonSchema, native: boolean) => CompiledSchema
}

/**
 * @param maxValueBytes  the longest value a caller can send, which is the body limit
 * @param byText  compiled schemas by their text, for hosts that build them anew
 */
export function createSchemaCompiler(
  maxValueBytes: number,
  byText: BoundedCache<CompiledSchema>,
): SchemaCompiler {
  const byObject = new WeakMap<
    JsonSchema,
    [CompiledSchema | undefined, CompiledSchema | undefined]
  >()
  const compileText = (where: string, schema: JsonSchema, native: boolean): CompiledSchema => {
    const key = `${native ? 'native' : 'linear'} ${textOf(schema)}`
    const known = byText.get(key)
    if (known !== undefined) return known
    const compiled = compileSchema(schema, { where, maxValueBytes, nativePatterns: native })
    byText.set(key, compiled)
    return compiled
  }
  return {
    compile: (where, schema, native) => {
      const known = byObject.get(schema) ?? [undefined, undefined]
      const slot = native ? 1 : 0
      const compiled = known[slot] ?? compileText(where, schema, native)
      known[slot] = compiled
      byObject.set(schema, known)
      return compiled
    },
  }
}

/** A key for the cache; a schema that JSON can't write never reaches it, and the compiler says why. */
function textOf(schema: JsonSchema): string {
  try {
    return JSON.stringify(schema)
  } catch {
    return ''
  }
}

/**
 * Compiles one tool.
 *
 * @throws BEAM_ERR_CATALOG_ENTRY or BEAM_ERR_SCHEMA_UNSUPPORTED, naming the tool and the fix
 */
export function compileTool(spec: ToolSpec, schemas: SchemaCompiler): CompiledTool {
  const json = encodeToolSpec(spec)
  const label = entryLabel('tool', spec.name)
  const { inputSchema, outputSchema, nativePatterns: native = false } = spec
  const input = inputSchema && schemas.compile(`${label} inputSchema`, inputSchema, native)
  const output = outputSchema && schemas.compile(`${label} outputSchema`, outputSchema, native)
  return {
    entry: { type: 'tool', spec },
    name: spec.name,
    json,
    input,
    output,
    timeoutMs: spec.timeoutMs,
    pick: inputSchema ? preparePick(inputSchema, native) : pickNothing,
    mirrored: inputSchema ? readMirroredParams(label, inputSchema) : [],
  }
}
