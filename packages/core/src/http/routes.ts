// SPDX-License-Identifier: Apache-2.0
import type { Http2Stream } from 'node:http2'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import type { TransportServer } from '../protocol/create-server.ts'
import { logSafely } from '../protocol/logger.ts'
import { LONGEST_TIMER_MS } from '../protocol/option-readers.ts'
import { settle } from '../protocol/settle.ts'
import { internalError } from '../protocol/wire-errors.ts'
import { askAuthorizeCall } from './authorize-call.ts'
import { createBodyHook } from './body-hook.ts'
import { decide, type Verdict } from './decision.ts'
import { findEarlyRefusal, refuseUnread } from './early-checks.ts'
import { answerHookError, answerLastError } from './error-handler.ts'
import { type EventStream, openEventStream } from './event-stream.ts'
import { createHeaderMirror } from './header-mirror.ts'
import { accepts } from './media-types.ts'
import type { ReadPluginOptions } from './plugin-options.ts'
import { headerValues } from './raw-headers.ts'
import { beginState, STATE, stateOf } from './request-state.ts'
import { fail, sendRefusal, sendReply } from './send.ts'

/** What the routes are made of. */
export interface RouteOptions {
  readonly server: TransportServer
  readonly options: ReadPluginOptions
}

/**
 * The endpoint's routes in a scope of their own: hooks, parser and error handler touch no other
 * route of the host.
 *
 * @see docs/http.md, "Order of checks"
 */
export async function httpRoutes(app: FastifyInstance, parts: RouteOptions): Promise<void> {
  app.decorateRequest(STATE, null)
  app.setErrorHandler(answerLastError)
  await app.register(async (inner) => {
    inner.setErrorHandler(answerHookError)
    inner.removeAllContentTypeParsers()
    // The body was decoded before this: the value is request.body for the host's hooks.
    // JSON is named too, since Fastify keeps what it has found for a name, and not for '*'.
    inner.addContentTypeParser(['application/json', '*'], (request, _payload, done) =>
      done(null, stateOf(request).reading?.value),
    )
    inner.addHook('onReady', () => parts.server.ready())
    inner.addHook('preClose', async () => parts.server.close())
    for (const url of urlsOf(inner, parts.options.path)) addRoute(inner, url, parts)
  })
}

/** The path, and the path with a slash behind it where the host does not make them one. */
function urlsOf(app: FastifyInstance, path: string): readonly string[] {
  const { ignoreTrailingSlash, routerOptions } = app.initialConfig as {
    readonly ignoreTrailingSlash?: boolean
    readonly routerOptions?: { readonly ignoreTrailingSlash?: boolean }
  }
  const isIgnored = ignoreTrailingSlash === true || routerOptions?.ignoreTrailingSlash === true
  return path === '/' || isIgnored ? [path] : [path, `${path}/`]
}

function hasHandlerTimeout(app: FastifyInstance): boolean {
  return Number((app.initialConfig as { readonly handlerTimeout?: number }).handlerTimeout ?? 0) > 0
}

function addRoute(app: FastifyInstance, url: string, parts: RouteOptions): void {
  const { server, options } = parts
  const { admitsOrigins, admitsHosts, allowChunked } = options
  const { bodyLimit } = server.options
  const rules = { admitsOrigins, admitsHosts, allowChunked, bodyLimit }
  app.route({
    method: app.supportedMethods as string[],
    url,
    exposeHeadRoute: false,
    // A host-wide timeout would cut the deadlines of this route's own; it is given the longest.
    ...(hasHandlerTimeout(app) && { handlerTimeout: LONGEST_TIMER_MS }),
    schema: { hide: true } as FastifySchema,
    config: { mcp: { server: String(server.options.serverInfo['name']) } },
    onRequest: (request, reply, done) => {
      const refused = findEarlyRefusal(request, rules)
      if (refused === undefined) authorize(request, reply, options, done)
      else refuseUnread(request, reply, refused)
    },
    preParsing: createBodyHook(options, bodyLimit),
    handler: (request, reply) => serve(request, reply, parts),
  })
}

/** Asks the host before a byte of the body is read. */
function authorize(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ReadPluginOptions,
  done: () => void,
): void {
  const settle = (verdict: Verdict): void => {
    if (!verdict.ok) return refuseUnread(request, reply, verdict.refusal)
    request[STATE] = beginState(verdict.principal, verdict.expiresAt)
    done()
  }
  const asking = {
    hook: 'authorize',
    log: request.log,
    timeoutMs: options.authorizeTimeoutMs,
  } as const
  const verdict = decide(asking, () => options.authorize(request))
  if (verdict instanceof Promise) {
    verdict.then(settle).catch((thrown: unknown) => fail(reply, thrown))
    return
  }
  settle(verdict)
}

function serve(
  request: FastifyRequest,
  reply: FastifyReply,
  { server, options }: RouteOptions,
): void {
  const { principal, expiresAt, reading } = stateOf(request)
  const { log } = request
  if (reading === undefined || request.body !== reading.value) {
    logSafely(log, 'error', {}, BODY_REPLACED)
    return sendRefusal(reply, { error: internalError() })
  }
  const mirror = createHeaderMirror(request.raw.rawHeaders, () =>
    logSafely(log, 'warn', {}, VERSION_MISMATCH),
  )
  const transportContext = { transport: 'http' as const, request }
  const authorizeCall = askAuthorizeCall(options, { principal, request, log })
  const open = (): EventStream => openOnce(reply, options.keepAliveMs)
  const exchange = {
    transportContext,
    principal,
    log,
    mirror,
    authorizeCall,
    expiresAt,
    endpoint: () => pathOf(request.url),
    watchDisconnect: (cancel: () => void) => watchClose(reply.raw, cancel),
    openNotifications: () =>
      !reply.sent &&
      !isOver(reply.raw) &&
      accepts(headerValues(request.raw.rawHeaders, 'accept'), 'text/event-stream')
        ? open()
        : undefined,
  }
  void settle(
    () => server.engine.serve(reading, exchange),
    (answer) => sendReply(reply, answer, open),
    (thrown) => fail(reply, thrown),
  )
}

/** The path that was called, parameters filled in, without the slash that is as good as none. */
function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.endsWith('/') ? path.slice(0, -1) : path
}

function openOnce(reply: FastifyReply, keepAliveMs: number): EventStream {
  const state = stateOf(reply.request)
  state.stream ??= openEventStream(reply, keepAliveMs)
  return state.stream
}

/**
 * Looks out for the end of a response. It is looked for until there is an answer: a response that
 * closes before has lost its caller, or was given an answer by the host.
 *
 * @see CANC-01, A-30
 */
function watchClose(response: FastifyReply['raw'], cancel: () => void): () => void {
  // The event has no argument, and a signal without a reason is an AbortError.
  const onClose = (): void => cancel()
  if (isOver(response)) onClose()
  else response.once('close', onClose)
  return () => response.off('close', onClose)
}

/** HTTP/2 has the end of a response at its stream alone. */
function isOver(response: FastifyReply['raw']): boolean {
  const { stream } = response as { readonly stream?: Http2Stream }
  return stream === undefined ? response.closed || response.destroyed : stream.destroyed
}

const BODY_REPLACED =
  'A hook replaced request.body; the endpoint serves the bytes that were authorised: keep that hook off this route'

const VERSION_MISMATCH =
  'A client names one protocol version in the MCP-Protocol-Version header and another in the body; some hosted clients are known to: the request is refused'
