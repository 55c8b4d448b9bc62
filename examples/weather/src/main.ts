// SPDX-License-Identifier: Apache-2.0
import { buildApp } from './app.ts'

const token = process.env['WEATHER_TOKEN']
if (token === undefined || token === '') {
  console.error('Set WEATHER_TOKEN to the bearer token that callers have to send.')
  process.exit(1)
}

const app = await buildApp({ token, logger: true })
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) })
// The listeners stay: under npm one Ctrl-C arrives twice.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void app.close())
