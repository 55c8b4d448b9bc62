// SPDX-License-Identifier: Apache-2.0
import type { FastifyInstance } from 'fastify'
import { BEAM_ERR_HTTP_DECORATOR_TAKEN, BEAM_ERR_HTTP_NO_ENDPOINT } from '../errors.ts'
import type { JsonRpcResponse } from '../protocol/create-server.ts'
import type { HandleContext } from '../protocol/in-process.ts'
import type { ChangeNotifier } from '../subscriptions/change-notifier.ts'

/** One endpoint, reached in process. */
export interface McpEndpoint {
  /** Tells the clients that listen at this endpoint of changes. */
  readonly notify: ChangeNotifier
  /**
   * Serves one decoded message as the endpoint would, without HTTP: the same checks but those of
   * the transport (Origin, headers, `authorize`); `authorizeCall` is asked, without a request.
   *
   * @returns the answer, or undefined for a notification
   */
  readonly handle: (
    message: unknown,
    context?: HandleContext,
  ) => Promise<JsonRpcResponse | undefined>
}

/** The endpoints of one scope: itself the first, and each by its path. */
export interface McpEndpoints extends McpEndpoint {
  /**
   * @param fullPath  prefix and path as the scope has them: `/a/mcp`, `/t/:tenant/mcp`
   * @throws BEAM_ERR_HTTP_NO_ENDPOINT naming the paths there are
   */
  readonly at: (fullPath: string) => McpEndpoint
}

/** What belongs to each decorator of ours; nothing else may carry its name. */
const REGISTRIES = new WeakMap<object, Map<string, McpEndpoint>>()

/**
 * Decorates the scope with its first endpoint, or lets a further one join. A child scope gets a
 * decorator of its own.
 *
 * @throws BEAM_ERR_HTTP_DECORATOR_TAKEN where the name belongs to anything else
 */
export function joinEndpoints(
  app: FastifyInstance,
  name: string,
  fullPath: string,
  endpoint: McpEndpoint,
): void {
  const present: unknown = Reflect.get(app, name)
  const registry = typeof present === 'object' && present !== null && REGISTRIES.get(present)
  if (Reflect.has(app, name) && !registry) throw new BEAM_ERR_HTTP_DECORATOR_TAKEN(name)
  if (registry && Object.hasOwn(app, name)) {
    registry.set(fullPath, endpoint)
    return
  }
  app.decorate(name, createEndpoints(new Map([[fullPath, endpoint]]), endpoint))
}

function createEndpoints(registry: Map<string, McpEndpoint>, first: McpEndpoint): McpEndpoints {
  const endpoints: McpEndpoints = {
    handle: first.handle,
    notify: first.notify,
    at: (fullPath) => {
      const endpoint = registry.get(fullPath)
      if (endpoint !== undefined) return endpoint
      throw new BEAM_ERR_HTTP_NO_ENDPOINT(fullPath, [...registry.keys()].join(', '))
    },
  }
  REGISTRIES.set(endpoints, registry)
  return endpoints
}
