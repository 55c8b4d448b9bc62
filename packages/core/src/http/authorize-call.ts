// SPDX-License-Identifier: Apache-2.0
import type { FastifyRequest } from 'fastify'
import type { Exchange } from '../protocol/exchange.ts'
import type { Logger } from '../protocol/logger.ts'
import { decide } from './decision.ts'
import type { ReadPluginOptions } from './plugin-options.ts'

/** Binds the host's scopes per call to one request, or to one call in process. */
export function askAuthorizeCall(
  { authorizeCall, authorizeTimeoutMs }: ReadPluginOptions,
  caller: {
    readonly principal: unknown
    readonly request: FastifyRequest | undefined
    readonly log: Logger
  },
): Exchange['authorizeCall'] {
  if (authorizeCall === undefined) return undefined
  const { principal, request, log } = caller
  const asking = { hook: 'authorizeCall', log, timeoutMs: authorizeTimeoutMs } as const
  return async ({ method, name }) => {
    const verdict = await decide(asking, () => authorizeCall({ method, name, principal, request }))
    return verdict.ok ? undefined : verdict.refusal
  }
}
