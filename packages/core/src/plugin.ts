// SPDX-License-Identifier: Apache-2.0
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest, RegisterOptions } from 'fastify'
import fp from 'fastify-plugin'
import { type Beam, createBeam as createServerBeam } from './catalog/create-beam.ts'
import { askAuthorizeCall } from './http/authorize-call.ts'
import { joinEndpoints, type McpEndpoint, type McpEndpoints } from './http/endpoints.ts'
import {
  type BeamMcpOptions,
  type ReadPluginOptions,
  readPluginOptions,
} from './http/plugin-options.ts'
import { httpRoutes } from './http/routes.ts'
import { createTransportServer, type TransportServer } from './protocol/create-server.ts'
import { inProcess } from './protocol/in-process.ts'
import { createNotifier } from './subscriptions/change-notifier.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The endpoints of this scope: `handle` of the first, `at(fullPath)` for each. */
    mcp: McpEndpoints
  }
  interface FastifyContextConfig {
    /** Of the routes of an endpoint: `serverInfo.name` of the server that answers there. */
    mcp?: { readonly server: string }
  }
}

declare module './catalog/context.ts' {
  interface TransportContext {
    /** The request that a call came by; undefined in process and on stdio. */
    readonly request?: FastifyRequest
  }
}

const plugin = async (
  app: FastifyInstance,
  given: BeamMcpOptions & RegisterOptions,
): Promise<void> => {
  const { prefix, logLevel, logSerializers, ...own } = given
  const options = readPluginOptions(own)
  const server = createTransportServer({ ...options.server, logger: app.log })
  if (options.isOpenToRebinding) {
    app.log.warn(
      "allowedOrigins is 'any' and allowedHosts is not given: a page that rebinds its own name to this server can call it",
    )
  }
  if (options.decorator !== false) {
    const fullPath = joinPath(app.prefix, prefix, options.path)
    joinEndpoints(app, options.decorator, fullPath, endpointOf(app, options, server))
  }
  await app.register(httpRoutes, {
    // Fastify ignores these on a plugin that skips encapsulation: the routes are given them.
    ...(prefix !== undefined && { prefix }),
    ...(logLevel !== undefined && { logLevel }),
    ...(logSerializers !== undefined && { logSerializers }),
    server,
    options,
  })
}

/** The path of the route, whose prefixes Fastify joins by one slash each. */
function joinPath(scope: string, prefix: string | undefined, path: string): string {
  const prefixes = [scope, prefix ?? ''].map((part) => part.replace(/^\/|\/$/g, ''))
  const before = prefixes.map((part) => (part === '' ? '' : `/${part}`)).join('')
  return path === '/' ? before || '/' : `${before}${path}`
}

function endpointOf(
  app: FastifyInstance,
  options: ReadPluginOptions,
  server: TransportServer,
): McpEndpoint {
  const { log } = app
  return {
    notify: server.options.subscriptions?.notifier ?? createNotifier(),
    handle: (message, context) => {
      const exchange = inProcess(context, log)
      const { principal } = exchange
      const authorizeCall = askAuthorizeCall(options, { principal, request: undefined, log })
      return server.serveValue(message, { ...exchange, authorizeCall })
    },
  }
}

/**
 * Serves MCP 2026-07-28 at one endpoint of a Fastify v5 application.
 *
 * @throws BEAM_ERR_OPT_INVALID, BEAM_ERR_HTTP_DECORATOR_TAKEN when it is registered, and what the
 * catalog check throws when the application gets ready
 * @see docs/http.md
 */
export const beamMcp = fp(plugin, { fastify: '5.x', name: '@beam-mcp/core' })

/** The sugar for one type of principal, and the plugin whose `authorize` has to answer it. */
export interface HttpBeam<Principal> extends Beam<Principal> {
  readonly plugin: FastifyPluginAsync<BeamMcpOptions<Principal>>
}

/**
 * Fixes the principal's type, so that what `authorize` answers is what `context.principal` is.
 *
 * @typeParam Principal  the identity of a caller in this host
 */
export function createBeam<Principal>(): HttpBeam<Principal> {
  // One plugin serves every principal; only its type differs.
  const typed = beamMcp as FastifyPluginAsync<
    RegisterOptions & BeamMcpOptions
  > as HttpBeam<Principal>['plugin']
  return { ...createServerBeam<Principal>(), plugin: typed }
}
