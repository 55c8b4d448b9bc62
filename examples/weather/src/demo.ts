// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { buildApp } from './app.ts'

const token = randomBytes(16).toString('hex')
const app = await buildApp({ token, logger: false })
const address = await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 0) })
const endpoint = new URL('/mcp', address)
console.log(`The weather example serves MCP 2026-07-28 at ${endpoint}`)

let wrong = 0

/** Prints one answer and counts it where it is not what it should be. */
function show(what: string, answer: unknown, isRight: boolean): void {
  if (!isRight) wrong += 1
  console.log(`\n${isRight ? 'ok   ' : 'WRONG'} ${what}`)
  console.log(`      ${JSON.stringify(answer)}`)
}

const client = new Client(
  { name: 'weather-demo', version: '1.0.0' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
)
const transport = new StreamableHTTPClientTransport(endpoint, {
  requestInit: { headers: { authorization: `Bearer ${token}` } },
})
await client.connect(transport)

const found = client.getDiscoverResult()
show('server/discover', found, found?.supportedVersions.includes('2026-07-28') === true)

const { tools } = await client.listTools()
const names = tools.map((tool) => tool.name)
show('tools/list', names, names.join() === 'get_climate,list_cities')

const call = await client.callTool({ name: 'get_climate', arguments: { city: 'Oslo', month: 7 } })
const climate = call.structuredContent as { meanC?: unknown } | undefined
show('tools/call get_climate', call.structuredContent, climate?.meanC === 17.5)

const { contents } = await client.readResource({ uri: 'weather://stations/zrh' })
const [first] = contents
const text = first !== undefined && 'text' in first ? first.text : ''
show('resources/read weather://stations/zrh', text, text.includes('Zürich'))

const prompt = await client.getPrompt({ name: 'pack_for', arguments: { city: 'Nairobi' } })
const [message] = prompt.messages
show('prompts/get pack_for', message?.content, JSON.stringify(message).includes('Nairobi'))

const refused = await client.callTool({
  name: 'get_climate',
  arguments: { city: 'Oslo', month: 13 },
})
show('a refusal: month 13', refused.content, refused.isError === true)

const stranger = await fetch(endpoint, { method: 'POST', body: '{}' })
const challenge = stranger.headers.get('www-authenticate')
show('a refusal: no token', `${stranger.status} ${challenge}`, stranger.status === 401)

await client.close()
console.log(wrong === 0 ? '\nEvery answer is right.' : `\n${wrong} answer(s) are wrong.`)

if (process.argv.includes('--once')) {
  process.exitCode = wrong === 0 ? 0 : 1
} else {
  console.log(`\nStill serving at ${endpoint}; the token is ${token}. Ctrl-C ends it.`)
  await new Promise<void>((resolve) => {
    // The listeners stay: under npm one Ctrl-C arrives twice.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve())
  })
}
await app.close()
// Under npm a second signal may come while the first is served: the listeners outlive it.
await setTimeout(250)
