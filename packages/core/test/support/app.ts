// SPDX-License-Identifier: Apache-2.0
import type { AddressInfo } from 'node:net'
import {
  type BeamMcpOptions,
  beamMcp,
  type CatalogWithDispatch,
  createCatalog,
  defineTool,
} from '@beam-mcp/core'
import Fastify, {
  type FastifyInstance,
  type FastifyServerOptions,
  type LightMyRequestResponse,
  type LogLevel,
} from 'fastify'
import { onTestFinished } from 'vitest'
import { headersFor } from './messages.ts'
import { checkAnswer, checkBody, isMessage } from './published-types.ts'

/** A log that a test can look into: one object per line. */
export interface LogLines {
  readonly lines: Record<string, unknown>[]
  readonly logger: { readonly level: string; readonly stream: { write(line: string): void } }
}

/** Collects what an application logs. */
export function collectLog(level = 'debug'): LogLines {
  const lines: Record<string, unknown>[] = []
  const write = (line: string): void => void lines.push(JSON.parse(line))
  return { lines, logger: { level, stream: { write } } }
}

/** The lines that are not Fastify's own about each request and its answer. */
export function ownLines({ lines }: Pick<LogLines, 'lines'>): Record<string, unknown>[] {
  return lines.filter(({ req, res }) => req === undefined && res === undefined)
}

/** A catalog, and what reached the host's dispatch. */
export interface Watched {
  readonly options: CatalogWithDispatch
  readonly seen: { readonly tool: string; readonly args: unknown }[]
}

/** Watches the dispatch of a catalog. */
export function watched({ catalog, dispatch }: CatalogWithDispatch): Watched {
  const seen: { tool: string; args: unknown }[] = []
  const watching: CatalogWithDispatch['dispatch'] = (tool, args, context) => {
    seen.push({ tool, args })
    return dispatch(tool, args, context)
  }
  return { seen, options: { catalog, dispatch: watching } }
}

/** The tool of the cases: takes an optional text and answers what it was handed. */
export const ECHO = defineTool({
  name: 'echo',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string' } },
    additionalProperties: false,
  },
  handler: (args) => args,
})

/** A catalog of {@link ECHO} alone. */
export function echoCatalog(): Watched {
  return watched(createCatalog({ tools: [ECHO] }))
}

/** The options of one registration that a test names. */
export type EndpointOptions = Partial<BeamMcpOptions> &
  Pick<BeamMcpOptions, 'catalog' | 'dispatch'> & {
    readonly prefix?: string
    readonly logLevel?: LogLevel
  }

/** Options that admit everyone but pages in a browser, unless the given ones say otherwise. */
export function openTo(options: EndpointOptions): BeamMcpOptions {
  return { authorize: () => ({ ok: true }), allowedOrigins: [], ...options } as BeamMcpOptions
}

/** An application with one endpoint that admits everyone, unless the options say otherwise. */
export async function createApp(
  options: EndpointOptions,
  fastify: FastifyServerOptions = {},
): Promise<FastifyInstance> {
  const app = Fastify(fastify)
  checkAnswers(app)
  await app.register(beamMcp, openTo(options))
  return app
}

/** Judges each answer of an application's endpoints by the published types, whoever asked. */
function checkAnswers(app: FastifyInstance): void {
  app.addHook<unknown>('onSend', (request, _reply, payload, done) => {
    if (isMessage(payload)) checkAnswer(request.body, JSON.parse(payload))
    done(null, payload)
  })
}

/** Listens on a free port of 127.0.0.1 until the test is over. */
export async function listen(app: FastifyInstance): Promise<number> {
  onTestFinished(async () => {
    app.server.closeAllConnections?.()
    await app.close()
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

/** Posts one message with its mirrored headers; `headers` add to them, or undefined takes one away. */
export async function post(
  app: FastifyInstance,
  message: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
  url = '/mcp',
): Promise<LightMyRequestResponse> {
  const all = Object.entries({ ...headersFor(message), ...headers })
  const kept = Object.fromEntries(all.filter(([, value]) => value !== undefined))
  const response = await app.inject({
    method: 'POST',
    url,
    headers: kept as Record<string, string>,
    payload: JSON.stringify(message),
  })
  checkBody(message, response.body, String(response.headers['content-type']))
  return response
}
