// SPDX-License-Identifier: Apache-2.0
import { buildApp } from './app.ts'

const token = process.env['WEATHER_TOKEN']
if (token === undefined || token === '') {
  console.error('Set WEATHER_TOKEN to the bearer token that callers have to send.')
  process.exit(1)
}

// Clients that still open with the handshake of 2025-11-25 are let in where this is set.
const revisions =
  process.env['WEATHER_OLDER_CLIENTS'] === '1'
    ? (['2026-07-28', '2025-11-25'] as const)
    : (['2026-07-28'] as const)
const app = await buildApp({ token, logger: true, revisions })
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) })
// The listeners stay: under npm one Ctrl-C arrives twice.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void app.close())
