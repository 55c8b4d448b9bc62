// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from '../catalog/catalog.ts'
import { type InputRequired, isInputRequired, isMissingCapability } from '../catalog/outcome.ts'
import { BEAM_ERR_CONTRACT } from '../errors.ts'
import { hostFault } from './host-fault.ts'
import { encodeInputRequired } from './input-required.ts'
import { idForLog } from './json-rpc.ts'
import { asError, logSafely } from './logger.ts'
import { asItIs, type Finish } from './observe.ts'
import { isJsonObject, type JsonObject } from './plain.ts'
import type { Call, Reply } from './revision.ts'
import { settle } from './settle.ts'
import { within } from './time-limit.ts'
import { internalError, invalidParams, missingClientCapability } from './wire-errors.ts'

/** One callback of the host, and how its method tells the caller what comes of it. */
export interface Question {
  readonly ask: () => unknown
  /** Writes what was answered; a throw is a host fault. */
  readonly encode: (answer: unknown) => Reply
  /** What failed, as a log line begins: `A tool failed`. */
  readonly fault: string
  /** What was asked, for the log: `{ tool: 'echo' }`. */
  readonly named: object
  /** Whether the host may answer that the client has to be asked first. @see MRTR-02 */
  readonly mayAskClient?: boolean
  /** Milliseconds for this one, before the server's own. */
  readonly limitMs?: number | undefined
  /** Tells a caller of a failure that it may know of. Default: an error. */
  readonly tell?: (text: string) => Reply
  /** Given the reply once, before it is answered. Default: nobody is told of it. */
  readonly finish?: Finish
}

/**
 * Asks the host: within its time, and with whatever can become of it.
 *
 * @returns the reply; it never rejects
 * @see MCP 2026-07-28, Error Codes: ERR-07, ERR-11; Timeouts: CANC-10
 */
export function askHost(call: Call, question: Question): Awaitable<Reply> {
  const { finish = asItIs } = question
  const refused = question.mayAskClient === true ? refuseRetry(call, question) : undefined
  if (refused !== undefined) return finish(refused)
  const limitMs = question.limitMs ?? call.service.timeoutMs
  if (limitMs === undefined) return ask(call, question, finish)
  const run = (): Awaitable<Reply> => ask(call, question, asItIs)
  return within(call, limitMs, run, () => timeOut(call, question, limitMs), finish)
}

function ask(call: Call, question: Question, finish: Finish): Awaitable<Reply> {
  const { encode } = question
  return settle<unknown, Reply>(
    question.ask,
    (answer) => finish(readRefusal(call, question, answer) ?? encode(answer)),
    (thrown) => finish(readRefusal(call, question, thrown) ?? fail(call, question, thrown)),
  )
}

/** Work that throws because it was told to stop is no fault of the host's. @see CANC-03 */
function fail(call: Call, { fault, named }: Question, thrown: unknown): Reply {
  if (!call.context.isAbandoned) return hostFault(call, thrown, fault, named)
  const bindings = { err: asError(thrown), requestId: idForLog(call.context.requestId), ...named }
  logSafely(call.log, 'info', bindings, `${fault} after nobody waited for it any more`)
  return { error: internalError() }
}

/** A state that does not open refuses the retry before the host hears of it. @see MRTR-08 */
function refuseRetry(call: Call, { fault, named }: Question): Reply | undefined {
  try {
    void call.retry?.state
    return undefined
  } catch (thrown) {
    return refuseInput(call) ?? hostFault(call, thrown, fault, named)
  }
}

/** What a client sent back and a callback of the host found malformed, whatever it made of it. */
export function refuseInput({ retry }: Call): Reply | undefined {
  return retry?.fault && { error: invalidParams(retry.fault.message) }
}

/** What ends a request without an answer of the method's own; undefined for everything else. */
function readRefusal(call: Call, question: Question, outcome: unknown): Reply | undefined {
  const invalid = refuseInput(call)
  if (invalid !== undefined) return invalid
  if (isInputRequired(outcome) && question.mayAskClient === true) {
    return askClient(call, question, outcome)
  }
  return readMissing(call, question, outcome)
}

function askClient(call: Call, question: Question, outcome: InputRequired): Reply {
  const { fault, named, tell = tellError } = question
  if (call.revision.era === 'legacy') return tell('This needs a client that can be asked for input')
  try {
    return encodeInputRequired(call, outcome)
  } catch (thrown) {
    return hostFault(call, thrown, fault, named)
  }
}

/** The older era has no error for it: its callers are told in words. @see L-HTTP-11 */
function readMissing(call: Call, question: Question, outcome: unknown): Reply | undefined {
  if (!isMissingCapability(outcome)) return undefined
  const { tell = tellError, fault, named } = question
  const { requiredCapabilities } = outcome
  if (!isJsonObject(requiredCapabilities)) {
    const broken = new BEAM_ERR_CONTRACT('missingCapability', 'was given no object')
    return hostFault(call, broken, fault, named)
  }
  return call.revision.era === 'modern'
    ? { error: missingClientCapability(requiredCapabilities) }
    : tell(`This needs a client with ${listNames(requiredCapabilities)}`)
}

function listNames(capabilities: JsonObject): string {
  return Object.keys(capabilities).join(', ')
}

function timeOut(call: Call, { fault, named, tell = tellError }: Question, limitMs: number): Reply {
  const bindings = { requestId: idForLog(call.context.requestId), limitMs, ...named }
  logSafely(call.log, 'warn', bindings, `${fault}: no answer in its time`)
  return tell(`No answer within ${limitMs} ms`)
}

function tellError(text: string): Reply {
  return { error: { ...internalError(), message: text } }
}
