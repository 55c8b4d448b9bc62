// SPDX-License-Identifier: Apache-2.0
import { BEAM_ERR_CONTRACT } from '../errors.ts'
import { isJsonObject, type JsonObject, ownMember } from '../protocol/plain.ts'
import { letGo } from '../protocol/settle.ts'
import type { StateBinding, StateSealer } from '../state/state-sealer.ts'
import { readResponse } from './read-response.ts'
import type { InputRequest, InputResponseOf } from './requests.ts'

/** What a client sent back can't be used: the request is refused, whatever its handler does. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput'
}

/** What a retry brings: the answers of the client, and the state it was given. */
export class Retry {
  readonly #params: JsonObject
  readonly #sealer: StateSealer | undefined
  readonly #binding: () => StateBinding
  #opened: { readonly state: unknown } | undefined
  #fault: InvalidInput | undefined

  constructor(params: JsonObject, sealer: StateSealer | undefined, binding: () => StateBinding) {
    this.#params = params
    this.#sealer = sealer
    this.#binding = binding
  }

  /** What was found wrong with it: a handler that caught it does not make it good. */
  get fault(): InvalidInput | undefined {
    return this.#fault
  }

  /** @throws InvalidInput for an answer that is malformed */
  input<Request extends InputRequest>(
    key: string,
    request: Request,
  ): InputResponseOf<Request> | undefined {
    const reading = readResponse(this.#params, key, request)
    if (!reading.ok) return this.#refuse(reading.why)
    return reading.response as InputResponseOf<Request> | undefined
  }

  /**
   * @throws InvalidInput for a state that was not sealed here, for this request, and lately
   * @throws BEAM_ERR_CONTRACT for a sealer of the host's that answers outside its contract
   */
  get state(): unknown {
    const token = ownMember(this.#params, 'requestState')
    if (token === undefined || this.#sealer === undefined) return undefined
    this.#opened ??=
      typeof token === 'string' ? open(this.#sealer, token, this.#binding()) : undefined
    return this.#opened === undefined
      ? this.#refuse('Invalid or expired requestState')
      : this.#opened.state
  }

  #refuse(why: string): never {
    this.#fault ??= new InvalidInput(why)
    throw this.#fault
  }
}

/** What is taken for a state has to be one: a promise, say, would pass for a state of nothing. */
function open(sealer: StateSealer, token: string, binding: StateBinding) {
  const opened: unknown = sealer.open(token, binding)
  if (opened === undefined) return undefined
  if (isJsonObject(opened) && Object.hasOwn(opened, 'state')) return { state: opened['state'] }
  letGo(opened)
  throw new BEAM_ERR_CONTRACT('stateSealer.open', 'must answer { state } or undefined')
}

/** Says whether a request carries what a client was asked for. @see MRTR-06, MRTR-15 */
export function isRetry(params: JsonObject): boolean {
  return Object.hasOwn(params, 'inputResponses') || Object.hasOwn(params, 'requestState')
}
