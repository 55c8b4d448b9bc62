// SPDX-License-Identifier: Apache-2.0
import { type CallContext, defineTool } from '@beam-mcp/core/server'
import { call } from './messages.ts'
import { type Deferred, defer } from './stdio-run.ts'

/** Calls of a tool that is answered when the test says so. */
export interface HeldCalls {
  readonly names: string[]
  readonly contexts: Map<string, CallContext>
  readonly tool: ReturnType<typeof defineTool>
  /** Resolves when a call with this name has begun. */
  readonly begun: (name: string) => Promise<void>
  /** Answers a call. */
  readonly finish: (name: string, text?: string) => void
}

export function holdCalls(): HeldCalls {
  const names: string[] = []
  const contexts = new Map<string, CallContext>()
  const answers = new Map<string, Deferred<string>>()
  const beginnings = new Map<string, Deferred<void>>()
  const of = <Value>(map: Map<string, Deferred<Value>>, name: string): Deferred<Value> => {
    const found = map.get(name) ?? defer<Value>()
    map.set(name, found)
    return found
  }
  const tool = defineTool({
    name: 'hold',
    description: 'Waits for the test.',
    inputSchema: { type: 'object', properties: { name: { type: 'string' } } },
    handler: (args, context) => {
      const name = String((args as { name: unknown }).name)
      names.push(name)
      contexts.set(name, context)
      of(beginnings, name).resolve()
      return of(answers, name).promise
    },
  })
  return {
    names,
    contexts,
    tool,
    begun: (name) => of(beginnings, name).promise,
    finish: (name, text = name) => of(answers, name).resolve(text),
  }
}

/** A call of the tool. */
export const hold = (name: string, id: unknown): object => call('hold', { name }, id)

/** A cancellation of the request with this id. */
export const cancel = (requestId: unknown, more: object = {}): object => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId, ...more },
})
