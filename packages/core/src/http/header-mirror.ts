// SPDX-License-Identifier: Apache-2.0
import { type MirroredParam, mirroredValue } from '../catalog/mirrored-params.ts'
import type { HeaderMirror } from '../protocol/exchange.ts'
import type { JsonObject } from '../protocol/plain.ts'
import { headerMismatch, type WireError } from '../protocol/wire-errors.ts'
import { headerValues } from './raw-headers.ts'
import { decodeSentinel } from './sentinel.ts'

const VERSION = 'mcp-protocol-version'
const METHOD = 'mcp-method'
const NAME = 'mcp-name'
const VISIBLE = /^[\t\x20-\x7e]*$/
const INTEGER = /^(-?(?:0|[1-9][0-9]*))(?:\.0+)?$/

/**
 * Compares the headers of one request with its body. A repeated header is a list of values, and
 * every one of them has to agree: a proxy may have routed by any.
 *
 * @param raw  the request's raw header list
 * @param onVersionMismatch  told when header and body name different versions
 * @see MCP 2026-07-28, Streamable HTTP, Server Validation: HDR-01 to HDR-16
 */
export function createHeaderMirror(
  raw: readonly string[],
  onVersionMismatch: () => void,
): HeaderMirror {
  const versions = headerValues(raw, VERSION)
  return {
    versions,
    checkVersion: (version) => {
      if (versions.length === 0) {
        return headerMismatch(`Missing ${VERSION} header; it is required on every request`)
      }
      const fault = findInvisible(VERSION, versions)
      if (fault !== undefined) return fault
      if (versions.every((value) => value === version)) return undefined
      onVersionMismatch()
      return headerMismatch(`${VERSION} header does not match the body value`)
    },
    checkMethod: (method) => checkText(METHOD, headerValues(raw, METHOD), method, false),
    checkName: (name) => checkText(NAME, headerValues(raw, NAME), name, true),
    checkParams: (mirrored, args) => {
      for (const param of mirrored) {
        const fault = checkParam(param, headerValues(raw, param.field), args)
        if (fault !== undefined) return fault
      }
      return undefined
    },
    checkNotification: (method, version) => {
      const methods = headerValues(raw, METHOD)
      if (methods.length > 0 && !methods.every((value) => value === method)) return differs(METHOD)
      if (version === undefined || versions.every((value) => value === version)) return undefined
      onVersionMismatch()
      return headerMismatch(`${VERSION} header does not match the body value`)
    },
  }
}

/** A header has visible ASCII, spaces and tabs (HDR-09). */
function findInvisible(name: string, values: readonly string[]): WireError | undefined {
  return values.every((value) => VISIBLE.test(value))
    ? undefined
    : headerMismatch(`${name} header value has characters outside visible ASCII`)
}

function differs(name: string): WireError {
  return headerMismatch(`${name} header does not match the corresponding request body value`)
}

function checkText(
  name: string,
  values: readonly string[],
  expected: string,
  isEncodable: boolean,
): WireError | undefined {
  if (values.length === 0) return headerMismatch(`Missing ${name} header; it is required`)
  return checkValues(name, values, (text) => text === expected, isEncodable)
}

function checkValues(
  name: string,
  values: readonly string[],
  matches: (text: string) => boolean,
  isEncodable: boolean,
): WireError | undefined {
  const invisible = findInvisible(name, values)
  if (invisible !== undefined) return invisible
  for (const value of values) {
    const reading = isEncodable ? decodeSentinel(value) : { ok: true as const, text: value }
    if (!reading.ok) {
      return headerMismatch(
        reading.why === 'not UTF-8'
          ? `${name} header value is not valid UTF-8`
          : `${name} header value is not canonical base64`,
      )
    }
    if (!matches(reading.text)) return differs(name)
  }
  return undefined
}

/** One mirrored argument: absent on both sides, or equal in every value (HDR-10 to HDR-14, A-09). */
function checkParam(
  { path, name }: MirroredParam,
  values: readonly string[],
  args: JsonObject,
): WireError | undefined {
  const header = `Mcp-Param-${name}`
  const value = mirroredValue(args, path)
  if (value === undefined) {
    return values.length === 0
      ? undefined
      : headerMismatch(`${header} header was sent, but the body carries no such value`)
  }
  if (values.length === 0) {
    return headerMismatch(`${header} header is required: the body carries a value to mirror`)
  }
  return checkValues(header, values, (text) => matchesValue(text, value), true)
}

function matchesValue(text: string, value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return text === value
    case 'boolean':
      return text === String(value)
    case 'bigint':
      return integerOf(text) === value
    case 'number':
      return Number.isInteger(value) && integerOf(text) === BigInt(value)
    default:
      return false
  }
}

/** A plain decimal integer of any size; `42.0` is one, `042` and `4e1` are not (HDR-13). */
function integerOf(text: string): bigint | undefined {
  const digits = INTEGER.exec(text)?.[1]
  return digits === undefined ? undefined : BigInt(digits)
}
