// SPDX-License-Identifier: Apache-2.0
import { table } from '../http/page.ts'
import { edgesOf, type Figures, type Precision, type Share } from './compare.ts'
import { unitKey } from './naming.ts'
import type { Subject } from './subjects.ts'
import type { Reach, Truth } from './truth.ts'

/** One subject, what happened in it and how each builder did. */
export interface Result {
  readonly subject: Pick<Subject, 'name' | 'style'>
  readonly truth: Truth
  readonly builders: readonly { readonly name: string; readonly figures: Figures }[]
}

const ratio = ({ part, whole }: Share): string => (whole === 0 ? '–' : (part / whole).toFixed(2))
const percent = ({ part, whole }: Share): string =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
const counted = (share: Share): string => `${ratio(share)} of ${share.whole}`

/** What ran: the ground that the builders are compared on. */
export function truthTable(results: readonly Result[]): string {
  const head = [
    '',
    'written as',
    'modules',
    'functions entered',
    'V8 disagrees',
    'sites that ran',
    'edges',
    'through others',
    'implicit',
  ]
  return table(head, results.map(truthRow))
}

function truthRow({ subject, truth }: Result): readonly string[] {
  const entered = `${truth.entered} of ${truth.functions} (${percent({ part: truth.entered, whole: truth.functions })})`
  const count = (...reaches: readonly Reach[]): string =>
    String(edgesOf(truth, reaches, unitKey).size)
  const ground = [
    String(truth.modules),
    entered,
    String(truth.unlike.length),
    String(truth.sites.length),
  ]
  return [
    subject.name,
    subject.style,
    ...ground,
    count('call'),
    count('platform', 'foreign'),
    count('implicit'),
  ]
}

/** How each builder did, side by side. */
export function accuracyTable(results: readonly Result[]): string {
  const head = [
    '',
    'builder',
    'module recall',
    'function recall',
    'covered',
    'neither',
    'list width',
    'false edges',
    'of modules',
    'through others',
    'implicit',
    'handed on',
  ]
  return table(
    head,
    results.flatMap(({ subject, builders }) =>
      builders.map(({ name, figures }, index) => [
        index === 0 ? subject.name : '',
        name,
        ...cells(figures),
      ]),
    ),
  )
}

function cells(figures: Figures): readonly string[] {
  return [
    counted(figures.moduleRecall),
    counted(figures.functionRecall),
    ratio(figures.functionCovered),
    String(new Set([...figures.neither, ...figures.modulesNeither]).size),
    percent(figures.width),
    falseOf(figures.functions),
    falseOf(figures.modules),
    counted(figures.throughOthers),
    counted(figures.implicit),
    String(figures.functions.handedOn),
  ]
}

const falseOf = ({ falseEdges, unusedBranches, judgedEdges }: Precision): string =>
  `${falseEdges.length} (${unusedBranches}) of ${judgedEdges}`

/** What the columns are. */
export const NOTES = [
  'An edge is a pair of different functions (or modules) of the packages in scope of which one called the other; a nested function counts as the one around it.',
  '**Recall**: edges by call expressions that happened and are declared. **Covered**: those that happened, are not declared, and whose call sites are all listed as unresolved. **Neither**: calls whose edge is not declared and whose site is not listed, in the graph of functions or in that of modules.',
  '**List width**: call sites that are listed, of those that ran. **False edges**: declared edges whose call site ran and never led there, of all declared edges whose call site ran (in brackets those whose site led to another of its declared functions, so that this run may not have had the case), in the graph of functions and in that of modules; a function handed to code out of scope upholds its edge when that code entered it at any time.',
  '**Through others**: edges whose call site entered a built-in (`map`, `then`, an event emitter) or a package out of scope, which called back; declared or listed. **Implicit**: getters, setters, iterators, `toString`, `instanceof`, proxies, which have no call site; those declared all the same. **Handed on**: declared edges by giving a function to a call which did not call it then and there.',
  "What ran is what V8 says: its exact coverage has to name the same functions (**V8 disagrees**), and each call is tied to its site by a mark passed there and by the position of the frame below in V8's own stack.",
].join('\n\n')
