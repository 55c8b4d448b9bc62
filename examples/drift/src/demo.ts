// SPDX-License-Identifier: Apache-2.0
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { buildShop, traceEffects } from './app.ts'

/** The edge that has to be found, and no other. */
const MODULE = 'shop/module/beam-mcp-example-drift%2Fdist%2F'
const DRIFT = [{ from: `${MODULE}catalog.js`, kind: 'invoke', to: `${MODULE}partner.js` }]

const shop = await buildShop()
const { app } = shop
const address = await app.listen({ host: '127.0.0.1', port: 0 })
const client = new Client(
  { name: 'drift-demo', version: '1.0.0' },
  { versionNegotiation: { mode: { pin: '2026-07-28' } } },
)
await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', address)))

const tracer = traceEffects(shop)
const calls = [
  { name: 'get_price', arguments: { article: 'apple' } },
  { name: 'get_price', arguments: { article: 'pear' } },
]
for (const call of calls) {
  const { structuredContent } = await client.callTool(call)
  console.log(`called ${call.name} ${call.arguments.article}:`, JSON.stringify(structuredContent))
}
tracer.stop()

const { contents } = await client.readResource({ uri: 'connectome://diff' })
const [item] = contents
const bytes = item !== undefined && 'text' in item ? item.text : '{}'
const { classes } = JSON.parse(bytes) as { classes: Record<string, unknown[]> }

const titles = {
  declared_and_observed: 'declared, and done',
  declared_never_observed: 'declared, never done (dead authority)',
  observed_but_undeclared: 'done, never declared (drift)',
}
for (const [name, title] of Object.entries(titles)) {
  console.log(`\n${title}:`)
  for (const edge of classes[name] as typeof DRIFT) {
    console.log(`  ${edge.from}  --${edge.kind}-->  ${edge.to}`)
  }
}
console.log(`\nsha256 of the declared graph: ${app.connectome.hash()}`)

await client.close()
await app.close()
const isFound = JSON.stringify(classes['observed_but_undeclared']) === JSON.stringify(DRIFT)
console.log(
  isFound ? '\nExactly the undeclared edge was found.' : '\nThe drift is not as expected.',
)
process.exitCode = isFound ? 0 : 1
