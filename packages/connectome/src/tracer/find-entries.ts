// SPDX-License-Identifier: Apache-2.0
import type { Debugger, Session } from 'node:inspector'
import { command } from './command.ts'
import type { Script } from './inspector.ts'

type Range = Debugger.GetPossibleBreakpointsParameterType
type Found = Debugger.GetPossibleBreakpointsReturnType

/** A place where the program can stop; line and column from 0. */
interface Place {
  readonly scriptId: string
  readonly lineNumber: number
  readonly columnNumber: number
}

/** V8 gives no more places than this at once, and does not say that it has more. */
const MOST_PLACES = 1_000

/**
 * The first place of each function of a script where the program can stop in that function alone,
 * functions that never ran among them. Asked to stay within one function from a place on, V8 gives the
 * places of that function, those of the functions within it left out: the first place not yet given
 * begins another. Where a function is written as a value (`const f = () => …`) a place of the outer one
 * and the inner one's start are the same, and V8 takes it for the inner one's: that place is passed
 * over, so that a function which begins so is known by its next statement.
 */
export function findEntries(session: Session, script: Script): readonly Place[] {
  const seen = new Set<string>()
  const entries: Place[] = []
  for (const place of findPlaces(session, script)) {
    if (seen.has(keyOf(place))) continue
    const own = placesIn(session, { start: place, restrictToFunction: true }).map(keyOf)
    if (own[0] !== keyOf(place)) continue
    entries.push(place)
    for (const key of own) seen.add(key)
  }
  return entries
}

const keyOf = ({ lineNumber, columnNumber }: Place): string => `${lineNumber}:${columnNumber}`

/** All places of a script, in order. */
function findPlaces(session: Session, script: Script): readonly Place[] {
  const start = { scriptId: script.scriptId, lineNumber: 0, columnNumber: 0 }
  const places = placesIn(session, { start })
  return places.length > 0 ? places : findInside(session, script)
}

/**
 * The places within functions. Of a CommonJS module whose own code was collected as garbage, V8 13 finds
 * all that lies in one function that is still there, and nothing where it is asked for more. So it is
 * asked for less and less, down to what lies from mark to mark: a body comes after `{` or `=>`, what a
 * field is set to after `=`, and what a function goes on with after the others, or in the next line.
 */
function findInside(session: Session, { scriptId }: Script): readonly Place[] {
  const answer = command<Debugger.GetScriptSourceReturnType>((take) =>
    session.post('Debugger.getScriptSource', { scriptId }, take),
  )
  const lines = (answer?.scriptSource ?? '').split(/\r\n|[\n\r\u2028\u2029]/)
  const marks = lines.flatMap((line, lineNumber) =>
    Array.from(line.matchAll(/[{};,)\]]|=>?|$/g), ({ 0: mark, index }) => ({
      ...{ scriptId, lineNumber, columnNumber: index + mark.length },
    })),
  )
  const between = (from: number, to: number): readonly Place[] => {
    const [start, end] = [marks[from], marks[to]]
    if (start === undefined || end === undefined || from === to) return []
    if (to - from === 1) return placesIn(session, { start, end, restrictToFunction: true })
    const places = placesIn(session, { start, end })
    if (places.length > 0) return places
    const middle = (from + to) >> 1
    return [...between(from, middle), ...between(middle, to)]
  }
  return between(0, marks.length - 1)
}

/** The places from a start on, as many times asked for as it takes. */
function placesIn(session: Session, range: Range): readonly Place[] {
  const places: Place[] = []
  for (let next: Range | undefined = range; next !== undefined; ) {
    const asked: Range = next
    const answer = command<Found>((take) =>
      session.post('Debugger.getPossibleBreakpoints', asked, take),
    )
    const locations = answer?.locations ?? []
    for (const { scriptId, lineNumber, columnNumber = 0 } of locations) {
      places.push({ scriptId, lineNumber, columnNumber })
    }
    const last = locations.length < MOST_PLACES ? undefined : places.at(-1)
    next = last && { ...range, start: { ...last, columnNumber: last.columnNumber + 1 } }
  }
  return places
}
