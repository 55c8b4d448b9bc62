// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, isWrittenOtherwise, type JsonObject } from '../protocol/plain.ts'
import { findAnnotationsFault, findIconsFault, isBase64 } from './content.ts'
import { findMetaFault } from './meta-keys.ts'

/**
 * Finds what is wrong with a content block that host code built.
 *
 * @returns a phrase that follows "a block", or `undefined` for a sound block
 * @see MCP 2026-07-28, Content: CONT-01 to CONT-08
 */
export function findContentFault(block: unknown): string | undefined {
  if (!isJsonObject(block)) return 'is not an object'
  if (isWrittenOtherwise(block)) return 'has a toJSON, and would be sent as something else'
  return findExtrasFault(block) ?? findBlockFault(block)
}

/** Finds what is wrong with the annotations and the `_meta` of a block: a phrase that begins with `has`. */
export function findExtrasFault(extras: JsonObject): string | undefined {
  const fault = findAnnotationsFault(extras['annotations'])
  if (fault !== undefined) return `has annotations whose ${fault}`
  const metaFault = findMetaFault(extras['_meta'])
  return metaFault === undefined ? undefined : `has a _meta that ${metaFault}`
}

function findBlockFault(block: JsonObject): string | undefined {
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string' ? undefined : "of type 'text' has no string text"
    case 'image':
    case 'audio':
      return findMediaFault(block)
    case 'resource_link':
      return findLinkFault(block)
    case 'resource':
      return findEmbeddedFault(block['resource'])
    default:
      return 'has a type other than text, image, audio, resource_link and resource'
  }
}

function findMediaFault(block: JsonObject): string | undefined {
  if (typeof block['mimeType'] !== 'string') return `of type '${block['type']}' has no mimeType`
  const data = block['data']
  return typeof data === 'string' && isBase64(data)
    ? undefined
    : `of type '${block['type']}' needs data in padded base64`
}

const LINK_TEXTS = ['title', 'description', 'mimeType'] as const

function findLinkFault(block: JsonObject): string | undefined {
  const { uri, name, size, icons } = block
  if (typeof uri !== 'string' || typeof name !== 'string') {
    return "of type 'resource_link' needs a string uri and a string name"
  }
  const odd = LINK_TEXTS.find((key) => block[key] !== undefined && typeof block[key] !== 'string')
  if (odd !== undefined) return `of type 'resource_link' has a ${odd} that is no string`
  if (size !== undefined && !(Number.isSafeInteger(size) && Number(size) >= 0)) {
    return "of type 'resource_link' has a size that is no whole number of bytes"
  }
  const fault = findIconsFault(icons)
  return fault === undefined ? undefined : `of type 'resource_link' has icons that ${fault}`
}

function findEmbeddedFault(resource: unknown): string | undefined {
  if (!isJsonObject(resource)) return "of type 'resource' has no resource"
  if (isWrittenOtherwise(resource)) return 'embeds a resource with a toJSON'
  const { uri, mimeType, text, blob, _meta: meta } = resource
  if (typeof uri !== 'string') return "of type 'resource' has no string uri"
  if (mimeType !== undefined && typeof mimeType !== 'string') {
    return 'embeds a mimeType that is no string'
  }
  const fault = findMetaFault(meta)
  if (fault !== undefined) return `embeds a _meta that ${fault}`
  if ((text === undefined) === (blob === undefined)) {
    return 'embeds neither or both of text and blob'
  }
  if (text !== undefined) {
    return typeof text === 'string' ? undefined : 'embeds a text that is no string'
  }
  return typeof blob === 'string' && isBase64(blob)
    ? undefined
    : 'embeds a blob that is not padded base64'
}
