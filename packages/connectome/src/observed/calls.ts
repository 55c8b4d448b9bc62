// SPDX-License-Identifier: Apache-2.0
import type { NodeIdentity } from '../graph/node-id.ts'
import type { EdgeKind } from '../graph/vocabulary.ts'
import { count, type Row, type RowBook } from './rows.ts'

/** What is read of an event. Whoever publishes on the channel may have put anything there. */
interface CallEvent {
  readonly server?: unknown
  readonly tool?: unknown
  readonly resource?: unknown
  readonly prompt?: unknown
  readonly durationMs?: unknown
}

/** One of the server's tracing channels, and the edge that its events stand for. */
export interface CallChannel {
  /** The channel's name: those who publish on it are not imported. */
  readonly name: string
  /** What was called, by the member of an event that names it. */
  readonly nameIn: (event: CallEvent) => unknown
  readonly kind: EdgeKind
  readonly identity: (server: string, name: string) => NodeIdentity
}

/** `tools/call`. */
export const TOOL_CALLS: CallChannel = {
  name: 'beam_mcp.dispatch',
  nameIn: ({ tool }) => tool,
  kind: 'invoke',
  identity: (server, name) => ({ kind: 'tool', server, name }),
}

/** `resources/read`: named by the listed uri or the listed template, never by the requested uri. */
export const RESOURCE_READS: CallChannel = {
  name: 'beam_mcp.read',
  nameIn: ({ resource }) => resource,
  kind: 'read',
  identity: (server, name) => ({ kind: 'resource', server, name }),
}

/** `prompts/get`. */
export const PROMPT_READS: CallChannel = {
  name: 'beam_mcp.prompt',
  nameIn: ({ prompt }) => prompt,
  kind: 'read',
  identity: (server, name) => ({ kind: 'prompt', server, name }),
}

/** Every channel that a collector can listen to. */
export const ALL_CALLS: readonly CallChannel[] = [TOOL_CALLS, RESOURCE_READS, PROMPT_READS]

/** Whether an event is of this server; whatever throws when it is read is not. */
export function isOf(server: string, event: unknown): boolean {
  try {
    return (event as CallEvent).server === server
  } catch {
    return false
  }
}

/** What an event of this server stands for: the tool, resource or prompt that is being called. */
export function callerIn(event: unknown, server: string): NodeIdentity | undefined {
  if (!isOf(server, event)) return undefined
  for (const channel of ALL_CALLS) {
    const name = channel.nameIn(event as CallEvent)
    if (typeof name === 'string') return channel.identity(server, name)
  }
  return undefined
}

/** Counts the ends of a channel's calls. A row once found is found again by its name alone. */
export function counterOf(
  { nameIn, kind, identity }: CallChannel,
  server: string,
  book: RowBook,
): (event: unknown) => void {
  const rows = new Map<unknown, Row>()
  const from: NodeIdentity = { kind: 'server', server }
  const addRow = (name: unknown): Row | undefined => {
    if (typeof name !== 'string') return undefined
    const row = book.rowOf(from, identity(server, name), kind)
    if (row !== undefined) rows.set(name, row)
    return row
  }
  return (given) => {
    // Others may publish on the channel, even what throws when it is read: none of it is a call.
    try {
      const event = given as CallEvent
      if (event.server !== server) return
      const name = nameIn(event)
      const row = rows.get(name) ?? addRow(name)
      if (row !== undefined) count(row, event.durationMs)
    } catch {}
  }
}
