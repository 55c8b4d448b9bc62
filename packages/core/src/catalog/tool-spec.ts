// SPDX-License-Identifier: Apache-2.0
import { parseJson } from '../json/parse-json.ts'
import { isTimerMs, LONGEST_TIMER_MS } from '../protocol/option-readers.ts'
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'
import type { Icon } from './content.ts'
import {
  checkIcons,
  checkMeta,
  checkName,
  checkOptionalString,
  encodeEntry,
  entryLabel,
  refuseEntry,
} from './entry-faults.ts'
import { type ToolText, toObjectForm } from './tool-form.ts'

/** A JSON Schema as an object: 2020-12 unless `$schema` says draft-07. */
export type JsonSchema = object

/** Hints to a client about what a tool does. @see MCP 2026-07-28, Tools: TOOL-09 */
export interface ToolAnnotations {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** One tool, as the host describes it. It is published as it is written and never changed. */
export interface ToolSpec {
  /** Unique in the catalog, case-sensitive. Best 1 to 128 of `A-Za-z0-9_.-` (TOOL-06). */
  readonly name: string
  readonly title?: string
  readonly description?: string
  /** An object schema. Left out: the tool takes no arguments and is handed `{}`. */
  readonly inputSchema?: JsonSchema
  /** Schema of `structuredContent`; a successful result that breaks it is a host fault. */
  readonly outputSchema?: JsonSchema
  readonly annotations?: ToolAnnotations
  readonly icons?: readonly Icon[]
  readonly _meta?: JsonObject
  /** Milliseconds that a call may take, from 1; never on the wire. @default the server's `timeoutMs` */
  readonly timeoutMs?: number
  /** A label of the host's own, never on the wire. */
  readonly commandClass?: string
  /** `read_only` or `proposal`: fills the annotations that the author left out. */
  readonly mode?: 'read_only' | 'proposal'
  /** Runs patterns that the linear-time engine can't, where the value's length is bounded. */
  readonly nativePatterns?: boolean
}

/** What `tools/list` shows for a tool without a schema: anything is taken, nothing handed over. */
const EMPTY_INPUT_SCHEMA: JsonSchema = Object.freeze({
  type: 'object',
  properties: Object.freeze({}),
  additionalProperties: true,
})

const MODE_HINTS = {
  read_only: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  proposal: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
} as const

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const

/**
 * Checks a tool structurally and writes its wire form. Schemas are judged elsewhere.
 *
 * @returns the JSON text that `tools/list` carries for it, in each form
 * @throws BEAM_ERR_CATALOG_ENTRY naming the tool and the fix
 * @see MCP 2026-07-28, Tools: TOOL-05 to TOOL-09
 */
export function encodeToolSpec(spec: unknown): ToolText {
  if (!isJsonObject(spec)) return refuseEntry('a tool', 'it must be an object with a name')
  const entry = entryLabel('tool', spec['name'])
  const name = checkName(entry, spec, 'name')
  checkOptionalString(entry, spec, 'title')
  checkOptionalString(entry, spec, 'description')
  checkOptionalString(entry, spec, 'commandClass')
  checkIcons(entry, spec['icons'])
  checkMeta(entry, spec['_meta'])
  checkSchemas(entry, spec)
  const native = spec['nativePatterns']
  if (native !== undefined && typeof native !== 'boolean') {
    refuseEntry(entry, 'nativePatterns must be true or false, or left out')
  }
  checkTimeout(entry, spec['timeoutMs'])
  const full = encodeEntry(entry, {
    name,
    title: spec['title'],
    description: spec['description'],
    inputSchema: spec['inputSchema'] ?? EMPTY_INPUT_SCHEMA,
    outputSchema: spec['outputSchema'],
    annotations: annotate(entry, spec['mode'], spec['annotations']),
    icons: spec['icons'],
    _meta: spec['_meta'],
  })
  const objects = JSON.stringify(toObjectForm(parseJson(full) as JsonObject))
  return { full, objects: objects === full ? full : objects }
}

function checkTimeout(entry: string, given: unknown): void {
  if (given === undefined || isTimerMs(given)) return
  refuseEntry(
    entry,
    `timeoutMs must be whole milliseconds from 1 to ${LONGEST_TIMER_MS}, or left out`,
  )
}

function checkSchemas(entry: string, spec: JsonObject): void {
  const { inputSchema, outputSchema } = spec
  if (
    inputSchema !== undefined &&
    !(isJsonObject(inputSchema) && inputSchema['type'] === 'object')
  ) {
    refuseEntry(
      entry,
      'inputSchema must be an object schema with "type": "object" at its root; leave it out for a tool that takes no arguments',
    )
  }
  if (outputSchema !== undefined && !isJsonObject(outputSchema)) {
    refuseEntry(entry, 'outputSchema must be a schema object, or left out')
  }
}

/** The author's annotations, filled from the mode where the author set none. */
function annotate(entry: string, mode: unknown, annotations: unknown): JsonObject | undefined {
  if (annotations !== undefined && !isJsonObject(annotations)) {
    return refuseEntry(entry, 'annotations must be an object, or left out')
  }
  if (annotations !== undefined) checkHints(entry, annotations)
  if (mode === undefined) return annotations
  if (mode !== 'read_only' && mode !== 'proposal') {
    return refuseEntry(entry, "mode is 'read_only' or 'proposal', or left out")
  }
  refuseContradiction(entry, mode, annotations ?? {})
  return { ...MODE_HINTS[mode], ...annotations }
}

function checkHints(entry: string, annotations: JsonObject): void {
  checkOptionalString(entry, annotations, 'title')
  for (const hint of HINTS) {
    const value = annotations[hint]
    if (value !== undefined && typeof value !== 'boolean') {
      refuseEntry(entry, `annotations.${hint} must be true or false, or left out`)
    }
  }
}

/** A read-only tool is neither destructive nor unrepeatable, and a proposal is not read-only. */
function refuseContradiction(
  entry: string,
  mode: 'read_only' | 'proposal',
  annotations: JsonObject,
): void {
  const binding = mode === 'read_only' ? HINTS.slice(0, 3) : HINTS.slice(0, 1)
  for (const hint of binding) {
    const value = annotations[hint]
    if (value !== undefined && value !== MODE_HINTS[mode][hint]) {
      refuseEntry(
        entry,
        `annotations.${hint}: ${value} contradicts mode '${mode}'; drop one of them`,
      )
    }
  }
}
