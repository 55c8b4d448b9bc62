// SPDX-License-Identifier: Apache-2.0

/** One request that every peer is sent, byte for byte. */
export interface Load {
  readonly name: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  /** Requests of one round, so that each takes some tenths of a second. */
  readonly amount: number
}

/** What the tool is called with. */
export interface ClimateArguments {
  readonly city: string
  readonly month: number
  readonly note?: string
}

/** What the tool answers with: the result every peer has to send. */
export interface Climate {
  readonly city: string
  readonly month: number
  readonly meanC: number
  readonly noteLength: number
}

const MEANS = [-3, -3, 0.5, 5.5, 11.5, 15.5, 17.5, 16.5, 12, 6.5, 1.5, -2.5]

/** The work of the tool, the same in every peer. */
export function climateOf({ city, month, note = '' }: ClimateArguments): Climate {
  return { city, month, meanC: MEANS[month - 1] ?? Number.NaN, noteLength: note.length }
}

/** The message as the bare peers read it, without a check. */
export interface Message {
  readonly id: number
  readonly params: { readonly arguments: ClimateArguments }
}

/** The answer of the endpoint, built as an object. */
export function answerTo({ id, params }: Message): object {
  const climate = climateOf(params.arguments)
  return {
    jsonrpc: '2.0',
    id,
    result: {
      content: [{ type: 'text', text: JSON.stringify(climate) }],
      structuredContent: climate,
      isError: false,
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
    },
  }
}

/** How the server names itself in each result. */
export const SERVER_INFO = { name: 'weather', version: '1.0.0' }

/** The tool's name, in the body and in its header. */
export const TOOL = 'get_climate'

function load(name: string, amount: number, args: ClimateArguments): Load {
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: TOOL,
      arguments: args,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
      },
    },
  }
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': TOOL,
  }
  return { name, body: JSON.stringify(message), headers, amount }
}

const CLIMATE = { city: 'Oslo', month: 5 }

/** 64 KiB of plain words. */
const NOTE = 'some words of plain text '.repeat(2_700).slice(0, 65_536)

/** The two questions: what a call costs, and what its bytes cost. */
export const LOADS: readonly [Load, Load] = [
  load('small call', 3_000, CLIMATE),
  load('64 KiB string', 1_000, { ...CLIMATE, note: NOTE }),
]
