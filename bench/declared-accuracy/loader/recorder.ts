// SPDX-License-Identifier: Apache-2.0

/** One way in which functions of the scope were entered, with the number of times. */
export interface Entry {
  readonly module: string
  /** The index of the function entered. */
  readonly entered: number
  /** The file and offset at which V8 sees the nearest frame of the scope below. */
  readonly file: string | undefined
  readonly position: number
  /**
   * Where that frame is a constructor: the frames below it, up to the first that is none. A class
   * without a constructor of its own has a frame, which stands at the class.
   */
  readonly below: readonly Place[]
  /** The mark that was passed last before: a site of this module about to call. */
  readonly markModule: string
  readonly markSite: number
  /** What stands between the two frames; where there is none below, what stands above it. */
  readonly via: 'nothing' | 'platform' | 'foreign' | 'driver'
  readonly count: number
}

/** A frame of a file in scope; the offset is one of the code that runs. */
export interface Place {
  readonly file: string
  readonly position: number
}

export interface Recording {
  readonly entries: readonly Entry[]
  /** The sites that ran, by module. */
  readonly sites: Readonly<Record<string, readonly number[]>>
}

/** Frames that are looked at first, and where none of them is of the scope. */
const NEAR = 4
const MAX_DEPTH = 60

type Counted = Omit<Entry, 'count'> & { count: number }
type Caller = Pick<Entry, 'file' | 'position' | 'via' | 'below'>

const outside = (via: Entry['via']): Caller => ({ file: undefined, position: -1, via, below: [] })

type Frames = readonly NodeJS.CallSite[]

/** V8's own answer, which Node's types leave out. */
interface V8Frame {
  readonly getPosition: () => number
  readonly isAsync: () => boolean
}

/**
 * Puts the functions into the global scope that the marks call. Each entry is tied to a call site by
 * two witnesses: the mark that was passed last and the frame below in V8's own stack, which has to
 * stand at that very call.
 *
 * @param isInScope  whether a file of a frame is instrumented
 * @param driver  the URL of the module that calls the scope from outside
 */
export function installRecorder(
  isInScope: (file: string) => boolean,
  driver: string,
): () => Recording {
  const entries = new Map<string, Counted>()
  const sites = new Map<string, Set<number>>()
  const known = new Map<string, boolean>()
  let [markModule, markSite] = ['', -1]

  const inScope = (file: string): boolean => {
    const answer = known.get(file) ?? isInScope(file)
    known.set(file, answer)
    return answer
  }

  function mark(module: string, site: number): void {
    markModule = module
    markSite = site
    const ran = sites.get(module)
    if (ran === undefined) sites.set(module, new Set([site]))
    else ran.add(site)
  }

  function enter(module: string, entered: number): void {
    const [markedModule, markedSite] = [markModule, markSite]
    markModule = ''
    markSite = -1
    const near = callerOf(framesBelow(enter, NEAR), inScope, driver)
    const from =
      near ?? callerOf(framesBelow(enter, MAX_DEPTH), inScope, driver) ?? outside('foreign')
    const under = from.below.map(({ file, position }) => `${file}:${position}`).join()
    const ends = `${module} ${entered} ${from.file} ${from.position} ${from.via} ${under}`
    const key = `${ends} ${markedModule} ${markedSite}`
    const seen = entries.get(key)
    if (seen !== undefined) seen.count += 1
    else
      entries.set(key, {
        module,
        entered,
        ...from,
        markModule: markedModule,
        markSite: markedSite,
        count: 1,
      })
  }

  define('__bmEnter', enter)
  define('__bmCall', (module: string, site: number) => {
    mark(module, site)
    return []
  })
  define('__bmPass', (module: string, site: number, value: unknown) => {
    mark(module, site)
    return value
  })
  return () => ({
    entries: [...entries.values()],
    sites: Object.fromEntries([...sites].map(([module, ran]) => [module, [...ran]])),
  })
}

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, enumerable: false })
}

/** The frames below the function that called, the function's own first. */
function framesBelow(top: (module: string, entered: number) => void, count: number): Frames {
  const { stackTraceLimit, prepareStackTrace } = Error
  const holder: { stack?: unknown } = {}
  Error.stackTraceLimit = count
  Error.prepareStackTrace = (_error, frames) => frames
  try {
    Error.captureStackTrace(holder, top)
    return Array.isArray(holder.stack) ? holder.stack : []
  } finally {
    Error.stackTraceLimit = stackTraceLimit
    if (prepareStackTrace === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace')
    else Error.prepareStackTrace = prepareStackTrace
  }
}

function callerOf(
  frames: Frames,
  inScope: (file: string) => boolean,
  driver: string,
): Caller | undefined {
  let via: Entry['via'] = 'nothing'
  for (const [index, frame] of frames.entries()) {
    if (index === 0) continue
    // Frames of functions that wait are no part of the synchronous stack.
    if (asV8(frame).isAsync()) return outside(via === 'nothing' ? 'platform' : via)
    const place = placeOf(frame)
    if (place !== undefined && inScope(place.file)) {
      return { ...place, via, below: belowOf(frames.slice(index), inScope) }
    }
    if (place?.file === driver && via === 'nothing') return outside('driver')
    if (isForeign(frame)) via = 'foreign'
    else if (via === 'nothing') via = 'platform'
  }
  // As many frames as were asked for may not be all of them.
  return frames.length === NEAR ? undefined : outside(via === 'nothing' ? 'platform' : via)
}

function belowOf(frames: Frames, inScope: (file: string) => boolean): readonly Place[] {
  const below: Place[] = []
  for (const [index, frame] of frames.entries()) {
    const next = placeOf(frames[index + 1])
    if (!frame.isConstructor() || next === undefined || !inScope(next.file)) break
    below.push(next)
  }
  return below
}

const asV8 = (frame: NodeJS.CallSite): V8Frame => frame as unknown as V8Frame

function placeOf(frame: NodeJS.CallSite | undefined): Place | undefined {
  const file = frame?.getFileName() ?? undefined
  return frame === undefined || file === undefined
    ? undefined
    : { file, position: asV8(frame).getPosition() }
}

/** Neither V8's own nor Node's: code of another package, or text that was made to code. */
function isForeign(frame: NodeJS.CallSite): boolean {
  const file = frame.getFileName() ?? undefined
  return file === undefined ? frame.isEval() : !file.startsWith('node:')
}
