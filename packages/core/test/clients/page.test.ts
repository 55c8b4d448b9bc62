// SPDX-License-Identifier: Apache-2.0
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApp as createTrains } from '../asking/trains.ts'
import { createApp as createShop } from '../subscriptions/page/shop.ts'
import { listen } from '../support/app.ts'
import { keyOf } from '../support/asking.ts'
import { buildProgram, startProgram } from '../support/stdio-child.ts'
import { connect, type User } from './page/connect.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')
const page = read('../../../../docs/clients.md')

/** The blocks of one language, in their order. */
function blocksOf(language: string): readonly string[] {
  const blocks = page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))
  return [...blocks].map(([, text = '']) => text)
}

async function open(app: Parameters<typeof listen>[0], user: Partial<User>) {
  const url = new URL(`http://127.0.0.1:${await listen(app)}/mcp`)
  const nobody: User = { fillIn: async () => undefined, hearOf: () => undefined }
  const client = await connect(url, 's3cret', { ...nobody, ...user })
  onTestFinished(() => client.close())
  return client
}

describe('docs/clients.md', () => {
  test('has the program as it is run, and no other', () => {
    const program = read('page/connect.ts').replace(/^\/\/ SPDX-License-Identifier: .*\n/, '')
    expect(blocksOf('ts')).toEqual([program])
  })

  test('names the version of the client that the tests use', () => {
    const { devDependencies } = JSON.parse(read('../../package.json'))
    const version: string = devDependencies['@modelcontextprotocol/client']
    expect(page).toContain(`@modelcontextprotocol/client@${version}`)
  })

  test('shows a client that listens', async () => {
    const events = new EventEmitter()
    const heard = once(events, 'heard')
    const client = await open(await createShop(), { hearOf: (uri) => events.emit('heard', uri) })
    const subscription = await client.listen({ resourceSubscriptions: ['stock://apples'] })
    await client.callTool({ name: 'sell', arguments: { what: 'apples' } })
    expect(await heard).toEqual(['stock://apples'])
    await subscription.close()
    expect(await subscription.closed).toBe('local')
  })

  test.each([
    ['a yes', { name: 'Ada' }, 'Ticket for Ada'],
    ['a no', undefined, 'Nothing was booked.'],
  ])('shows a client that is asked, and %s', async (_what, filled, said) => {
    const trains = {
      findOffer: async () => ({ id: 'o', price: 7 }),
      book: async (_offer: unknown, name: string) => `Ticket for ${name}`,
    }
    const messages: string[] = []
    const client = await open(await createTrains(trains, [keyOf(1)]), {
      fillIn: async (message) => {
        messages.push(message)
        return filled
      },
    })
    const { content } = await client.callTool({ name: 'book_seat', arguments: { city: 'c' } })
    expect(messages).toEqual(['The seat is 7 euros. Who is travelling?'])
    expect(content).toEqual([{ type: 'text', text: said }])
  })

  test('shows what a line is answered', async () => {
    const [line = ''] = /(?<=printf '%s\\n' ').*(?=' \| node)/.exec(blocksOf('sh').join()) ?? []
    const child = startProgram(await buildProgram('calculator'))
    child.send(JSON.parse(line))
    expect(await child.next()).toEqual(JSON.parse(blocksOf('json')[1] ?? ''))
    child.end()
    expect(await child.exit).toEqual({ code: 0, signal: null })
  })
})
