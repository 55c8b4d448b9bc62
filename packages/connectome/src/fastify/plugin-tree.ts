// SPDX-License-Identifier: Apache-2.0
import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Collector } from '../observed/collector.ts'

/** The name of the scope that the tree is seen from. */
const ROOT = 'fastify'

/** A plugin's own name. Fastify calls one without a name by the text of its function. */
const PLAIN_NAME = /^[\w@./:-]{1,100}$/

/** The scopes of an application, each known by the names on the way to it. */
export interface PluginTree {
  /** Tells a collector of every scope seen so far. */
  readonly observe: (collector: Collector) => void
}

/** Follows the scopes that are opened within one from now on, and which of them serves which MCP server. */
export function watchPluginTree(app: FastifyInstance): PluginTree {
  const names = new Map<object, string>([[app, ROOT]])
  const taken = new Map<string, number>()
  const edges: (readonly [parent: string, child: string])[] = []
  const endpoints = new Map<string, { readonly scope: string; readonly server: string }>()
  app.addHook('onRegister', (instance) => {
    const parent = nameAbove(instance, names)
    const name = numbered(`${parent}/${plainName(instance.pluginName)}`, taken)
    names.set(instance, name)
    edges.push([parent, name])
  })
  app.addHook('onRoute', function (route) {
    const server = servedBy(route)
    if (server === undefined) return
    const scope = names.get(this) ?? nameAbove(this, names)
    endpoints.set(`${scope} ${server}`, { scope, server })
  })
  return {
    observe: (collector) => {
      const { server } = collector
      for (const [parent, child] of edges) {
        collector.observe(
          { kind: 'process', server, name: parent },
          { kind: 'process', server, name: child },
          'supervise',
        )
      }
      for (const endpoint of endpoints.values()) {
        if (endpoint.server !== server) continue
        const scope = { kind: 'process', server, name: endpoint.scope } as const
        collector.observe(scope, { kind: 'server', server }, 'supervise')
      }
    },
  }
}

/** The server that a route is an endpoint of, as the route itself says: the core is not imported. */
function servedBy({ config }: RouteOptions): string | undefined {
  // Hosts may put anything there, even what is no object.
  const said: unknown = Object(config ?? {})['mcp']
  if (typeof said !== 'object' || said === null || !('server' in said)) return undefined
  return typeof said.server === 'string' ? said.server : undefined
}

/** A scope inherits from the one it was opened in. */
function nameAbove(instance: object, names: ReadonlyMap<object, string>): string {
  let scope: unknown = Object.getPrototypeOf(instance)
  while (typeof scope === 'object' && scope !== null) {
    const name = names.get(scope)
    if (name !== undefined) return name
    scope = Object.getPrototypeOf(scope)
  }
  return ROOT
}

function plainName(name: string): string {
  return PLAIN_NAME.test(name) ? name : 'anonymous'
}

function numbered(name: string, taken: Map<string, number>): string {
  const count = (taken.get(name) ?? 0) + 1
  taken.set(name, count)
  return count === 1 ? name : `${name}#${count}`
}
