// SPDX-License-Identifier: Apache-2.0

type LogMethod = (bindings: object, message: string) => void

/** The part of a pino logger that is used. */
export interface Logger {
  readonly error: LogMethod
  readonly warn: LogMethod
  readonly info: LogMethod
  readonly debug: LogMethod
}

const toStderr =
  (level: string): LogMethod =>
  (bindings, message) =>
    console.error(`[@beam-mcp/core] ${level}: ${message}`, bindings)

/** Standard error, for a server that was given no logger; info and debug are dropped. */
export const STDERR_LOGGER: Logger = {
  error: toStderr('error'),
  warn: toStderr('warn'),
  info: () => undefined,
  debug: () => undefined,
}

/** What was thrown, as an Error: `throw undefined` and `throw 'text'` keep what they said. */
export function asError(thrown: unknown): Error {
  try {
    if (thrown instanceof Error) return thrown
    const text =
      typeof thrown === 'object' && thrown !== null
        ? Object.prototype.toString.call(thrown)
        : String(thrown)
    return new Error(`a value that is no Error was thrown: ${text}`)
  } catch {
    // A revoked proxy, or one whose traps throw: nothing may be asked of it.
    return new Error('a value that is no Error was thrown, and it can not be described')
  }
}

/**
 * Writes one line and survives a logger that throws: an answer is on its way, and a broken log may
 * not take it along.
 */
export function logSafely(
  log: Logger,
  level: keyof Logger,
  bindings: object,
  message: string,
): void {
  try {
    log[level](bindings, message)
  } catch (thrown) {
    warnOf(thrown)
  }
}

/** Tells of a fault where there is no log for it: a process warning, whatever was thrown. */
export function warnOf(thrown: unknown): void {
  process.emitWarning(plainError(thrown))
}

/** An error with nothing but text in it: Node looks into the one it warns of, now and once more later. */
function plainError(thrown: unknown): Error {
  try {
    const { message, stack } = asError(thrown)
    const plain = new Error(String(message))
    plain.stack = String(stack)
    return plain
  } catch {
    return new Error('A log failed, and what it threw can not be described')
  }
}
