// SPDX-License-Identifier: Apache-2.0
import { BEAM_ERR_CONTRACT } from '../errors.ts'
import type { Refusal } from '../protocol/exchange.ts'
import { asError, type Logger, logSafely } from '../protocol/logger.ts'
import { isJsonObject, isThenable, type JsonObject } from '../protocol/plain.ts'
import { internalError, invalidRequest } from '../protocol/wire-errors.ts'

/**
 * An admission: with the identity, wherever the host's principal is more than optional. Its
 * subscriptions end at `expiresAt`: a Date, or milliseconds since 1970; the earlier one of `authorize`
 * and `authorizeBody`.
 */
export type Admission<Principal> = undefined extends Principal
  ? { readonly ok: true; readonly principal?: Principal; readonly expiresAt?: Date | number }
  : { readonly ok: true; readonly principal: Principal; readonly expiresAt?: Date | number }

/** A refusal. Without a status it is 403. */
export interface Denial {
  readonly ok: false
  /** For the log alone; never sent. */
  readonly reason?: string
  readonly status?: 401 | 403
  /** The `WWW-Authenticate` value. @see MCP 2026-07-28, Authorization: AUTH-07, AUTH-08 */
  readonly challenge?: string
}

/** What a decision hook answers, now or later. Whatever else it does, the request is refused. */
export type Decision<Principal = unknown> = Admission<Principal> | Denial

/** A decision as the transport acts on it. */
export type Verdict =
  | {
      readonly ok: true
      readonly principal: unknown
      /** Milliseconds since 1970. */
      readonly expiresAt?: number | undefined
    }
  | { readonly ok: false; readonly refusal: Refusal }

/** How a hook is asked. */
export interface Asking {
  /** The hook's name, for the log. */
  readonly hook: 'authorize' | 'authorizeBody' | 'authorizeCall'
  readonly log: Logger
  /** Milliseconds to answer in. */
  readonly timeoutMs: number
}

const SAFE_HEADER = /^[\t\x20-\x7e]+$/

/**
 * Asks a decision hook and fails closed: only `{ ok: true }` admits. A throw or a rejection is 500,
 * silence 503, and an answer of any other shape 403. Reasons and breaks of the contract go to the
 * log, and nothing of them to the caller.
 */
export function decide(asking: Asking, ask: () => unknown): Verdict | Promise<Verdict> {
  try {
    const answer = ask()
    return isThenable(answer) ? decideLater(asking, answer) : readDecision(asking, answer)
  } catch (thrown) {
    return failed(asking, thrown)
  }
}

/** Waits for an answer, or for the end of its time, whichever is first; a late answer is ignored. */
async function decideLater(asking: Asking, answer: PromiseLike<unknown>): Promise<Verdict> {
  let timer: NodeJS.Timeout | undefined
  const silence = new Promise<Verdict>((resolve) => {
    timer = setTimeout(() => resolve(silent(asking)), asking.timeoutMs)
  })
  try {
    return await Promise.race([readLater(asking, answer), silence])
  } finally {
    clearTimeout(timer)
  }
}

async function readLater(asking: Asking, answer: PromiseLike<unknown>): Promise<Verdict> {
  try {
    return readDecision(asking, await answer)
  } catch (thrown) {
    return failed(asking, thrown)
  }
}

function failed({ hook, log }: Asking, thrown: unknown): Verdict {
  logSafely(log, 'error', { err: asError(thrown) }, `${hook} failed; the request is refused`)
  return { ok: false, refusal: { error: internalError(500) } }
}

function silent({ hook, log, timeoutMs }: Asking): Verdict {
  logSafely(log, 'error', { timeoutMs }, `${hook} did not answer in time; the request is refused`)
  return { ok: false, refusal: { error: internalError(503) } }
}

function readDecision(asking: Asking, answer: unknown): Verdict {
  try {
    return judge(asking, answer)
  } catch (thrown) {
    return failed(asking, thrown)
  }
}

function judge(asking: Asking, answer: unknown): Verdict {
  if (isJsonObject(answer) && answer['ok'] === true) {
    return admitUntil(asking, answer)
  }
  if (!isJsonObject(answer) || answer['ok'] !== false) {
    complain(asking, 'must answer { ok: true } or { ok: false }')
    return refusal(403)
  }
  return deny(asking, answer)
}

/** An end that can't be read refuses: it was meant to bound something. */
function admitUntil(asking: Asking, { principal, expiresAt }: JsonObject): Verdict {
  if (expiresAt === undefined) return { ok: true, principal }
  const time = expiresAt instanceof Date ? expiresAt.getTime() : expiresAt
  if (typeof time === 'number' && Number.isFinite(time))
    return { ok: true, principal, expiresAt: time }
  complain(asking, 'answered an expiresAt that is neither a Date nor milliseconds')
  return refusal(403)
}

function deny(asking: Asking, { reason, status, challenge }: JsonObject): Verdict {
  const bindings = typeof reason === 'string' ? { reason } : {}
  logSafely(asking.log, 'info', bindings, `${asking.hook} refused the request`)
  if (status !== undefined && status !== 401 && status !== 403) {
    complain(asking, 'may choose the status 401 or 403 alone')
    return refusal(403)
  }
  if (challenge === undefined) return refusal(status ?? 403)
  if (typeof challenge !== 'string' || !SAFE_HEADER.test(challenge)) {
    complain(asking, 'answered a challenge that is no header value')
    return refusal(status ?? 403)
  }
  return refusal(status ?? 403, challenge)
}

function refusal(status: 401 | 403, challenge?: string): Verdict {
  const error = invalidRequest(status === 401 ? 'Unauthorized' : 'Forbidden', status)
  return { ok: false, refusal: { error, challenge } }
}

function complain({ hook, log }: Asking, what: string): void {
  logSafely(log, 'error', { err: new BEAM_ERR_CONTRACT(hook, what) }, `${hook} broke its contract`)
}
