// SPDX-License-Identifier: Apache-2.0

/** Where the condition of a breakpoint finds the hook: no name of the program can hide it. */
const HOOK = Symbol.for('@beam-mcp/connectome.tracer')

/** Frames that are looked at for a caller. */
const MOST_FRAMES = 16

/**
 * What stands at the beginning of every traced function while a tracer runs. It is handed the number
 * of what was entered, and neither arguments nor `this`.
 *
 * @returns whether the program has to stop there
 */
export type EntryHook = (entered: number) => boolean

/** The condition by which what was entered is known. Never throws into the program. */
export function conditionFor(entered: number): string {
  return `globalThis[Symbol.for('${String(HOOK.description)}')](${entered})`
}

/** Whether a hook is there, be it of another copy of this package. */
export function isHooked(): boolean {
  return Object.hasOwn(globalThis, HOOK)
}

/** Puts the hook where conditions find it. The answer takes it away. */
export function installHook(hook: EntryHook): () => void {
  Object.defineProperty(globalThis, HOOK, { value: hook, configurable: true, enumerable: false })
  return () => void Reflect.deleteProperty(globalThis, HOOK)
}

/** What is read of a frame: where its code stands, and nothing that the program holds. */
export type Frame = Pick<
  NodeJS.CallSite,
  'getFileName' | 'getLineNumber' | 'getColumnNumber' | 'isConstructor'
>

/**
 * Whoever called the function that a hook stands in: the nearest frame below it that `callerIn` knows, on
 * the synchronous stack. Code of Node's own and built-ins, such as `map`, are passed over. Undefined
 * where a timer, a socket or a promise called.
 *
 * @param hook  the hook that asks, which is not part of the program's stack
 */
export function findCaller<Caller>(
  hook: EntryHook,
  callerIn: (frame: Frame) => Caller | undefined,
): Caller | undefined {
  // The first frame is the condition, the second the function that was entered.
  for (const site of stackAbove(hook).slice(2)) {
    if (site.isAsync()) return undefined // from here on they wait for what runs, and did not call it
    const caller = callerIn(site)
    if (caller !== undefined) return caller
  }
  return undefined
}

/** The host's own ways with stacks are put back before anything else runs. */
function stackAbove(hook: EntryHook): readonly NodeJS.CallSite[] {
  const { prepareStackTrace, stackTraceLimit } = Error
  const holder: { stack?: unknown } = {}
  try {
    Error.prepareStackTrace = (_error, sites) => sites
    Error.stackTraceLimit = MOST_FRAMES
    Error.captureStackTrace(holder, hook)
    return Array.isArray(holder.stack) ? (holder.stack as NodeJS.CallSite[]) : []
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    if (prepareStackTrace === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace')
    else Error.prepareStackTrace = prepareStackTrace
  }
}
