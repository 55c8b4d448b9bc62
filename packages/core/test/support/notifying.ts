// SPDX-License-Identifier: Apache-2.0
import {
  type CallContext,
  createCatalog,
  definePrompt,
  defineResource,
  defineTool,
} from '@beam-mcp/core'
import type { FastifyInstance, FastifyServerOptions } from 'fastify'
import { collectLog, createApp, type EndpointOptions, type LogLines, ownLines } from './app.ts'

/** Does something with its context and answers. */
export type Work = (context: CallContext) => unknown

/** An application whose tool, resource and prompt do the same, and what it logs. */
export interface Working {
  readonly app: FastifyInstance
  readonly log: LogLines
  /** The messages of what this package logged above level info. */
  readonly complaints: () => readonly unknown[]
}

/** Makes an application of one piece of work: tool `work`, resource `work://it`, prompt `work`. */
export async function serveWork(
  work: Work,
  options: Partial<EndpointOptions> = {},
  fastify: FastifyServerOptions = {},
): Promise<Working> {
  const log = collectLog('info')
  const catalog = createCatalog({
    tools: [defineTool({ name: 'work', handler: (_args, context) => work(context) })],
    resources: [
      defineResource({ uri: 'work://it', name: 'it', read: (context) => work(context) as string }),
    ],
    prompts: [definePrompt({ name: 'work', render: (_args, context) => work(context) as string })],
  })
  const app = await createApp({ ...catalog, ...options }, { logger: log.logger, ...fastify })
  const complaints = (): readonly unknown[] =>
    ownLines(log)
      .filter(({ level }) => Number(level) > 30)
      .map(({ msg }) => msg)
  return { app, log, complaints }
}
