// SPDX-License-Identifier: Apache-2.0
import { warnOf } from '../protocol/logger.ts'
import { readFunction } from '../protocol/option-readers.ts'
import { runUnawaited } from '../protocol/settle.ts'

/**
 * Reads the option `onError`. Telling of a fault may fail as well, at once or later, and must reach
 * neither whoever announces nor a connection: what it fails with is a process warning.
 *
 * @throws BEAM_ERR_OPT_INVALID
 */
export function readErrorCallback(given: unknown): (error: unknown) => void {
  const onError = readFunction<(error: unknown) => unknown>('onError', given)
  return onError === undefined ? warnOf : (error) => runUnawaited(() => onError(error), warnOf)
}
