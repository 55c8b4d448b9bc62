// SPDX-License-Identifier: Apache-2.0
import { type Debugger, Session } from 'node:inspector'
import { command } from './command.ts'
import { findEntries } from './find-entries.ts'

/** A script as V8 knows it. */
export type Script = Pick<Debugger.ScriptParsedEventDataType, 'scriptId' | 'url' | 'length'>

/** A session with V8's debugger in this thread. What it set ends with it. */
export interface Inspector {
  /** The scripts that are loaded. */
  readonly scripts: readonly Script[]
  /**
   * Stops the program where each function of a script begins, if a condition says so there.
   *
   * @param conditionAt  the condition for a position, line from 1 and column from 0, or undefined where
   * nothing is to be asked
   */
  readonly breakOnEntries: (
    script: Script,
    conditionAt: (line: number, column: number) => string | undefined,
  ) => void
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
    command((answer) => session.post('Debugger.enable', answer))
  } catch (thrown) {
    close()
    throw thrown
  }
  session.off('Debugger.scriptParsed', note)
  return {
    scripts,
    close,
    breakOnEntries: (script, conditionAt) => {
      for (const location of findEntries(session, script)) {
        const condition = conditionAt(location.lineNumber + 1, location.columnNumber)
        if (condition === undefined) continue
        const breakpoint = { location, condition }
        command((answer) => session.post('Debugger.setBreakpoint', breakpoint, answer))
      }
    },
  }
}
