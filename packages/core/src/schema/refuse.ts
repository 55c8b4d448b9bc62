// SPDX-License-Identifier: Apache-2.0
import { BEAM_ERR_SCHEMA_UNSUPPORTED } from '../errors.ts'
import { cut } from './json.ts'

/** Makes the error for one place in a schema; the caller throws it. */
export type Refuse = (pointer: string, why: string) => Error

const MAX_POINTER = 256

/**
 * Makes start-up refusals that name the schema, the JSON pointer inside it, and what to change.
 *
 * @param where  the schema in the host's words, such as `tool 'echo' inputSchema`
 */
export function createRefuse(where: string): Refuse {
  return (pointer, why) =>
    new BEAM_ERR_SCHEMA_UNSUPPORTED(
      where,
      pointer === '' ? `at the root, ${why}` : `at ${cut(pointer, MAX_POINTER)}, ${why}`,
    )
}
