// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { createTestClient } from '@beam-mcp/core/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { keyOf } from '../support/asking.ts'
import { createApp, type Offer } from './trains.ts'

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

describe('docs/asking.md', () => {
  const page = read('../../../../docs/asking.md')

  test('has the program as it is run, and no other', () => {
    const program = read('trains.ts').replace(/^\/\/ SPDX-License-Identifier: .*\n/, '')
    const programs = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, text]) => text)
    expect(programs).toEqual([program])
  })

  test('has the text of a refused state, and the bounds', () => {
    expect(page).toContain('Invalid or expired requestState')
    expect(page).toContain('65,536')
    expect(page).toContain('600,000')
  })
})

/** An instance of the program, which books with whatever it is told. */
async function startInstance(booked: (readonly [Offer, string])[], price: number) {
  const app = await createApp(
    {
      findOffer: async (city) => ({ id: city, price }),
      book: async (offer, name) => {
        booked.push([offer, name])
        return `Ticket for ${name}`
      },
    },
    [keyOf(1)],
  )
  onTestFinished(() => app.close())
  const client = createTestClient(app, {
    headers: { authorization: 'Bearer s3cret' },
    clientCapabilities: { elicitation: {} },
  })
  return (more: object = {}) =>
    client.request('tools/call', { name: 'book_seat', arguments: { city: 'c-1' }, ...more })
}

const accepted = { who: { action: 'accept', content: { name: 'Ada' } } }

describe('the program', () => {
  test('[MRTR-06] books what was offered by another instance, at its price', async () => {
    const booked: (readonly [Offer, string])[] = []
    const [one, other] = [await startInstance(booked, 20), await startInstance(booked, 90)]
    const { result } = await one()
    expect(JSON.stringify(result?.['inputRequests'])).toContain('20 euros')
    const requestState = result?.['requestState']
    const done = await other({ requestState, inputResponses: accepted })
    expect(done.result?.['content']).toEqual([{ type: 'text', text: 'Ticket for Ada' }])
    expect(booked).toEqual([[{ id: 'c-1', price: 20 }, 'Ada']])
  })

  test('[MRTR-15] asks for the price that nobody saw', async () => {
    const booked: (readonly [Offer, string])[] = []
    const call = await startInstance(booked, 20)
    const { result } = await call({ inputResponses: accepted })
    expect(result?.['resultType']).toBe('input_required')
    expect(booked).toEqual([])
  })

  test('[ELI-08] books nothing for who declines', async () => {
    const booked: (readonly [Offer, string])[] = []
    const call = await startInstance(booked, 20)
    const { result } = await call()
    const inputResponses = { who: { action: 'decline' } }
    const done = await call({ requestState: result?.['requestState'], inputResponses })
    expect(done.result?.['content']).toEqual([{ type: 'text', text: 'Nothing was booked.' }])
    expect(booked).toEqual([])
  })
})
