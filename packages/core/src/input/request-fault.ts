// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'
import { findFormFault } from './form-schema.ts'
import { findSamplingFault } from './sampling-fault.ts'

/**
 * Finds what is wrong with a request for input, however it was made.
 *
 * @returns a phrase that follows "a request", or undefined
 * @see MCP 2026-07-28, Multi Round-Trip Requests: MRTR-04; Elicitation: ELI-02, ELI-05
 */
export function findRequestFault(request: unknown): string | undefined {
  if (!isJsonObject(request)) return 'that is no object'
  const other = Object.keys(request).find((key) => key !== 'method' && key !== 'params')
  if (other !== undefined) return `with ${other}: it has a method and params alone`
  const { method, params } = request
  if (method === 'roots/list' && params === undefined) return undefined
  if (!isJsonObject(params)) return 'whose params are no object'
  switch (method) {
    case 'elicitation/create':
      return findElicitFault(params)
    case 'sampling/createMessage':
      return findSamplingFault(params)
    case 'roots/list':
      return undefined
    default:
      return 'for what no client can be asked for'
  }
}

function findElicitFault({ mode = 'form', message, requestedSchema, url }: JsonObject) {
  if (typeof message !== 'string') return 'whose message is no string'
  if (mode === 'url') return findUrlFault(url)
  if (mode !== 'form') return 'whose mode is neither form nor url'
  const fault = findFormFault(requestedSchema)
  return fault === undefined ? undefined : `for a form ${fault}`
}

/** A page that a browser opens, which logs nobody in. @see ELI-05, ELI-06 */
function findUrlFault(url: unknown): string | undefined {
  const page = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  if (page?.protocol !== 'https:' && page?.protocol !== 'http:') {
    return 'whose url is none of http or https'
  }
  return page.username === '' && page.password === ''
    ? undefined
    : 'whose url has a name or a password in it'
}
