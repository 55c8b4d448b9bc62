// SPDX-License-Identifier: Apache-2.0
import { type Debugger, Session } from 'node:inspector'

/** A script as V8 knows it. */
export type Script = Pick<Debugger.ScriptParsedEventDataType, 'scriptId' | 'url'>

/** A session with V8's debugger in this thread. What it set ends with it. */
export interface Inspector {
  /** The scripts that are loaded. */
  readonly scripts: readonly Script[]
  /** Stops the program where each function of a script begins, if a condition says so there. */
  readonly breakOnEntries: (script: Script, condition: string) => void
  readonly close: () => void
}

/**
 * Connects to V8's own debugger. Within one thread every command is answered before it returns.
 *
 * @param onPaused  called when the program stands still; `close` or the answer's end lets it go on
 */
export function openInspector(onPaused: () => void): Inspector {
  const session = new Session()
  session.connect()
  const scripts: Script[] = []
  const note = ({ params }: { readonly params: Script }): void => void scripts.push(params)
  session.on('Debugger.scriptParsed', note)
  session.on('Debugger.paused', () => {
    onPaused()
    // A `debugger` statement of the program, say. Nobody else may be there to let it go on.
    if (isOpen) session.post('Debugger.resume')
  })
  let isOpen = true
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    session.disconnect()
  }
  try {
    session.post('Debugger.enable', failOn)
  } catch (thrown) {
    close()
    throw thrown
  }
  session.off('Debugger.scriptParsed', note)
  return {
    scripts,
    close,
    breakOnEntries: (script, condition) => {
      for (const location of findEntries(session, script)) {
        session.post('Debugger.setBreakpoint', { location, condition }, failOn)
      }
    },
  }
}

/**
 * The first place of each function of a script where the program can stop in that function alone,
 * functions that never ran among them. Asked to stay within one function from a place on, V8 gives the
 * places of that function, those of the functions within it left out: the first place not yet given
 * begins another. Where a function is written as a value (`const f = () => …`) a place of the outer one
 * and the inner one's start are the same, and V8 takes it for the inner one's: that place is passed
 * over, so that a function which begins so is known by its next statement.
 */
function findEntries(session: Session, { scriptId }: Script): readonly Debugger.Location[] {
  const seen = new Set<string>()
  const keyOf = ({ lineNumber, columnNumber }: Debugger.Location): string =>
    `${lineNumber}:${columnNumber}`
  const entries: Debugger.Location[] = []
  for (const place of breakable(session, { scriptId, lineNumber: 0, columnNumber: 0 }, false)) {
    if (seen.has(keyOf(place))) continue
    const own = breakable(session, place, true).map(keyOf)
    if (own[0] !== keyOf(place)) continue
    entries.push(place)
    for (const key of own) seen.add(key)
  }
  return entries
}

function breakable(
  session: Session,
  { scriptId, lineNumber, columnNumber }: Debugger.Location,
  restrictToFunction: boolean,
): readonly Debugger.Location[] {
  const start = { scriptId, lineNumber, columnNumber: columnNumber ?? 0 }
  let found: readonly Debugger.Location[] = []
  session.post(
    'Debugger.getPossibleBreakpoints',
    { start, restrictToFunction },
    (error, answer) => {
      failOn(error)
      found = answer.locations.map((one) => ({
        scriptId,
        lineNumber: one.lineNumber,
        columnNumber: one.columnNumber ?? 0,
      }))
    },
  )
  return found
}

function failOn(error: Error | null): void {
  if (error !== null) throw new Error(`V8's debugger: ${error.message}`)
}
