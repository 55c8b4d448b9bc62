// SPDX-License-Identifier: Apache-2.0
import { BEAM_ERR_CONTRACT } from '../errors.ts'
import { kindOf } from '../protocol/echo.ts'
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'
import { findContentFault, findExtrasFault } from './block-faults.ts'
import type {
  BlockExtras,
  EmbeddedResource,
  MediaContent,
  ResourceLink,
  TextContent,
} from './content.ts'

/**
 * A block of text.
 *
 * @throws BEAM_ERR_CONTRACT for what is no string, or for extras off their shape
 * @see MCP 2026-07-28, Text Content: CONT-01
 */
export function text(content: string, extras?: BlockExtras): TextContent {
  if (typeof content !== 'string') return refuse('text', `takes a string, got ${nameOf(content)}`)
  return { type: 'text', text: content, ...readExtras('text', extras) }
}

/**
 * A block with an image.
 *
 * @param bytes  raw bytes; they travel in base64
 * @param mimeType  for example `image/png`
 * @throws BEAM_ERR_CONTRACT for what are no bytes, or for extras off their shape
 * @see MCP 2026-07-28, Image Content: CONT-02
 */
export function image(bytes: Uint8Array, mimeType: string, extras?: BlockExtras): MediaContent {
  return media('image', bytes, mimeType, extras)
}

/**
 * A block with a sound.
 *
 * @param bytes  raw bytes; they travel in base64
 * @param mimeType  for example `audio/wav`
 * @throws BEAM_ERR_CONTRACT for what are no bytes, or for extras off their shape
 * @see MCP 2026-07-28, Audio Content: CONT-02
 */
export function audio(bytes: Uint8Array, mimeType: string, extras?: BlockExtras): MediaContent {
  return media('audio', bytes, mimeType, extras)
}

/**
 * A block that names a resource and does not include it; the resource need not be listed.
 *
 * @throws BEAM_ERR_CONTRACT for a member off its shape
 * @see MCP 2026-07-28, Resource Links: CONT-03
 */
export function resourceLink(link: Omit<ResourceLink, 'type'>): ResourceLink {
  if (!isJsonObject(link)) {
    return refuse('resourceLink', `takes { uri, name, … }, got ${nameOf(link)}`)
  }
  const block: ResourceLink = { ...link, type: 'resource_link' }
  const fault = findContentFault(block)
  return fault === undefined ? block : refuse('resourceLink', `cannot make it: the block ${fault}`)
}

/** What {@link embeddedResource} takes: exactly one of `text` and `bytes`. */
export interface EmbeddedContents {
  readonly uri: string
  readonly mimeType?: string
  readonly text?: string
  /** Raw bytes; they travel in base64. */
  readonly bytes?: Uint8Array
  readonly _meta?: JsonObject
}

/**
 * A block that includes the contents of a resource.
 *
 * @param extras  of the block; a `_meta` of the resource itself stands in `contents`
 * @throws BEAM_ERR_CONTRACT for neither or both of text and bytes, or for a member off its shape
 * @see MCP 2026-07-28, Embedded Resources: CONT-04, CONT-07
 */
export function embeddedResource(
  contents: EmbeddedContents,
  extras?: BlockExtras,
): EmbeddedResource {
  if (!isJsonObject(contents)) {
    return refuse('embeddedResource', `takes { uri, text | bytes, … }, got ${nameOf(contents)}`)
  }
  const { uri, mimeType, bytes, text: words, _meta: meta } = contents
  if ((words === undefined) === (bytes === undefined)) {
    return refuse('embeddedResource', 'takes exactly one of text and bytes')
  }
  const named = { uri, ...(mimeType !== undefined && { mimeType }), ...(meta && { _meta: meta }) }
  const fault = findContentFault({ type: 'resource', resource: { ...named, text: words ?? '' } })
  if (fault !== undefined) return refuse('embeddedResource', `cannot make it: the block ${fault}`)
  const body =
    bytes === undefined ? { text: String(words) } : { blob: encode('embeddedResource', bytes) }
  return {
    type: 'resource',
    resource: { ...named, ...body },
    ...readExtras('embeddedResource', extras),
  }
}

function media(
  type: 'image' | 'audio',
  bytes: Uint8Array,
  mimeType: string,
  extras: BlockExtras | undefined,
): MediaContent {
  if (typeof mimeType !== 'string') {
    return refuse(type, `takes a mimeType that is a string, got ${nameOf(mimeType)}`)
  }
  return { type, data: encode(type, bytes), mimeType, ...readExtras(type, extras) }
}

/** Base64 of the bytes where they lie: a view of them is not a copy. */
function encode(helper: string, bytes: unknown): string {
  if (!(bytes instanceof Uint8Array)) {
    return refuse(helper, `takes bytes as a Uint8Array, got ${nameOf(bytes)}`)
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

function readExtras(helper: string, extras: unknown): BlockExtras {
  if (extras === undefined) return {}
  if (!isJsonObject(extras)) {
    return refuse(helper, `takes { annotations?, _meta? } last, got ${nameOf(extras)}`)
  }
  const fault = findExtrasFault(extras)
  if (fault !== undefined) return refuse(helper, `cannot make it: the block ${fault}`)
  const { annotations, _meta: meta } = extras as BlockExtras
  return { ...(annotations && { annotations }), ...(meta && { _meta: meta }) }
}

function nameOf(value: unknown): string {
  return value instanceof Uint8Array ? 'bytes' : kindOf(value)
}

/** @throws BEAM_ERR_CONTRACT always: in a handler it is a host fault like any other throw */
function refuse(helper: string, what: string): never {
  throw new BEAM_ERR_CONTRACT(helper, what)
}
