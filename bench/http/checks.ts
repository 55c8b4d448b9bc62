// SPDX-License-Identifier: Apache-2.0
import { Readable } from 'node:stream'
import { createCatalog, defineTool } from '@beam-mcp/core'
import { climateTool } from './climate-tool.ts'
import { loadBuilt } from './internals.ts'
import { answerTo, climateOf, type Load, type Message, SERVER_INFO, TOOL } from './messages.ts'

/** One check of a call, beside what a bare Fastify route does in its place. */
export interface Check {
  readonly name: string
  readonly run: () => unknown
  /** Undefined where a bare route does nothing of the kind. */
  readonly bare?: (() => unknown) | undefined
}

const { readJson } =
  await loadBuilt<typeof import('../../packages/core/dist/json/read-json.js')>('json/read-json.js')
const { findEarlyRefusal } =
  await loadBuilt<typeof import('../../packages/core/dist/http/early-checks.js')>(
    'http/early-checks.js',
  )
const { readAllowedOrigins } =
  await loadBuilt<typeof import('../../packages/core/dist/http/origins.js')>('http/origins.js')
const { decide } =
  await loadBuilt<typeof import('../../packages/core/dist/http/decision.js')>('http/decision.js')
const { collectBody } =
  await loadBuilt<typeof import('../../packages/core/dist/http/collect-body.js')>(
    'http/collect-body.js',
  )
const { accepts, isJsonType } =
  await loadBuilt<typeof import('../../packages/core/dist/http/media-types.js')>(
    'http/media-types.js',
  )
const { headerValues } =
  await loadBuilt<typeof import('../../packages/core/dist/http/raw-headers.js')>(
    'http/raw-headers.js',
  )
const { createHeaderMirror } =
  await loadBuilt<typeof import('../../packages/core/dist/http/header-mirror.js')>(
    'http/header-mirror.js',
  )
const { createTransportServer } = await loadBuilt<
  typeof import('../../packages/core/dist/protocol/create-server.js')
>('protocol/create-server.js')
const { compileTool, createSchemaCompiler } =
  await loadBuilt<typeof import('../../packages/core/dist/catalog/compile-tool.js')>(
    'catalog/compile-tool.js',
  )
const { createBoundedCache } = await loadBuilt<
  typeof import('../../packages/core/dist/catalog/bounded-cache.js')
>('catalog/bounded-cache.js')
const { encodeOutcome } = await loadBuilt<
  typeof import('../../packages/core/dist/protocol/methods/tool-outcome.js')
>('protocol/methods/tool-outcome.js')

const BODY_LIMIT = 1_048_576
const BOUNDS = { limit: BODY_LIMIT, timeoutMs: 15_000 }
const nothing = (): undefined => undefined
const LOG = { error: nothing, warn: nothing, info: nothing, debug: nothing }
const tool = climateTool(defineTool)
const compiled = compileTool(
  tool,
  createSchemaCompiler(BODY_LIMIT, createBoundedCache(10, 1_000_000)),
)

/**
 * The checks of one call in the order of docs/http.md. Nothing is switched off: each is a function
 * of the build, called as the plugin calls it.
 */
export async function checksOf({ body, headers }: Load): Promise<readonly Check[]> {
  const bytes = Buffer.from(body)
  const message = JSON.parse(body) as Message
  const args = message.params.arguments as unknown as Readonly<Record<string, unknown>>
  const climate = climateOf(message.params.arguments)
  const length = { 'content-length': String(bytes.length) }
  const sent = { host: '127.0.0.1:3000', connection: 'keep-alive', ...headers, ...length }
  const raw = Object.entries(sent).flat()
  const request = { raw: { rawHeaders: raw, method: 'POST', headers: sent, socket: {} } }
  const asRequest = request as unknown as Parameters<typeof findEarlyRefusal>[0]
  const rules = {
    admitsOrigins: readAllowedOrigins([]),
    admitsHosts: undefined,
    allowChunked: false,
    bodyLimit: BODY_LIMIT,
  }
  const asking = { hook: 'authorize', log: LOG, timeoutMs: 10_000 } as const
  const reading = readJson(bytes)
  if (!reading.ok) throw new Error('The message of the comparison is not read')
  const server = createTransportServer({
    ...createCatalog({ tools: [tool] }),
    serverInfo: SERVER_INFO,
    logger: LOG,
  })
  await server.ready()
  const mirrorOf = () => createHeaderMirror(raw, nothing)
  const exchange = () => ({
    transportContext: { transport: 'http' as const },
    principal: undefined,
    log: LOG,
    mirror: mirrorOf(),
  })
  return [
    { name: 'Origin, method, declared length', run: () => findEarlyRefusal(asRequest, rules) },
    { name: '`authorize`, answering at once', run: () => decide(asking, () => ({ ok: true })) },
    {
      name: 'body collected, under cap and deadline',
      run: () => new Promise((resolve) => collectBody(Readable.from([bytes]), BOUNDS, resolve)),
      bare: () => collectBare(Readable.from([bytes])),
    },
    {
      name: 'content type, coding and `Accept`',
      run: () =>
        isJsonType(headerValues(raw, 'content-type')[0] ?? '') &&
        headerValues(raw, 'content-encoding').length === 0 &&
        accepts(headerValues(raw, 'accept'), 'application/json'),
    },
    {
      name: 'strict JSON: depth, UTF-8, repeated keys, exact numbers',
      run: () => readJson(bytes),
      bare: () => JSON.parse(body),
    },
    {
      name: '`MCP-Protocol-Version`, `Mcp-Method`, `Mcp-Name`',
      run: () => {
        const mirror = mirrorOf()
        return (
          mirror.checkVersion('2026-07-28') ??
          mirror.checkMethod('tools/call') ??
          mirror.checkName(TOOL)
        )
      },
    },
    { name: 'arguments by the input schema', run: () => compiled.input?.validate(args) },
    {
      name: 'answer encoded, and held to the output schema',
      run: () => encodeOutcome(compiled, climate, 'full'),
      bare: () => JSON.stringify(answerTo(message)),
    },
    {
      name: 'the whole engine: envelope, the last three, the handler',
      run: () => server.engine.serve(reading, exchange()),
      bare: () => JSON.stringify(answerTo(message)),
    },
  ]
}

/** As Fastify does it: decoded as it comes, with the length counted. */
function collectBare(stream: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    let length = 0
    stream.setEncoding('utf8')
    stream.on('data', (chunk: string) => {
      length += Buffer.byteLength(chunk)
      if (length > BODY_LIMIT) reject(new Error('too large'))
      text += chunk
    })
    stream.on('end', () => resolve(text))
    stream.on('error', reject)
  })
}
