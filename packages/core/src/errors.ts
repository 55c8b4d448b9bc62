// SPDX-License-Identifier: Apache-2.0
import createError, { type FastifyErrorConstructor } from '@fastify/error'

/**
 * Local errors: a wrong program or host. They are thrown, mostly at start-up, and never reach a
 * peer. Match on `code`; `docs/errors.md` has a line for each.
 */

type LocalError<Code extends string, Args extends unknown[]> = FastifyErrorConstructor<
  { code: Code; statusCode: 500 },
  Args
>

/** A tool's schema can't be enforced exactly as it is written. Thrown at start-up. */
export const BEAM_ERR_SCHEMA_UNSUPPORTED: LocalError<
  'BEAM_ERR_SCHEMA_UNSUPPORTED',
  [where: string, why: string]
> = createError('BEAM_ERR_SCHEMA_UNSUPPORTED', '%s: %s', 500)
