// SPDX-License-Identifier: Apache-2.0
import type { ModuleFacts } from './facts/module-facts.ts'
import { loadParser } from './facts/parse-source.ts'
import type { FunctionPlace, FunctionTable, ModuleFunctions, PlaceKind } from './function-table.ts'
import { readPaths } from './options.ts'
import { refuse } from './refuse.ts'
import { gatherModules, type ScopeModule } from './scope/gather-modules.ts'

/**
 * Reads which functions modules have and where they stand, named as `buildDeclared` names them at level
 * `mfa`. Files are read and nothing else; what the modules import is not followed.
 *
 * @param modules  absolute paths or `file:` URLs; an id does not say where its package lies
 * @returns a frozen table for `startTracer`
 * @throws ConnectomeError `BEAM_ERR_GRAPH_DECLARED` with, in this order: `['invalid', 'modules', given]`,
 * `['unavailable', 'oxc-parser']`, `['unknown_module', path]`, `['unparsed_module', id, reason]`
 * @see docs/connectome-declared.md, "Functions of modules"
 */
export async function readFunctions(modules: readonly string[]): Promise<FunctionTable> {
  const paths = readPaths('modules', modules)
  const parse = await loadParser()
  const texts = new Map<string, string>()
  const gathered = await gatherModules(paths, [], {
    parse: (path, text, ...more) => {
      texts.set(path, text)
      return parse(path, text, ...more)
    },
    resolve: () => ({ kind: 'missing' }),
  })
  const [unknown] = gathered.unreadable
  if (unknown !== undefined) return refuse('unknown_module', unknown)
  const [unparsed] = gathered.unparsed
  if (unparsed !== undefined) return refuse('unparsed_module', unparsed.module, unparsed.reason)
  const found = gathered.modules.map((one) => placesIn(one, texts.get(one.path) ?? ''))
  return Object.freeze({ modules: Object.freeze(found) })
}

interface Span {
  readonly kind: PlaceKind
  readonly unit: number
  readonly start: number
  readonly end: number
}

function placesIn({ id, facts }: ScopeModule, text: string): ModuleFunctions {
  // Node takes the mark of the byte order away from ES modules, and leaves it to CommonJS.
  const hidden = facts.format === 'module' && text.startsWith('\uFEFF') ? 1 : 0
  const positionOf = createPositions(text, hidden)
  const places = spansOf(facts, text).map(({ kind, unit, start, end }): FunctionPlace => {
    const { name = '', arity = 0 } = facts.units[unit] ?? {}
    const [from, to] = [positionOf(start), positionOf(end)]
    return Object.freeze({
      ...{ kind, function: name, arity, ...from },
      ...{ endLine: to.line, endColumn: to.column },
    })
  })
  const length = text.length - hidden
  return Object.freeze({ module: id, length, places: Object.freeze(places) })
}

/** In the order of their beginnings, the longer first: what is around others comes before them. */
function spansOf({ functions, classes, classPlaces }: ModuleFacts, text: string): readonly Span[] {
  // What stands for the initialisers of fields is no function of the source.
  const fields = new Set(classes.map((one) => one.fields))
  const spans: Span[] = [{ kind: 'module', unit: 0, start: 0, end: text.length + 1 }]
  functions.forEach(({ unit, start, end }, place) => {
    if (!fields.has(place)) spans.push({ kind: 'function', unit, start, end })
  })
  for (const { kind, unit, start, end } of classPlaces) {
    spans.push({ kind, unit, start: kind === 'class' ? keywordAt(text, start) : start, end })
  }
  return spans.sort((a, b) => a.start - b.start || b.end - a.end)
}

/** Where V8 has a class begin: `abstract` is gone when it sees one. */
function keywordAt(text: string, start: number): number {
  const before = /abstract\s+/y
  before.lastIndex = start
  return before.test(text) ? before.lastIndex : start
}

/** Positions of offsets, with every end of a line that the language has. */
function createPositions(
  text: string,
  hidden: number,
): (offset: number) => { readonly line: number; readonly column: number } {
  const starts = [hidden]
  for (const { 0: end, index } of text.matchAll(/\r\n|[\n\r\u2028\u2029]/g)) {
    starts.push(index + end.length)
  }
  return (offset) => {
    let line = 0
    for (let above = starts.length; above - line > 1; ) {
      const middle = (line + above) >> 1
      if ((starts[middle] ?? 0) <= offset) line = middle
      else above = middle
    }
    return { line: line + 1, column: Math.max(0, offset - (starts[line] ?? 0)) }
  }
}
