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

/** An option is missing, unknown or of the wrong shape. Thrown before anything is registered. */
export const BEAM_ERR_OPT_INVALID: LocalError<
  'BEAM_ERR_OPT_INVALID',
  [option: string, why: string]
> = createError('BEAM_ERR_OPT_INVALID', "Option '%s' %s", 500)

/** `capabilities()` failed or answered something that is not a catalog. */
export const BEAM_ERR_CATALOG_INVALID: LocalError<'BEAM_ERR_CATALOG_INVALID', [why: string]> =
  createError('BEAM_ERR_CATALOG_INVALID', 'The catalog is refused: %s', 500)

/** One entry of the catalog is refused; the message names it and the fix. */
export const BEAM_ERR_CATALOG_ENTRY: LocalError<
  'BEAM_ERR_CATALOG_ENTRY',
  [entry: string, why: string]
> = createError('BEAM_ERR_CATALOG_ENTRY', '%s: %s', 500)

/** A schema can't be enforced exactly as it is written. Thrown at start-up. */
export const BEAM_ERR_SCHEMA_UNSUPPORTED: LocalError<
  'BEAM_ERR_SCHEMA_UNSUPPORTED',
  [where: string, why: string]
> = createError('BEAM_ERR_SCHEMA_UNSUPPORTED', '%s: %s', 500)

/** The decorator's name belongs to something else on this Fastify instance. */
export const BEAM_ERR_HTTP_DECORATOR_TAKEN: LocalError<
  'BEAM_ERR_HTTP_DECORATOR_TAKEN',
  [name: string]
> = createError(
  'BEAM_ERR_HTTP_DECORATOR_TAKEN',
  "The name '%s' is taken on this Fastify instance by something else; give the plugin another with the option 'decorator', or false for none",
  500,
)

/** `at(fullPath)` names a path at which this scope serves no endpoint. */
export const BEAM_ERR_HTTP_NO_ENDPOINT: LocalError<
  'BEAM_ERR_HTTP_NO_ENDPOINT',
  [path: string, known: string]
> = createError(
  'BEAM_ERR_HTTP_NO_ENDPOINT',
  "No MCP endpoint at '%s' in this scope; there is: %s",
  500,
)

/**
 * A content helper was given a wrong argument, or a handler, reader, completer or decision hook answered
 * outside its contract. Logged, never sent.
 */
export const BEAM_ERR_CONTRACT: LocalError<'BEAM_ERR_CONTRACT', [who: string, what: string]> =
  createError('BEAM_ERR_CONTRACT', '%s %s', 500)

/** Redis can't be reached, or gives no answer. Its own error is the cause. */
export const BEAM_ERR_REDIS_UNAVAILABLE: LocalError<
  'BEAM_ERR_REDIS_UNAVAILABLE',
  [what: string, options?: { readonly cause: unknown }]
> = createError('BEAM_ERR_REDIS_UNAVAILABLE', 'Redis can not be %s', 500)
