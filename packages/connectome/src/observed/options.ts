// SPDX-License-Identifier: Apache-2.0
import { CONNECTOME_CODES, ConnectomeError, type Reason } from '../error.ts'
import { isPlainObject, unknownKey } from '../graph/plain-object.ts'

/** What a collector is made of. */
export interface CollectorOptions {
  /** The name of the server whose calls count, as its `serverInfo.name` says it. */
  readonly server: string
  /** `read` counts `resources/read` and `prompts/get` too, as `read` edges. @default [] */
  readonly include?: readonly 'read'[]
  /**
   * Whether `observe(to, kind)` knows its caller after an `await` too. It takes a full
   * `AsyncLocalStorage`, which costs more than all the rest of a collector where Node builds it on
   * hooks of promises (20 and 22). @default false
   */
  readonly nested?: boolean
}

/** The same, checked and with every default filled in. */
export interface ReadCollectorOptions {
  readonly server: string
  readonly countsReads: boolean
  readonly isNested: boolean
}

const KEYS = ['server', 'include', 'nested']

export const refuseObserved = (...reason: Reason): ConnectomeError =>
  new ConnectomeError(CONNECTOME_CODES.OBSERVED, reason)

/**
 * @throws ConnectomeError `BEAM_ERR_GRAPH_OBSERVED` with, in this order: `['invalid', 'options', given]`,
 * `['unknown_option', key]`, `['missing', 'server']`, `['invalid', field, value]`
 */
export function readCollectorOptions(options: unknown): ReadCollectorOptions {
  if (!isPlainObject(options)) throw refuseObserved('invalid', 'options', options)
  const unknown = unknownKey(options, KEYS)
  if (unknown !== undefined) throw refuseObserved('unknown_option', unknown)
  const { server, include = [], nested = false } = options
  if (server === undefined) throw refuseObserved('missing', 'server')
  if (typeof server !== 'string') throw refuseObserved('invalid', 'server', server)
  if (!Array.isArray(include) || include.some((one) => one !== 'read')) {
    throw refuseObserved('invalid', 'include', include)
  }
  if (typeof nested !== 'boolean') throw refuseObserved('invalid', 'nested', nested)
  return { server, countsReads: include.length > 0, isNested: nested }
}
