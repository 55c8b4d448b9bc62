// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { listen, post } from '../support/app.ts'
import { openListener, serveChanges, toolsChanged, updated } from '../support/listening.ts'
import { call } from '../support/messages.ts'
import { startRedis } from '../support/redis.ts'
import { announceOver } from './page/over-redis.ts'
import { createApp } from './page/shop.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

describe('docs/subscriptions.md', () => {
  test('has the programs as they are run, and no other', () => {
    const page = read('../../../../docs/subscriptions.md')
    const shown = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text)
    const run = ['shop', 'over-redis'].map((name) =>
      read(`page/${name}.ts`).replace(/^\/\/ SPDX-License-Identifier: .*\n/, ''),
    )
    expect(shown).toEqual(run)
  })

  test('shows a shop whose stock can be watched', async () => {
    const app = await createApp()
    const wanted = { resourceSubscriptions: ['stock://apples'], toolsListChanged: true }
    const stream = await openListener(await listen(app), wanted)
    expect(stream.filter).toEqual({ resourceSubscriptions: ['stock://apples'] })
    await post(app, call('sell', { what: 'apples' }))
    expect(await stream.next()).toEqual(updated('stock://apples'))
  })

  test('shows a notifier over Redis', async () => {
    const { port } = await startRedis()
    const { notifier, bus, client } = announceOver(port, () => undefined)
    onTestFinished(() => {
      bus.close()
      client.disconnect()
    })
    const { app } = await serveChanges({ subscriptions: { notifier } })
    const stream = await openListener(await listen(app), { toolsListChanged: true })
    notifier.toolsChanged()
    expect(await stream.next()).toEqual(toolsChanged())
  })
})
