// SPDX-License-Identifier: Apache-2.0
import { createCatalog, defineTool } from '@beam-mcp/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  closed,
  EMPTY_BODY,
  errorAnswer,
  FORBIDDEN,
  INTERNAL,
  kept,
  mismatch,
  NO_JSON,
  ORIGIN_REFUSED,
  SERVER_META,
  type Seen,
  see,
  unsupported,
  valueResult,
  WRONG_TYPE,
} from '../support/answers.ts'
import { createApp, watched } from '../support/app.ts'
import { call, headersFor, META } from '../support/messages.ts'

const LIMIT = 4096
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'

/** One request while faults are put into it. */
interface Draft {
  method: 'POST' | 'PUT'
  readonly message: Record<string, unknown>
  readonly params: Record<string, unknown>
  readonly meta: Record<string, unknown>
  args: unknown
  readonly headers: Record<string, string | undefined>
  /** Rewrites the body's text. */
  rewrite: (text: string) => string
}

/** One fault and its answer when it is the only one. */
interface Row {
  readonly name: string
  readonly spoil: (draft: Draft) => void
  readonly answer: Seen
  /** Rows that this one can't be combined with, because it leaves no place for them. */
  readonly excludes?: readonly string[]
  /** How often the hooks are asked and the tool runs, up to this refusal. */
  readonly asked: 'nobody' | 'authorize' | 'authorizeBody' | 'authorizeCall' | 'dispatch'
}

function rewriting(change: (text: string) => string): (draft: Draft) => void {
  return (draft) => {
    const { rewrite } = draft
    draft.rewrite = (text) => change(rewrite(text))
  }
}

function header(name: string, value: string | undefined): (draft: Draft) => void {
  return (draft) => {
    draft.headers[name] = value
  }
}

const inside = (members: string) => rewriting((text) => text.replace('{', `{${members},`))

// In the order in which they are checked: each of them wins over every later one.
const ROWS: readonly Row[] = [
  {
    name: 'an Origin outside the list',
    spoil: header('origin', 'https://evil.test'),
    answer: closed(403, ORIGIN_REFUSED),
    asked: 'nobody',
  },
  {
    name: 'another method than POST',
    spoil: (draft) => {
      draft.method = 'PUT'
    },
    answer: closed(405, errorAnswer(-32600, 'Method not allowed: PUT; use POST')),
    asked: 'nobody',
  },
  {
    name: 'a declared length over the limit',
    spoil: header('content-length', String(LIMIT + 1)),
    answer: closed(413, errorAnswer(-32600, `Request body exceeds ${LIMIT} bytes`)),
    asked: 'nobody',
  },
  {
    name: 'a transfer coding',
    spoil: header('transfer-encoding', 'chunked'),
    answer: closed(
      411,
      errorAnswer(-32600, 'Request body must declare its length: transfer-encoding is refused'),
    ),
    asked: 'nobody',
  },
  {
    name: 'a refusal by authorize',
    spoil: header('x-refuse-authorize', 'yes'),
    answer: closed(403, FORBIDDEN),
    asked: 'authorize',
  },
  {
    name: 'a body over the limit',
    spoil: (draft) => {
      draft.headers['content-length'] ??= '1'
      rewriting((text) => text.padEnd(LIMIT + 1))(draft)
    },
    answer: closed(413, errorAnswer(-32600, `Request body exceeds ${LIMIT} bytes`)),
    excludes: ['an empty body'],
    asked: 'authorize',
  },
  {
    name: 'a refusal by authorizeBody',
    spoil: header('x-refuse-authorize-body', 'yes'),
    answer: kept(403, FORBIDDEN),
    asked: 'authorizeBody',
  },
  {
    name: 'an empty body',
    spoil: rewriting(() => ''),
    answer: kept(400, EMPTY_BODY),
    asked: 'authorizeBody',
  },
  {
    name: 'another content type',
    spoil: header('content-type', 'text/plain'),
    answer: kept(415, WRONG_TYPE),
    asked: 'authorizeBody',
  },
  {
    name: 'a content coding',
    spoil: header('content-encoding', 'gzip'),
    answer: kept(
      415,
      errorAnswer(-32600, 'Content-Encoding is not supported; send the body as it is'),
    ),
    asked: 'authorizeBody',
  },
  {
    name: 'an Accept of neither type',
    spoil: header('accept', 'text/html'),
    answer: kept(
      406,
      errorAnswer(-32600, 'Not acceptable: the answer is application/json or text/event-stream'),
    ),
    asked: 'authorizeBody',
  },
  {
    name: 'a body that nests too deep',
    spoil: inside(`"deep":${'['.repeat(64)}${']'.repeat(64)}`),
    answer: kept(400, errorAnswer(-32600, 'Request body nests deeper than 64 levels')),
    asked: 'authorizeBody',
  },
  {
    name: 'a body that is no JSON',
    spoil: rewriting((text) => `${text}!`),
    answer: kept(400, NO_JSON),
    asked: 'authorizeBody',
  },
  {
    name: 'a repeated key',
    spoil: inside('"twice":1,"twice":2'),
    answer: kept(400, errorAnswer(-32600, 'Request body repeats a key: duplicate key "twice"')),
    asked: 'authorizeBody',
  },
  {
    name: 'an array',
    spoil: rewriting((text) => `[${text}]`),
    answer: kept(400, errorAnswer(-32600, 'Expected a JSON object, got an array')),
    asked: 'authorizeBody',
  },
  {
    name: 'an id that is none',
    spoil: ({ message }) => {
      message['id'] = true
    },
    answer: kept(400, errorAnswer(-32600, 'Invalid Request: id must be a string or an integer')),
    asked: 'authorizeBody',
  },
  {
    name: 'another JSON-RPC version',
    spoil: ({ message }) => {
      message['jsonrpc'] = '1.0'
    },
    answer: kept(400, errorAnswer(-32600, 'Invalid Request', { id: 1 })),
    asked: 'authorizeBody',
  },
  {
    name: 'a _meta in the wrong place',
    spoil: ({ message }) => {
      message['_meta'] = {}
    },
    answer: kept(
      400,
      errorAnswer(
        -32602,
        'Invalid params: _meta belongs in params._meta (2026-07-28 RequestParams), not at the top level of the request',
        { id: 1 },
      ),
    ),
    asked: 'authorizeBody',
  },
  {
    name: 'no version in the body',
    spoil: ({ meta }) => {
      delete meta[VERSION_KEY]
    },
    answer: kept(
      400,
      errorAnswer(
        -32602,
        `Invalid params: params._meta with ${VERSION_KEY} is required on every request`,
        { id: 1 },
      ),
    ),
    asked: 'authorizeBody',
  },
  {
    name: 'no version header',
    spoil: header('mcp-protocol-version', undefined),
    answer: kept(
      400,
      mismatch('Missing mcp-protocol-version header; it is required on every request'),
    ),
    excludes: ['another version in the header'],
    asked: 'authorizeBody',
  },
  {
    name: 'another version in the header',
    spoil: header('mcp-protocol-version', '2025-11-25'),
    answer: kept(400, mismatch('mcp-protocol-version header does not match the body value')),
    asked: 'authorizeBody',
  },
  {
    name: 'a version that is not served',
    spoil: ({ meta, headers }) => {
      meta[VERSION_KEY] = '2031-01-01'
      headers['mcp-protocol-version'] = '2031-01-01'
    },
    answer: kept(400, unsupported('2031-01-01')),
    asked: 'authorizeBody',
  },
  {
    name: 'another method in the header',
    spoil: header('mcp-method', 'tools/list'),
    answer: kept(
      400,
      mismatch('mcp-method header does not match the corresponding request body value'),
    ),
    asked: 'authorizeBody',
  },
  {
    name: 'another name in the header',
    spoil: header('mcp-name', 'wipe'),
    answer: kept(
      400,
      mismatch('mcp-name header does not match the corresponding request body value'),
    ),
    excludes: ['a method that is unknown'],
    asked: 'authorizeBody',
  },
  {
    name: 'no client capabilities',
    spoil: ({ meta }) => {
      delete meta[CAPABILITIES_KEY]
    },
    answer: kept(
      400,
      errorAnswer(
        -32602,
        `Invalid params: params._meta lacks ${CAPABILITIES_KEY}, which 2026-07-28 requires on every request`,
        { id: 1 },
      ),
    ),
    asked: 'authorizeBody',
  },
  {
    name: 'a method that is unknown',
    spoil: ({ message, headers }) => {
      message['method'] = 'tools/none'
      headers['mcp-method'] = 'tools/none'
    },
    answer: kept(404, errorAnswer(-32601, 'Method not found: tools/none', { id: 1 })),
    asked: 'authorizeBody',
  },
  {
    name: 'a refusal by authorizeCall',
    spoil: header('x-refuse-authorize-call', 'yes'),
    answer: kept(403, errorAnswer(-32600, 'Forbidden', { id: 1 })),
    asked: 'authorizeCall',
  },
  {
    name: 'an unknown tool',
    spoil: ({ params, headers }) => {
      params['name'] = 'none'
      headers['mcp-name'] = 'none'
    },
    answer: kept(200, errorAnswer(-32602, 'Unknown tool: none', { id: 1 })),
    asked: 'authorizeCall',
  },
  {
    name: 'arguments that are no object',
    spoil: (draft) => {
      draft.args = []
    },
    answer: kept(
      200,
      errorAnswer(-32602, 'Invalid params: arguments must be an object, got an array', { id: 1 }),
    ),
    excludes: ['an argument outside the schema', 'a tool that fails'],
    asked: 'authorizeCall',
  },
  {
    name: 'a mirrored argument that differs',
    spoil: header('mcp-param-region', 'south'),
    answer: kept(
      400,
      mismatch('Mcp-Param-region header does not match the corresponding request body value'),
    ),
    asked: 'authorizeCall',
  },
  {
    name: 'an argument outside the schema',
    spoil: ({ args }) => {
      Object.assign(args as object, { count: 'many' })
    },
    answer: kept(200, {
      jsonrpc: '2.0',
      id: 1,
      result: {
        content: [{ type: 'text', text: expect.stringMatching(/^Invalid arguments for route: /) }],
        structuredContent: {
          error: expect.objectContaining({ tool: 'route', reason: 'invalid_arguments' }),
        },
        isError: true,
        resultType: 'complete',
        _meta: SERVER_META,
      },
    }),
    asked: 'authorizeCall',
  },
  {
    name: 'a tool that fails',
    spoil: ({ args }) => {
      Object.assign(args as object, { text: 'fail' })
    },
    answer: kept(500, { ...INTERNAL, id: 1 }),
    asked: 'dispatch',
  },
]

const PAIRS = ROWS.flatMap((earlier, index) =>
  ROWS.slice(index + 1)
    .filter((later) => earlier.excludes?.includes(later.name) !== true)
    .map((later) => [earlier.name, later.name, earlier, later] as const),
)

const ROUTE = defineTool({
  name: 'route',
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'region' },
      count: { type: 'integer' },
      text: { type: 'string' },
    },
    additionalProperties: false,
  },
  handler: (args) => {
    if (args['text'] === 'fail') throw new Error('the host failed')
    return args
  },
})

describe('the order of checks', () => {
  const asked: string[] = []
  const { options, seen } = watched(createCatalog({ tools: [ROUTE] }))
  let app: FastifyInstance

  beforeAll(async () => {
    const decide = (hook: string, request: FastifyRequest | undefined): { ok: boolean } => {
      asked.push(hook)
      return { ok: request?.headers[`x-refuse-${hook}`] === undefined }
    }
    app = await createApp({
      ...options,
      bodyLimit: LIMIT,
      authorize: (request) => decide('authorize', request) as { ok: true },
      authorizeBody: (request) => decide('authorize-body', request) as { ok: true },
      authorizeCall: ({ request }) => decide('authorize-call', request) as { ok: true },
    })
  })

  beforeEach(() => {
    asked.length = 0
    seen.length = 0
  })

  /** Sends one request with these faults, the last put in first, so that the earlier ones stand. */
  async function send(...rows: readonly Row[]): Promise<Seen> {
    const args = { region: 'north' }
    const message = call('route', args)
    const meta: Record<string, unknown> = { ...META }
    const params = message['params'] as Record<string, unknown>
    const headers = { ...headersFor(message), 'mcp-param-region': 'north' }
    const draft: Draft = {
      method: 'POST',
      message,
      params,
      meta,
      args,
      headers,
      rewrite: (text) => text,
    }
    for (const row of rows.toReversed()) row.spoil(draft)
    const body = { ...message, params: { ...params, _meta: meta, arguments: draft.args } }
    const sent = Object.entries(draft.headers).filter(([, value]) => value !== undefined)
    const response = await app.inject({
      method: draft.method,
      url: '/mcp',
      headers: Object.fromEntries(sent) as Record<string, string>,
      payload: draft.rewrite(JSON.stringify(body)),
    })
    return see(response)
  }

  test('serves a request without a fault', async () => {
    expect(await send()).toEqual(kept(200, valueResult({ region: 'north' })))
    expect(asked).toEqual(['authorize', 'authorize-body', 'authorize-call'])
    expect(seen).toEqual([{ tool: 'route', args: { region: 'north' } }])
  })

  const HOOKS = ['nobody', 'authorize', 'authorizeBody', 'authorizeCall', 'dispatch']

  test.each(ROWS.map((row) => [row.name, row] as const))('answers %s', async (_, row) => {
    expect(await send(row)).toEqual(row.answer)
    expect(asked).toHaveLength(Math.min(HOOKS.indexOf(row.asked), 3))
    expect(seen).toHaveLength(row.asked === 'dispatch' ? 1 : 0)
  })

  test.each(PAIRS)('answers %s before %s', async (_earlier, _later, earlier, later) => {
    expect(await send(earlier, later)).toEqual(earlier.answer)
    expect(asked).toHaveLength(Math.min(HOOKS.indexOf(earlier.asked), 3))
    expect(seen).toHaveLength(0)
  })
})
