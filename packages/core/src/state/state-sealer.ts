// SPDX-License-Identifier: Apache-2.0
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { BEAM_ERR_CONTRACT } from '../errors.ts'
import { parseJson } from '../json/parse-json.ts'
import { encodeJson } from '../protocol/encode-json.ts'
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'
import { refuseOption, refuseUnknown } from '../protocol/refuse-option.ts'
import { letGo } from '../protocol/settle.ts'
import { canonicalText } from './canonical-text.ts'

/** What {@link createStateSealer} takes. */
export interface StateSealerOptions<Principal = unknown> {
  /**
   * Secrets of at least 32 random bytes each. The first seals, each of them opens: put a new one in
   * front and drop the old one when `ttlMs` is over.
   */
  readonly keys: readonly Uint8Array[]
  /** Milliseconds that a state is good for, from 1. @default 600_000 */
  readonly ttlMs?: number
  /** Names a principal; without it a principal has to be a string. */
  principalId?(principal: Principal): string
  /**
   * Seals for callers without a principal too: whoever holds such a state may use it.
   *
   * @default false
   */
  readonly allowAnonymous?: boolean
}

/** The request that a state belongs to. */
export interface StateBinding {
  readonly endpoint: string
  readonly principal: unknown
  readonly method: string
  readonly params: JsonObject
}

/**
 * Seals what a handler wants back with the answers of a client. Nothing is kept: the state travels.
 * It can be used again, by the same principal and for the same request, until it expires.
 */
export interface StateSealer {
  /** @throws BEAM_ERR_CONTRACT for a state that can't be sealed */
  readonly seal: (state: unknown, binding: StateBinding) => string
  /** @returns undefined for whatever this sealer did not seal for this binding, or not lately */
  readonly open: (token: string, binding: StateBinding) => { readonly state: unknown } | undefined
}

/** Characters of a sealed state. */
export const MAX_STATE_LENGTH = 65_536
const MIN_KEY_BYTES = 32
const DEFAULT_TTL_MS = 600_000
const VERSION = 1
const SALT_BYTES = 16
const TAG_BYTES = 16
const HEAD_BYTES = 1 + SALT_BYTES
const INFO = 'beam-mcp state 1'

/**
 * Makes a sealer: AES-256-GCM under a key that is derived anew for each state, so that no number of
 * states wears a secret out.
 *
 * @throws BEAM_ERR_OPT_INVALID naming the option and the fix
 * @see MCP 2026-07-28, Multi Round-Trip Requests: MRTR-08 to MRTR-10; docs/asking.md
 */
export function createStateSealer<Principal = unknown>(
  options: StateSealerOptions<Principal>,
): StateSealer {
  const { keys, ttlMs, principalId, allowAnonymous } = readOptions(options)
  const [first] = keys
  const boundTo = ({ endpoint, principal, method, params }: StateBinding): Buffer => {
    const { _meta, inputResponses, requestState, ...salient } = params
    const digest = createHash('sha256').update(canonicalText(salient)).digest('base64url')
    return Buffer.from(JSON.stringify([INFO, endpoint, identify(principal), method, digest]))
  }
  const identify = (principal: unknown): string | null => {
    if (isNobody(principal)) return null
    const id: unknown = principalId === undefined ? principal : principalId(principal)
    if (typeof id === 'string') return id
    letGo(id)
    return refuse('needs principalId: the principal is no string')
  }
  return Object.freeze({
    seal: (state, binding) => {
      if (isNobody(binding.principal) && !allowAnonymous) {
        return refuse(
          'has no principal to bind a state to; allowAnonymous: true seals all the same',
        )
      }
      const encoding = encodeJson(state)
      if (!encoding.ok) return refuse(`was given ${encoding.why}`)
      const payload = `{"expires":${Date.now() + ttlMs},"state":${encoding.json}}`
      const token = encrypt(first, Buffer.from(payload), boundTo(binding))
      return token.length <= MAX_STATE_LENGTH
        ? token
        : refuse(`was given a state that seals to more than ${MAX_STATE_LENGTH} characters`)
    },
    open: (token, binding) => {
      const sealed = decode(token)
      // Nothing was sealed for nobody, so whatever comes from nobody is not of this sealer.
      const isForeign = isNobody(binding.principal) && !allowAnonymous
      if (sealed === undefined || isForeign) return undefined
      const aad = boundTo(binding)
      for (const key of keys) {
        const payload = decrypt(key, sealed, aad)
        if (payload !== undefined) return readPayload(payload)
      }
      return undefined
    },
  } satisfies StateSealer)
}

function isNobody(principal: unknown): boolean {
  return principal === undefined || principal === null
}

function encrypt(secret: Uint8Array, payload: Buffer, aad: Buffer): string {
  const salt = randomBytes(SALT_BYTES)
  const { key, iv } = derive(secret, salt)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(aad)
  const body = [cipher.update(payload), cipher.final()]
  return Buffer.concat([Buffer.of(VERSION), salt, ...body, cipher.getAuthTag()]).toString(
    'base64url',
  )
}

/** The bytes of a token in its one spelling: base64 that decodes leniently would hide an appendix. */
function decode(token: string): Buffer | undefined {
  if (token.length > MAX_STATE_LENGTH) return undefined
  const sealed = Buffer.from(token, 'base64url')
  const isWhole = sealed.length >= HEAD_BYTES + TAG_BYTES && sealed[0] === VERSION
  return isWhole && sealed.toString('base64url') === token ? sealed : undefined
}

function decrypt(secret: Uint8Array, sealed: Buffer, aad: Buffer): Buffer | undefined {
  const { key, iv } = derive(secret, sealed.subarray(1, HEAD_BYTES))
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(
    aad,
  )
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([
      decipher.update(sealed.subarray(HEAD_BYTES, -TAG_BYTES)),
      decipher.final(),
    ])
  } catch {
    return undefined
  }
}

function derive(
  secret: Uint8Array,
  salt: Uint8Array,
): { readonly key: Buffer; readonly iv: Buffer } {
  const bytes = Buffer.from(hkdfSync('sha256', secret, salt, INFO, 44))
  return { key: bytes.subarray(0, 32), iv: bytes.subarray(32) }
}

function readPayload(payload: Buffer): { readonly state: unknown } | undefined {
  const { expires, state } = parseJson(payload.toString()) as {
    readonly expires: number
    readonly state: unknown
  }
  return Date.now() < expires ? { state } : undefined
}

interface ReadOptions {
  readonly keys: readonly [Uint8Array, ...Uint8Array[]]
  readonly ttlMs: number
  readonly principalId: ((principal: unknown) => unknown) | undefined
  readonly allowAnonymous: boolean
}

function readOptions(given: unknown): ReadOptions {
  if (!isJsonObject(given)) return refuseOption('createStateSealer', 'takes an object with keys')
  refuseUnknown(given, ['keys', 'ttlMs', 'principalId', 'allowAnonymous'], 'createStateSealer: ')
  const { keys, ttlMs = DEFAULT_TTL_MS, principalId, allowAnonymous = false } = given
  if (!isKeyList(keys)) {
    return refuseOption(
      'keys',
      `must list one or more secrets, each a Uint8Array of at least ${MIN_KEY_BYTES} bytes`,
    )
  }
  if (!Number.isSafeInteger(ttlMs) || Number(ttlMs) < 1) {
    return refuseOption('ttlMs', 'must be a whole number of milliseconds from 1')
  }
  if (principalId !== undefined && typeof principalId !== 'function') {
    return refuseOption('principalId', 'must be a function, or left out')
  }
  if (typeof allowAnonymous !== 'boolean') {
    return refuseOption('allowAnonymous', 'must be true or false, or left out')
  }
  const [first, ...rest] = keys.map((key) => Uint8Array.from(key))
  return {
    keys: [first as Uint8Array, ...rest],
    ttlMs: Number(ttlMs),
    principalId: principalId as ReadOptions['principalId'],
    allowAnonymous,
  }
}

function isKeyList(keys: unknown): keys is readonly Uint8Array[] {
  const isKey = (key: unknown): boolean => key instanceof Uint8Array && key.length >= MIN_KEY_BYTES
  return Array.isArray(keys) && keys.length > 0 && keys.every(isKey)
}

function refuse(what: string): never {
  throw new BEAM_ERR_CONTRACT('The state sealer', what)
}
