// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from '../catalog/catalog.ts'
import { type Admission, admit, targetName } from './admit.ts'
import { checkLegacyVersion, withStatus } from './admit-legacy.ts'
import { refuseInput } from './ask-host.ts'
import { cutText } from './echo.ts'
import { isLegacy } from './era.ts'
import type { Answer, Exchange, Reading } from './exchange.ts'
import { hostFault } from './host-fault.ts'
import { endOf, instrumented, type RequestEnd } from './instrument.ts'
import {
  encodeError,
  encodeId,
  type JsonRpcId,
  type Notification,
  type Request,
  readEnvelope,
} from './json-rpc.ts'
import type { JsonObject } from './plain.ts'
import { prepareCall } from './prepare-call.ts'
import { versionOf } from './request-meta.ts'
import type { Reply, Revision } from './revision.ts'
import { type Served, type ServedRevisions, serveRevisions, tailOf } from './served-revisions.ts'
import type { Service } from './service.ts'
import { settle } from './settle.ts'
import type { WireError } from './wire-errors.ts'

/** Serves messages: a transport's whole view of the protocol. */
export interface Engine {
  /** One message in, one answer out: at once where nothing has to be waited for. Never rejects. */
  readonly serve: (reading: Reading, exchange: Exchange) => Awaitable<Answer>
}

const ACCEPTED: Answer = { status: 202, body: undefined }

/**
 * @param service  what every call shares
 * @param revisions  the revisions served, newest first
 * @param serverInfo  the server's identity as every result names it
 */
export function createEngine(
  service: Service,
  revisions: readonly Revision[],
  serverInfo: JsonObject,
): Engine {
  const served = serveRevisions(revisions, service, serverInfo)
  const serve = (reading: Reading, exchange: Exchange): Awaitable<Answer> => {
    const envelope = readEnvelope(reading.value, reading.isIntegerLexeme)
    if (envelope.kind === 'refused') return refusal(envelope.id, envelope.error)
    if (envelope.kind === 'notification') return accept(envelope, exchange, served)
    const admission = admit(envelope, reading, exchange, served)
    if ('error' in admission) return refusal(envelope.id, admission.error)
    return run(admission, envelope, reading, exchange, service)
  }
  return { serve }
}

/** Only a transport that has a status for it says that a notification is refused. @see ENV-08 */
function accept(
  { method, params, fault }: Notification,
  { mirror, session }: Exchange,
  served: ServedRevisions,
): Answer {
  if (mirror === undefined) {
    if (session !== undefined && method === 'notifications/initialized')
      session.isInitialized = true
    return ACCEPTED
  }
  const { legacy } = served
  const refused =
    legacy !== undefined && isLegacy({ method, params }, mirror, served)
      ? checkLegacyVersion(mirror, legacy.revision.version)
      : mirror.checkNotification(method, versionOf(params))
  const error = fault ?? refused
  return error === undefined ? ACCEPTED : refusal(undefined, error)
}

function refusal(id: JsonRpcId | undefined, error: WireError, challenge?: string): Answer {
  return { status: error.status, body: encodeError(id, error), challenge }
}

function run(
  admission: Admission,
  request: Request,
  reading: Reading,
  exchange: Exchange,
  service: Service,
): Awaitable<Answer> {
  const { served, method } = admission
  const { id, method: name } = request
  const { call, close } = prepareCall(admission, request, reading, exchange, service)
  let end = NOTHING_RAN
  const finish = (reply: Reply): Answer => {
    if (service.instrument !== undefined) end = endOf(reply, call)
    close()
    return method.isSilent === true ? ACCEPTED : answer(id, reply, served)
  }
  const target = method.targetOf?.(call.params) ?? targetName(method, call.params)
  const serve = (): Awaitable<Answer> =>
    settle<Reply, Answer>(
      () => method.run(call),
      finish,
      (thrown) => {
        const named = { method: name, ...(target !== undefined && { target: cutText(target) }) }
        return finish(refuseInput(call) ?? hostFault(call, thrown, 'A request failed', named))
      },
    )
  const { authorizeCall } = exchange
  const serveAllowed = (): Awaitable<Answer> =>
    authorizeCall === undefined
      ? serve()
      : authorizeCall({ method: name, name: target }).then((refused) => {
          if (refused === undefined) return serve()
          end = { ...NOTHING_RAN, errorCode: refused.error.code }
          return refusal(id, refused.error, refused.challenge)
        })
  return service.instrument === undefined
    ? serveAllowed()
    : instrumented(call, service.instrument, async () => ({ answer: await serveAllowed(), end }))
}

const NOTHING_RAN: RequestEnd = { outcome: 'error', errorCode: undefined, called: undefined }

function answer(id: JsonRpcId, reply: Reply, served: Served): Answer {
  if ('error' in reply) return refusal(id, withStatus(reply.error, served.revision))
  const { members } = reply
  const tail = tailOf(reply, served)
  const result = members === '' ? tail.slice(1) : members + tail
  const body = `{"jsonrpc":"2.0","id":${encodeId(id)},"result":{${result}}}`
  return { status: 200, body, epilogue: reply.epilogue }
}
