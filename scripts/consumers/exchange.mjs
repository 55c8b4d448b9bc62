// SPDX-License-Identifier: Apache-2.0
// One call and its answer, whatever the consumer and the transport.
import assert from 'node:assert/strict'

const VERSION = '2026-07-28'

/** A request for the tool `add`. */
export const CALL = {
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: {
    name: 'add',
    arguments: { a: 2, b: 3 },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': VERSION,
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
}

/** The tool `add`, as plain as a host can write it. */
export const ADD = {
  name: 'add',
  inputSchema: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    required: ['a', 'b'],
    additionalProperties: false,
  },
  handler: ({ a, b }) => ({ sum: a + b }),
}

export const SERVER_INFO = { name: 'consumer', version: '1.0.0' }

/** Fails unless this is the whole answer to {@link CALL}. */
export function assertAnswer(answer) {
  assert.deepEqual(answer, {
    jsonrpc: '2.0',
    id: 7,
    result: {
      content: [{ type: 'text', text: '{"sum":5}' }],
      structuredContent: { sum: 5 },
      isError: false,
      resultType: 'complete',
      _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
    },
  })
}

/** Makes {@link CALL} over HTTP and asserts status and answer. */
export async function callOverHttp(endpoint) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': VERSION,
      'mcp-method': 'tools/call',
      'mcp-name': 'add',
    },
    body: JSON.stringify(CALL),
  })
  assert.equal(response.status, 200)
  assertAnswer(await response.json())
}
