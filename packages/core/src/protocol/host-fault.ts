// SPDX-License-Identifier: Apache-2.0
import { idForLog } from './json-rpc.ts'
import { asError, logSafely } from './logger.ts'
import type { Call, Reply } from './revision.ts'
import { internalError } from './wire-errors.ts'

/**
 * Where an exception of the host meets the wire: the log has the error, the request's id and what
 * was called; the caller is told a fixed text.
 *
 * @param what  what failed, as a log line begins: `A tool failed`
 * @param named  what was called: `{ tool: 'echo' }`
 * @see MCP 2026-07-28, Error Codes: ERR-11
 */
export function hostFault(call: Call, thrown: unknown, what: string, named: object): Reply {
  const bindings = { err: asError(thrown), requestId: idForLog(call.context.requestId), ...named }
  logSafely(call.log, 'error', bindings, `${what}; the caller was told of an internal error`)
  return { error: internalError() }
}
