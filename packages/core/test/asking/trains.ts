// SPDX-License-Identifier: Apache-2.0
import {
  beamMcp,
  createCatalog,
  createStateSealer,
  defineTool,
  elicitForm,
  inputRequired,
} from '@beam-mcp/core'
import Fastify, { type FastifyInstance } from 'fastify'

/** One seat at one price. */
export interface Offer {
  readonly id: string
  readonly price: number
}

export interface Trains {
  findOffer(city: string): Promise<Offer>
  /** Answers the ticket; the same one where the offer is booked already. */
  book(offer: Offer, name: string): Promise<string>
}

const formFor = ({ price }: Offer) =>
  elicitForm(`The seat is ${price} euros. Who is travelling?`, {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      class: { type: 'string', enum: ['first', 'second'], default: 'second' },
    },
    required: ['name'],
  })

export async function createApp(
  trains: Trains,
  keys: readonly Uint8Array[],
): Promise<FastifyInstance> {
  const bookSeat = defineTool({
    name: 'book_seat',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
    handler: async ({ city }, { input, state }) => {
      const offered = state as Offer | undefined
      const offer = offered ?? (await trains.findOffer(String(city)))
      const form = formFor(offer)
      const who = input('who', form)
      // An answer without the state is to a price that nobody saw: ask again.
      if (who === undefined || offered === undefined) {
        return inputRequired({ requests: { who: form }, state: offer })
      }
      return who.action === 'accept' ? trains.book(offer, who.content.name) : 'Nothing was booked.'
    },
  })
  const app = Fastify()
  await app.register(beamMcp, {
    ...createCatalog({ tools: [bookSeat] }),
    stateSealer: createStateSealer({ keys }),
    allowedOrigins: [],
    authorize: ({ headers }) =>
      headers.authorization === 'Bearer s3cret' ? { ok: true, principal: 'ada' } : { ok: false },
  })
  return app
}
