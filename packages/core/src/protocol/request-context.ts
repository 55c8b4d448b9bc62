// SPDX-License-Identifier: Apache-2.0
import type { CallContext, ReadContext, TransportContext } from '../catalog/context.ts'
import type { Cancellation } from './cancellation.ts'
import type { JsonRpcId } from './json-rpc.ts'
import type { JsonObject } from './plain.ts'

/** What a request says of itself and of its caller. */
export interface RequestFacts {
  readonly principal: unknown
  readonly requestId: JsonRpcId
  readonly method: string
  readonly protocolVersion: string
  readonly clientInfo: JsonObject | undefined
  readonly clientCapabilities: JsonObject
  readonly meta: JsonObject
}

/** What is left of the facts where nothing of the caller may be known. */
const NOBODY = {
  principal: undefined,
  clientInfo: undefined,
  clientCapabilities: {},
  meta: {},
} as const

/** The context of one request: what only some handlers ask for is made when they ask. */
export class RequestContext implements CallContext {
  readonly principal: unknown
  readonly requestId: JsonRpcId
  readonly method: string
  readonly protocolVersion: string
  readonly clientInfo: JsonObject | undefined
  readonly clientCapabilities: JsonObject
  readonly meta: JsonObject
  declare readonly transport: TransportContext['transport']
  readonly #transport: TransportContext
  readonly #cancellation: Cancellation

  constructor(facts: RequestFacts, transport: TransportContext, cancellation: Cancellation) {
    this.principal = facts.principal
    this.requestId = facts.requestId
    this.method = facts.method
    this.protocolVersion = facts.protocolVersion
    this.clientInfo = facts.clientInfo
    this.clientCapabilities = facts.clientCapabilities
    this.meta = facts.meta
    this.#transport = transport
    this.#cancellation = cancellation
    Object.assign(this, transport)
  }

  get signal(): AbortSignal {
    return this.#cancellation.signal
  }

  /**
   * The context of a reader of the same request.
   *
   * @param matched  the listed uri or template that admits the request
   * @param isPublic  whether any cache may give the result to anyone: nothing of the caller is told
   */
  forReading(matched: string, isPublic: boolean): ReadContext {
    const facts = isPublic ? { ...this.#facts(), ...NOBODY } : this.#facts()
    const transport = isPublic ? { transport: this.transport } : this.#transport
    return Object.assign(new RequestContext(facts, transport, this.#cancellation), { matched })
  }

  #facts(): RequestFacts {
    const { principal, requestId, method, protocolVersion, clientInfo, clientCapabilities, meta } =
      this
    return {
      principal,
      requestId,
      method,
      protocolVersion,
      clientInfo,
      clientCapabilities,
      meta,
    }
  }
}
