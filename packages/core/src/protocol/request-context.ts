// SPDX-License-Identifier: Apache-2.0
import type { CompletionContext } from '../catalog/completion.ts'
import type { CallContext, ReadContext, TransportContext } from '../catalog/context.ts'
import type { Retry } from '../input/retry.ts'
import type { Cancellation } from './cancellation.ts'
import type { JsonRpcId } from './json-rpc.ts'
import type { Notifier } from './notifier.ts'
import { isJsonObject, type JsonObject, ownMember } from './plain.ts'
import { readTraceContext, type TraceContext } from './trace-context.ts'

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

/** What ends a request, and what goes out before it ends. */
export interface RequestPorts {
  readonly cancellation: Cancellation
  /** Undefined where the request asked for no notification. */
  readonly notifier: Notifier | undefined
  /** Undefined for what is no retry. */
  readonly retry: Retry | undefined
}

/** What is left of the facts where nothing of the caller may be known. */
const NOBODY = {
  principal: undefined,
  clientInfo: undefined,
  clientCapabilities: {},
  meta: {},
} as const

const NO_EXTENSIONS: JsonObject = Object.freeze({})
const NOW: Promise<void> = Promise.resolve()

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
  readonly #ports: RequestPorts

  constructor(facts: RequestFacts, transport: TransportContext, ports: RequestPorts) {
    this.principal = facts.principal
    this.requestId = facts.requestId
    this.method = facts.method
    this.protocolVersion = facts.protocolVersion
    this.clientInfo = facts.clientInfo
    this.clientCapabilities = facts.clientCapabilities
    this.meta = facts.meta
    this.#transport = transport
    this.#ports = ports
    Object.assign(this, transport)
  }

  get signal(): AbortSignal {
    return this.#ports.cancellation.signal
  }

  // Bound where they are asked for, so that a handler may take them out of its context.
  get progress(): CallContext['progress'] {
    const { notifier } = this.#ports
    return (progress, total, message) => notifier?.progress(progress, total, message) ?? NOW
  }

  get log(): CallContext['log'] {
    const { notifier } = this.#ports
    return (level, data) => notifier?.message(level, data) ?? NOW
  }

  get input(): CallContext['input'] {
    const { retry } = this.#ports
    return (key, request) => retry?.input(key, request)
  }

  get state(): unknown {
    return this.#ports.retry?.state
  }

  get clientExtensions(): JsonObject {
    const extensions = ownMember(this.clientCapabilities, 'extensions')
    return isJsonObject(extensions) ? extensions : NO_EXTENSIONS
  }

  get traceContext(): TraceContext | undefined {
    return readTraceContext(this.meta)
  }

  /** Whether nobody waits for what the host answers, as far as it is known. */
  get isAbandoned(): boolean {
    return this.#ports.cancellation.isAborted
  }

  /** Calls back when nobody waits any more; without the cost of a signal, and one at a time. */
  onCancel(callback: () => void): void {
    this.#ports.cancellation.onCancel(callback)
  }

  /** Aborts the signal: the answer has come from elsewhere, and nothing more may be sent. */
  stop(reason: unknown): void {
    this.#ports.notifier?.close()
    this.#ports.cancellation.stop(reason)
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
    const ports = isPublic ? { ...this.#ports, retry: undefined } : this.#ports
    return Object.assign(new RequestContext(facts, transport, ports), { matched })
  }

  /**
   * The context of a completer of the same request.
   *
   * @param matched  the prompt's name or the template
   * @param args  the values chosen so far
   */
  forCompleting(matched: string, args: CompletionContext['arguments']): CompletionContext {
    const context = new RequestContext(this.#facts(), this.#transport, this.#ports)
    return Object.assign(context, { matched, arguments: args })
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
