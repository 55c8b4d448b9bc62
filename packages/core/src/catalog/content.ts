// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, isStringList, type JsonObject } from '../protocol/plain.ts'

/** Hints about who content is for. @see MCP 2026-07-28, Annotations: CONT-08 */
export interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[]
  /** 0 (least) to 1 (most important). */
  readonly priority?: number
  /** ISO 8601 with seconds and offset: `2026-07-28T09:00:00Z`. */
  readonly lastModified?: string
}

/** An image a client may show beside an entry. @see MCP 2026-07-28, Icons: CONT-10 */
export interface Icon {
  /** An `https:` or `data:` URI; clients refuse every other scheme. */
  readonly src: string
  readonly mimeType?: string
  /** `"48x48"` or `"any"`. */
  readonly sizes?: readonly string[]
  readonly theme?: 'light' | 'dark'
}

/** What every block may carry. @see CONT-07 */
export interface BlockExtras {
  readonly annotations?: Annotations
  /** Keys of your own have a prefix of your own, such as `com.example/`. @see META-08 */
  readonly _meta?: JsonObject
}

/** Text. @see CONT-01 */
export interface TextContent extends BlockExtras {
  readonly type: 'text'
  readonly text: string
}

/** An image or a sound; `data` is standard base64 with padding. @see CONT-02 */
export interface MediaContent extends BlockExtras {
  readonly type: 'image' | 'audio'
  readonly data: string
  readonly mimeType: string
}

/** A resource named but not included; it need not be listed. @see CONT-03 */
export interface ResourceLink extends BlockExtras {
  readonly type: 'resource_link'
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly size?: number
  readonly icons?: readonly Icon[]
}

/** Contents included whole, with exactly one of `text` and `blob` (base64). @see CONT-04 */
export interface EmbeddedResource extends BlockExtras {
  readonly type: 'resource'
  readonly resource: {
    readonly uri: string
    readonly mimeType?: string
    readonly text?: string
    readonly blob?: string
    readonly _meta?: JsonObject
  }
}

/** One block of a tool's result or of a prompt's message. */
export type ContentBlock = TextContent | MediaContent | ResourceLink | EmbeddedResource

/** With a length that fours divide, the padding can't be other than it has to be. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * Says whether a text is standard base64 with padding, and nothing else (CONT-06, HDR-08). Contents of
 * any size are judged in one sweep: a pattern that counts in fours would run out of stack at some MiB.
 */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && BASE64.test(text)
}

/** Finds what is wrong with annotations: a phrase such as `priority is not from 0 to 1`. */
export function findAnnotationsFault(annotations: unknown): string | undefined {
  if (annotations === undefined) return undefined
  if (!isJsonObject(annotations)) return 'value is not an object'
  const { audience, priority, lastModified } = annotations
  if (audience !== undefined && !isAudience(audience)) {
    return "audience is not a list of 'user' and 'assistant'"
  }
  if (priority !== undefined && !(typeof priority === 'number' && priority >= 0 && priority <= 1)) {
    return 'priority is not from 0 to 1'
  }
  return lastModified === undefined || isIsoTime(lastModified)
    ? undefined
    : "lastModified is not a time of ISO 8601, such as '2026-07-28T09:00:00Z'"
}

/** To the second and with its offset: the date alone fails the official client. */
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/

function isIsoTime(value: unknown): boolean {
  return typeof value === 'string' && ISO_TIME.test(value) && !Number.isNaN(Date.parse(value))
}

function isAudience(value: unknown): boolean {
  return Array.isArray(value) && value.every((role) => role === 'user' || role === 'assistant')
}

const CLIENT_SAFE_SRC = /^(?:https|data):/i

/** Finds what is wrong with icons: a phrase that follows "icons". @see CONT-10 */
export function findIconsFault(icons: unknown): string | undefined {
  if (icons === undefined) return undefined
  if (!Array.isArray(icons)) return 'must be a list, or left out'
  for (const icon of icons as readonly unknown[]) {
    const { src, mimeType, sizes, theme } = isJsonObject(icon) ? icon : {}
    if (typeof src !== 'string' || !CLIENT_SAFE_SRC.test(src)) {
      return 'must each have a src that begins with https: or data:; clients refuse others'
    }
    if (mimeType !== undefined && typeof mimeType !== 'string') {
      return 'must have a mimeType that is a string, or left out'
    }
    if (sizes !== undefined && !isStringList(sizes)) {
      return "must have sizes that are a list such as ['48x48'], or left out"
    }
    if (theme !== undefined && theme !== 'light' && theme !== 'dark') {
      return "must have a theme that is 'light' or 'dark', or left out"
    }
  }
  return undefined
}
