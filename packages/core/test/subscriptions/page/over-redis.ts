// SPDX-License-Identifier: Apache-2.0
import { type ChangeNotifier, createNotifier } from '@beam-mcp/core'
import { createRedisBus, type RedisBus } from '@beam-mcp/core/redis'
import { Redis } from 'ioredis'

export function announceOver(
  port: number,
  onError: (error: unknown) => void,
): { notifier: ChangeNotifier; bus: RedisBus; client: Redis } {
  const client = new Redis({ host: '127.0.0.1', port })
  // Without a listener, ioredis prints each failed attempt to connect.
  client.on('error', onError)
  const bus = createRedisBus({ client, channel: 'shop:mcp', onError })
  return { notifier: createNotifier({ bus, onError }), bus, client }
}
