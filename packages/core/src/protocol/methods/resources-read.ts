// SPDX-License-Identifier: Apache-2.0
import type { Awaitable } from '../../catalog/catalog.ts'
import type {
  CompiledCatalog,
  CompiledResource,
  CompiledTemplate,
} from '../../catalog/compile-catalog.ts'
import { findMetaFault } from '../../catalog/meta-keys.ts'
import { isNotFound } from '../../catalog/outcome.ts'
import { BEAM_ERR_CONTRACT } from '../../errors.ts'
import { askHost } from '../ask-host.ts'
import { cutText } from '../echo.ts'
import { encodeJson } from '../encode-json.ts'
import { type Finish, observe } from '../observe.ts'
import { isJsonObject, type JsonObject, ownMember } from '../plain.ts'
import type { Call, Method, Reply } from '../revision.ts'
import { firstVisible, isVisible } from '../visibility.ts'
import { invalidParams, resourceNotFound } from '../wire-errors.ts'

/**
 * `resources/read`: a listed uri first, then the templates in their order; the uri is compared as
 * it was sent. What neither knows is not found, before the reader runs.
 *
 * @see MCP 2026-07-28, Resources, Reading Resources: RES-04 to RES-07, RES-16
 */
export const resourcesRead: Method = {
  mirrors: 'uri',
  mayAskClient: true,
  run: async (call) => {
    const uri = ownMember(call.params, 'uri')
    if (typeof uri !== 'string') {
      return { error: invalidParams('resources/read requires a string uri') }
    }
    const catalog = await call.service.access.current(call.context)
    const target = await findTarget(call, catalog, uri)
    if (target === undefined) return notFound(call, uri, undefined)
    call.called = { kind: 'resource', name: target.key }
    return observe(call, 'resource', target.key, (finish) => read(call, uri, target, finish))
  },
}

/** What admits the uri: a listed resource, or a template. */
type Target = CompiledResource | CompiledTemplate

/** A listed uri decides alone: hidden, it is not found, whatever template would match it. */
export async function findTarget(
  call: Call,
  { resourcesByUri, templates }: CompiledCatalog,
  uri: string,
): Promise<Target | undefined> {
  const listed = resourcesByUri.get(uri)
  if (listed !== undefined) return (await isVisible(call, listed.entry)) ? listed : undefined
  return firstVisible(
    call,
    templates.entries.filter(({ matches }) => matches(uri)),
  )
}

function notFound({ revision }: Call, uri: string, reason: string | undefined): Reply {
  const shown = cutText(uri)
  const data = { uri: shown, ...(reason !== undefined && { reason }) }
  return { error: resourceNotFound(revision.resourceNotFoundCode, shown, data) }
}

function read(
  call: Call,
  uri: string,
  { key, mimeType }: Target,
  finish: Finish,
): Awaitable<Reply> {
  const context = call.context.forReading(key, call.service.isReadPublic)
  return askHost(call, {
    ask: () => call.service.catalog.readResource?.(uri, context),
    encode: (answer) => {
      if (isNotFound(answer)) return notFound(call, uri, answer.reason)
      const items = listItems(answer).map((item) => encodeItem(item, uri, mimeType))
      return { members: `"contents":[${items.join(',')}]${cacheTextOf(call)}` }
    },
    fault: 'A resource could not be read',
    mayAskClient: !call.service.isReadPublic,
    named: { uri: cutText(uri) },
    finish,
  })
}

/** What a retry was answered may not be kept. @see CACHE-07, A-12 */
function cacheTextOf({ retry, cacheText }: Call): string {
  return retry === undefined ? cacheText.resources : ',"ttlMs":0,"cacheScope":"private"'
}

function listItems(answer: unknown): readonly unknown[] {
  if (typeof answer === 'string') return [{ text: answer }]
  if (answer instanceof Uint8Array) return [{ blob: answer }]
  return Array.isArray(answer) ? answer : [answer]
}

/** @throws BEAM_ERR_CONTRACT for an item off its contract; the message holds no value of it */
function encodeItem(item: unknown, asked: string, mimeType: string | undefined): string {
  if (!isJsonObject(item)) return breaksContract('answered something that is no contents')
  const { text, blob } = item
  if ((text === undefined) === (blob === undefined)) {
    return breaksContract('answered an item with neither or both of text and blob')
  }
  const uri = item['uri'] ?? asked
  if (typeof uri !== 'string') return breaksContract('answered an item whose uri is no string')
  const type = item['mimeType'] ?? mimeType
  if (type !== undefined && typeof type !== 'string') {
    return breaksContract('answered an item whose mimeType is no string')
  }
  const metaFault = findMetaFault(item['_meta'])
  if (metaFault !== undefined) return breaksContract(`answered an item whose _meta ${metaFault}`)
  const contents = { uri, mimeType: type, ...encodeContents(text, blob), _meta: item['_meta'] }
  const encoding = encodeJson(contents)
  return encoding.ok ? encoding.json : breaksContract(`answered ${encoding.why}`)
}

function encodeContents(text: unknown, blob: unknown): JsonObject {
  if (typeof text === 'string') return { text }
  if (blob instanceof Uint8Array) {
    return { blob: Buffer.from(blob.buffer, blob.byteOffset, blob.byteLength).toString('base64') }
  }
  return breaksContract('answered a text that is no string, or a blob that is no Uint8Array')
}

function breaksContract(what: string): never {
  throw new BEAM_ERR_CONTRACT('readResource', what)
}
