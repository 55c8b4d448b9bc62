// SPDX-License-Identifier: Apache-2.0
import type { Readable, Writable } from 'node:stream'
import { hasMethods, isTimerMs, LONGEST_TIMER_MS, readCount } from '../protocol/option-readers.ts'
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'
import { refuseOption, refuseUnknown } from '../protocol/refuse-option.ts'
import {
  pickServerOptions,
  SERVER_OPTION_NAMES,
  type ServerOptions,
} from '../protocol/server-options.ts'

/** The options of `runStdio`. Whatever is not named here is refused. */
export interface StdioOptions<Principal = unknown> extends ServerOptions<Principal> {
  /** Where messages come from, as bytes. @default process.stdin */
  readonly input?: Readable
  /** Where answers go, a line each. @default process.stdout */
  readonly output?: Writable
  /** Who calls: `context.principal` of every call. Its credentials come from the environment (IO-13). */
  readonly principal?: Principal
  /** Ends the run at once when it is aborted. */
  readonly signal?: AbortSignal
  /** Requests that run at the same time, from 1; with 1 everything is answered in order. @default 64 */
  readonly maxConcurrency?: number
  /** Milliseconds that accepted requests have after the end of input, from 0. @default 5_000 */
  readonly drainTimeoutMs?: number
}

/** The same, checked and with every default filled in; `server` is for the server to check. */
export interface ReadStdioOptions {
  readonly server: JsonObject
  readonly input: Readable
  readonly output: Writable
  /** Whether both streams are those of the process, which then lives as long as the run. */
  readonly ownsProcess: boolean
  readonly principal: unknown
  readonly signal: AbortSignal | undefined
  readonly maxConcurrency: number
  readonly drainTimeoutMs: number
}

const OWN_NAMES = [
  'input',
  'output',
  'principal',
  'signal',
  'maxConcurrency',
  'drainTimeoutMs',
] as const
const DEFAULT_CONCURRENCY = 64
const DEFAULT_DRAIN_MS = 5_000

/**
 * Checks the options of a run, those of the protocol server excepted.
 *
 * @throws BEAM_ERR_OPT_INVALID naming the option and the fix
 */
export function readStdioOptions(given: unknown): ReadStdioOptions {
  if (!isJsonObject(given)) {
    return refuseOption('options', 'must be an object with catalog and dispatch')
  }
  refuseUnknown(given, [...OWN_NAMES, ...SERVER_OPTION_NAMES])
  const { input, output, signal } = given
  return Object.freeze({
    server: pickServerOptions(given, SERVER_OPTION_NAMES),
    input: readInput(input),
    output: readOutput(output),
    ownsProcess: input === undefined && output === undefined,
    principal: given['principal'],
    signal: readSignal(signal),
    maxConcurrency: readCount('maxConcurrency', given['maxConcurrency'], DEFAULT_CONCURRENCY),
    drainTimeoutMs: readDrainTimeout(given['drainTimeoutMs']),
  })
}

function readInput(given: unknown): Readable {
  if (given === undefined) return process.stdin
  return hasMethods(given, ['on', 'off', 'pause', 'resume', 'read'])
    ? (given as Readable)
    : refuseOption('input', 'must be a readable stream of bytes, or left out')
}

function readOutput(given: unknown): Writable {
  if (given === undefined) return process.stdout
  return hasMethods(given, ['on', 'off', 'write', 'end'])
    ? (given as Writable)
    : refuseOption('output', 'must be a writable stream of bytes, or left out')
}

function readSignal(given: unknown): AbortSignal | undefined {
  if (given === undefined) return undefined
  return hasMethods(given, ['addEventListener', 'removeEventListener'])
    ? (given as AbortSignal)
    : refuseOption('signal', 'must be an AbortSignal, or left out')
}

function readDrainTimeout(given: unknown): number {
  if (given === undefined) return DEFAULT_DRAIN_MS
  return given === 0 || isTimerMs(given)
    ? given
    : refuseOption(
        'drainTimeoutMs',
        `must be a whole number of milliseconds from 0 to ${LONGEST_TIMER_MS}`,
      )
}
