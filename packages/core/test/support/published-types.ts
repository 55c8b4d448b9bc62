// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { isInputRequiredResult, specTypeSchemas } from '@modelcontextprotocol/client'
import * as older from '@modelcontextprotocol/sdk/types.js'
import { afterEach } from 'vitest'
import { isJsonObject, type JsonObject } from '../../src/protocol/plain.ts'

// Judges answers by the revisions' published types as the official clients have them: those of 2025-11-25
// in both of them, those of 2026-07-28 in the newer one. What is lenient in a client's reading (a default
// for a member that has to be there) is looked at besides.

/** How the newer client reads one revision. */
interface Codec {
  readonly era: string
  readonly validateResult: (method: string, result: unknown) => CodecVerdict
  readonly validateNotification: (method: string, notification: unknown) => CodecVerdict
}
type CodecVerdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: 'invalid'; readonly message: string }
  | { readonly ok: false; readonly reason: 'not-in-era' }

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const SERVER_KEY = 'io.modelcontextprotocol/serverInfo'
const NEWER_MEMBERS = ['resultType', 'ttlMs', 'cacheScope']

/** The client has the types of each revision in a file that it does not publish by a name. */
function findCodecs(): Readonly<Record<'2026-07-28' | '2025-11-25', Codec>> {
  const require = createRequire(import.meta.url)
  const entry = require.resolve('@modelcontextprotocol/client')
  const name = /\.\/(src-[\w-]+\.cjs)/.exec(readFileSync(entry, 'utf8'))?.[1]
  const { codecForVersion } = require(join(dirname(entry), String(name))) as {
    readonly codecForVersion: (version: string) => Codec
  }
  const codecs = {
    '2026-07-28': codecForVersion('2026-07-28'),
    '2025-11-25': codecForVersion('2025-11-25'),
  }
  for (const [version, { era }] of Object.entries(codecs)) {
    if (era !== version) throw new Error(`the official client has no types of ${version}`)
  }
  return codecs
}

const CODECS = findCodecs()
type Era = keyof typeof CODECS

/** The results of 2025-11-25 as the older client has them. */
const OLDER_RESULTS: Readonly<Record<string, { safeParse(value: unknown): Parsed }>> = {
  initialize: older.InitializeResultSchema,
  ping: older.EmptyResultSchema,
  'logging/setLevel': older.EmptyResultSchema,
  'tools/list': older.ListToolsResultSchema,
  'tools/call': older.CallToolResultSchema,
  'resources/list': older.ListResourcesResultSchema,
  'resources/templates/list': older.ListResourceTemplatesResultSchema,
  'resources/read': older.ReadResourceResultSchema,
  'prompts/list': older.ListPromptsResultSchema,
  'prompts/get': older.GetPromptResultSchema,
  'completion/complete': older.CompleteResultSchema,
}
type Parsed =
  | { readonly success: true }
  | { readonly success: false; readonly error: { readonly message: string } }

/** The member without which a result is none, and which a client may fill in. */
const REQUIRED: Readonly<Record<string, string>> = {
  'tools/list': 'tools',
  'tools/call': 'content',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'resources/read': 'contents',
  'prompts/list': 'prompts',
  'prompts/get': 'messages',
  'completion/complete': 'completion',
  'server/discover': 'supportedVersions',
  initialize: 'protocolVersion',
}

/** Methods whose results say how long they may be kept. */
const CACHEABLE = new Set([
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
])

/**
 * Judges one answer.
 *
 * @param request  what was asked, as far as it is known
 * @param answer  one JSON-RPC message from the server
 * @returns what is wrong with it, in words; empty where it is valid
 */
export function findFaults(request: unknown, answer: unknown): readonly string[] {
  if (!isJsonObject(answer)) return ['is no object']
  const asked = readAsked(request)
  const { method, era } = asked
  if (Object.hasOwn(answer, 'method')) return notificationFaults(answer, era)
  const faults = [...envelopeFaults(answer), ...idFaults(asked, answer)]
  if (isJsonObject(answer['error'])) return [...faults, ...errorFaults(answer['error'], era)]
  const result = answer['result']
  if (!isJsonObject(result)) return [...faults, 'has neither a result nor an error']
  return [
    ...faults,
    ...(era === '2026-07-28' ? newerFaults(method, result) : olderFaults(method, result)),
    ...missingFaults(method, result),
  ]
}

/** What of a request an answer is judged by. */
interface Asked {
  readonly id: unknown
  readonly method: string
  readonly era: Era
}

/** Some tests ask with what throws when it is read. */
function readAsked(request: unknown): Asked {
  try {
    const { id, method: named, params } = isJsonObject(request) ? request : {}
    const method = typeof named === 'string' ? named : ''
    return { id, method, era: eraOf(params, method) }
  } catch {
    return { id: undefined, method: '', era: '2026-07-28' }
  }
}

/** A request that names no revision is an older client's, unless only one of both has the method. */
function eraOf(params: unknown, method: string): Era {
  if (method === 'server/discover') return '2026-07-28'
  if (method === 'initialize') return '2025-11-25'
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return isJsonObject(meta) && meta[VERSION_KEY] === '2026-07-28' ? '2026-07-28' : '2025-11-25'
}

function notificationFaults(message: JsonObject, era: Era): readonly string[] {
  const verdict = CODECS[era].validateNotification(String(message['method']), message)
  return verdict.ok ? [] : [describe(verdict)]
}

/** Ids of more digits than a JavaScript number has are valid, and the clients' schemas know none. */
function envelopeFaults(answer: JsonObject): readonly string[] {
  const { id, error } = answer
  const isLarge = typeof id === 'bigint' || (Number.isInteger(id) && !Number.isSafeInteger(id))
  const read = isLarge ? { ...answer, id: 1 } : answer
  const type = error === undefined ? 'JSONRPCResultResponse' : 'JSONRPCErrorResponse'
  const outcome = specTypeSchemas[type]['~standard'].validate(read)
  const newer = 'issues' in outcome && outcome.issues ? [JSON.stringify(outcome.issues)] : []
  const parsed = older.JSONRPCMessageSchema.safeParse(read)
  return parsed.success ? newer : [...newer, parsed.error.message]
}

function idFaults(asked: Asked, answer: JsonObject): readonly string[] {
  const { id } = answer
  if (id === undefined) return answer['error'] === undefined ? ['has no id'] : []
  const isSame = asked.id === undefined || typeof asked.id === 'bigint' || id === asked.id
  return isSame ? [] : [`has the id ${String(id)}, not ${String(asked.id)}`]
}

const COMMON_CODES = [-32700, -32600, -32601, -32602, -32603]
const CODES: Readonly<Record<Era, ReadonlySet<unknown>>> = {
  '2026-07-28': new Set([...COMMON_CODES, -32020, -32021, -32022]),
  // A request of neither era is answered by the newer one's codes.
  '2025-11-25': new Set([...COMMON_CODES, -32002, -32020, -32022]),
}

function errorFaults({ code, data }: JsonObject, era: Era): readonly string[] {
  const faults = CODES[era].has(code) ? [] : [`has the code ${String(code)}`]
  const { supported, requested, requiredCapabilities } = isJsonObject(data) ? data : {}
  if (code === -32021 && !isJsonObject(requiredCapabilities)) {
    return [...faults, 'does not say which capabilities are required']
  }
  if (code !== -32022) return faults
  const isWhole = Array.isArray(supported) && supported.length > 0 && typeof requested === 'string'
  return isWhole ? faults : [...faults, 'does not say what is supported and what was requested']
}

function newerFaults(method: string, result: JsonObject): readonly string[] {
  const { resultType, ttlMs, cacheScope, _meta: meta } = result
  if (typeof resultType !== 'string') return ['has no resultType']
  if (resultType === 'input_required') {
    return isInputRequiredResult(result) ? [] : ['is no request for input']
  }
  // A result of another type belongs to an extension, which has types of its own.
  if (resultType !== 'complete') return []
  const faults = codecFaults('2026-07-28', method, result)
  const isHinted = Number.isSafeInteger(ttlMs) && /^(?:public|private)$/.test(String(cacheScope))
  if (CACHEABLE.has(method) && !isHinted) faults.push('has no cache hints')
  if (!CACHEABLE.has(method) && (ttlMs ?? cacheScope) !== undefined) faults.push('has cache hints')
  const server = isJsonObject(meta) ? meta[SERVER_KEY] : undefined
  const outcome = specTypeSchemas.Implementation['~standard'].validate(server)
  if ('issues' in outcome && outcome.issues) faults.push('does not name the server')
  return faults
}

function olderFaults(method: string, result: JsonObject): readonly string[] {
  const faults = codecFaults('2025-11-25', method, result)
  const parsed = OLDER_RESULTS[method]?.safeParse(result)
  if (parsed?.success === false) faults.push(parsed.error.message)
  const newer = NEWER_MEMBERS.filter((name) => Object.hasOwn(result, name))
  if (newer.length > 0) faults.push(`has ${newer.join(', ')}`)
  const meta = result['_meta']
  if (isJsonObject(meta) && Object.hasOwn(meta, SERVER_KEY)) faults.push('names the server')
  return faults
}

/** A method that the revision does not have is a transport's own, like `shutdown`. */
function codecFaults(era: Era, method: string, result: JsonObject): string[] {
  const verdict = CODECS[era].validateResult(method, result)
  return verdict.ok || verdict.reason === 'not-in-era' ? [] : [describe(verdict)]
}

function describe(verdict: Extract<CodecVerdict, { ok: false }>): string {
  return verdict.reason === 'invalid' ? verdict.message : 'is of no type that the revision has'
}

function missingFaults(method: string, result: JsonObject): readonly string[] {
  const isWhole = (result['resultType'] ?? 'complete') === 'complete'
  const name = isWhole ? REQUIRED[method] : undefined
  return name === undefined || Object.hasOwn(result, name) ? [] : [`has no ${name}`]
}

const found: string[] = []

/** Judges an answer; what is wrong with it fails the test that is running, when it ends. */
export function checkAnswer(request: unknown, answer: unknown): void {
  for (const fault of findFaults(request, answer)) {
    found.push(`${fault.slice(0, 1000)}\n  in ${show(answer)}\n  to ${show(request)}`)
  }
}

/** The same of an HTTP body: one message, or a stream of them. What is neither is the host's own. */
export function checkBody(request: unknown, body: string, type: string): void {
  if (isMessage(body)) checkAnswer(request, JSON.parse(body))
  if (!type.startsWith('text/event-stream')) return
  for (const line of body.split('\n').filter((text) => text.startsWith('data:'))) {
    checkAnswer(request, JSON.parse(line.slice('data:'.length)))
  }
}

/** Pairs the messages of one connection: an answer is judged by the request whose id it has. */
export function pairAnswers(): {
  readonly sent: (message: unknown) => void
  readonly got: (answer: unknown) => void
} {
  const asked = new Map<unknown, unknown>()
  return {
    sent: (message) => {
      if (isJsonObject(message)) asked.set(message['id'], message)
    },
    got: (answer) => {
      const request = isJsonObject(answer) ? asked.get(answer['id']) : undefined
      const isAnswer = isJsonObject(answer) && !Object.hasOwn(answer, 'method')
      // The request of a result is known, or it was written as text that no test decodes.
      if (isAnswer && (request !== undefined || Object.hasOwn(answer, 'error'))) {
        checkAnswer(request, answer)
      }
    },
  }
}

/** Whether a text is a message as this server writes them, and no answer of the host's own. */
export function isMessage(text: unknown): text is string {
  return typeof text === 'string' && text.startsWith('{"jsonrpc"')
}

function show(value: unknown): string {
  const write = (_: string, item: unknown) => (typeof item === 'bigint' ? String(item) : item)
  return String(JSON.stringify(value, write)).slice(0, 500)
}

afterEach(() => {
  const faults = found.splice(0)
  if (faults.length > 0) {
    throw new Error(`Answers that break the published types:\n${faults.join('\n')}`)
  }
})
