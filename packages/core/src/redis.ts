// SPDX-License-Identifier: Apache-2.0

export {
  createRedisBus,
  type RedisBus,
  type RedisBusOptions,
} from './redis/create-redis-bus.ts'
export type { RedisClient, RedisOverride, RedisSubscriber } from './redis/redis-client.ts'
