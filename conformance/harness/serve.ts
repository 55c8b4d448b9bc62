// SPDX-License-Identifier: Apache-2.0
// Serves the harness until it is ended: node conformance/dist/harness/serve.js [port]
import { createApp, HOST } from './create-app.ts'

const port = Number(process.argv[2] ?? 3000)
const app = await createApp(port)
process.once('SIGTERM', () => void app.close())
console.log(`MCP at ${await app.listen({ host: HOST, port })}/mcp`)
