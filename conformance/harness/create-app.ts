// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto'
import { beamMcp, createCatalog, createNotifier, createStateSealer } from '@beam-mcp/core'
import Fastify, { type FastifyInstance } from 'fastify'
import { ASKING_PROMPTS, ASKING_TOOLS } from '../fixtures/asking.ts'
import { changeTools } from '../fixtures/changes.ts'
import { CONTENT_TOOLS } from '../fixtures/content.ts'
import { PROMPTS } from '../fixtures/prompts.ts'
import { RESOURCE_TEMPLATES, RESOURCES } from '../fixtures/resources.ts'
import { CALL_TOOLS } from '../fixtures/tools.ts'

/** The address that the harness listens on; the suite's rebinding scenario takes no other kind. */
export const HOST = '127.0.0.1'

const LOOPBACK_NAMES = [HOST, 'localhost', '[::1]']

/**
 * The application that the suite calls, on the public API alone.
 *
 * @param port  the port it will listen on, which `Host` and `Origin` are compared with
 */
export async function createApp(port: number): Promise<FastifyInstance> {
  const hosts = LOOPBACK_NAMES.map((name) => `${name}:${port}`)
  const app = Fastify({ logger: { level: 'warn', stream: process.stderr } })
  const notifier = createNotifier()
  await app.register(beamMcp, {
    ...createCatalog({
      tools: [...CONTENT_TOOLS, ...CALL_TOOLS, ...ASKING_TOOLS, ...changeTools(notifier)],
      resources: RESOURCES,
      resourceTemplates: RESOURCE_TEMPLATES,
      prompts: [...PROMPTS, ...ASKING_PROMPTS],
    }),
    revisions: ['2026-07-28', '2025-11-25'],
    allowedHosts: hosts,
    allowedOrigins: hosts.map((host) => `http://${host}`),
    // The suite sends no credentials; only this machine reaches the address.
    authorize: () => ({ ok: true }),
    // One process: no other has to open what it seals.
    stateSealer: createStateSealer({ keys: [randomBytes(32)], allowAnonymous: true }),
    logging: true,
    subscriptions: { notifier },
  })
  return app
}
