// SPDX-License-Identifier: Apache-2.0
import type { AddressInfo } from 'node:net'
import {
  createCatalog,
  createStateSealer,
  definePrompt,
  defineResource,
  defineTool,
  elicitForm,
  elicitUrl,
  inputRequired,
  listRoots,
  sample,
} from '@beam-mcp/core'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createApp, listen } from '../support/app.ts'
import { keyOf } from '../support/asking.ts'
import { VERSION } from '../support/messages.ts'

const TRIP = elicitForm('Who is travelling?', {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    seats: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
    extras: { type: 'array', items: { type: 'string', enum: ['bag', 'meal'] } },
  },
  required: ['name', 'seats'],
})
const PAY = elicitUrl('Pay in the browser.', 'https://pay.example.org/start/8f1c')
const BLURB = sample({
  messages: [{ role: 'user', content: { type: 'text', text: 'One line about c-1' } }],
  maxTokens: 60,
})
const DIRS = listRoots()

const book = defineTool({
  name: 'book',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  handler: ({ city }, { input, state, principal }) => {
    const trip = input('trip', TRIP)
    if (state === undefined) {
      return inputRequired({ requests: { trip: TRIP, blurb: BLURB, dirs: DIRS }, state: { city } })
    }
    const known = state as { readonly city: string; readonly booked?: string }
    if (known.booked === undefined && trip?.action !== 'accept')
      return `Not booked: ${trip?.action}`
    if (known.booked === undefined) {
      const booked =
        trip?.action === 'accept' ? `${trip.content.seats} for ${trip.content.name}` : ''
      return inputRequired({
        requests: { pay: PAY },
        state: {
          ...known,
          booked,
          blurb: input('blurb', BLURB)?.content,
          dirs: input('dirs', DIRS)?.roots,
        },
      })
    }
    return { ...known, paid: input('pay', PAY)?.action, principal }
  },
})

async function serveBooking(ttlMs = 600_000): Promise<number> {
  const app: FastifyInstance = await createApp({
    ...createCatalog({
      tools: [book],
      prompts: [
        definePrompt({
          name: 'greet',
          render: (_args, { input }) => {
            const trip = input('trip', TRIP)
            if (trip === undefined) return inputRequired({ requests: { trip: TRIP } })
            return trip.action === 'accept' ? `I am ${trip.content.name}` : trip.action
          },
        }),
      ],
      resources: [
        defineResource({
          uri: 'home://dirs',
          name: 'dirs',
          read: ({ input }) => {
            const dirs = input('dirs', DIRS)
            return dirs === undefined
              ? inputRequired({ requests: { dirs: DIRS } })
              : dirs.roots.map(({ uri }) => uri).join()
          },
        }),
      ],
    }),
    stateSealer: createStateSealer({ keys: [keyOf(1)], ttlMs }),
    authorize: (request) => ({ ok: true, principal: String(request.headers['x-user']) }),
  })
  await listen(app)
  return (app.server.address() as AddressInfo).port
}

/** How the client's user answers a form. */
type Answer = { action: 'accept'; content: Record<string, string | number> } | { action: 'decline' }

interface Booking {
  readonly client: Client
  /** What the client was asked for, in its order. */
  readonly asked: string[]
}

async function connect(
  port: number,
  user: string,
  options: {
    readonly answer?: Answer
    readonly autoFulfill?: boolean
    readonly able?: object
  } = {},
): Promise<Booking> {
  const { answer = { action: 'accept', content: { name: 'Ada', seats: 2 } }, autoFulfill = true } =
    options
  const able = options.able ?? { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }
  const client = new Client(
    { name: 'asked', version: '1.0.0' },
    {
      capabilities: able,
      versionNegotiation: { mode: { pin: VERSION } },
      inputRequired: { autoFulfill },
    },
  )
  const asked: string[] = []
  if ('elicitation' in able) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(`${params.mode ?? 'form'}: ${params.message}`)
      return params.mode === 'url' ? { action: 'accept' } : answer
    })
  }
  if ('sampling' in able) {
    client.setRequestHandler('sampling/createMessage', ({ params }) => {
      asked.push(`model: ${params.maxTokens}`)
      return { role: 'assistant', content: { type: 'text', text: 'Calm.' }, model: 'm-1' }
    })
  }
  if ('roots' in able) {
    client.setRequestHandler('roots/list', () => {
      asked.push('roots')
      return { roots: [{ uri: 'file:///home/ada/trips', name: 'trips' }] }
    })
  }
  onTestFinished(() => client.close())
  const endpoint = new URL(`http://127.0.0.1:${port}/mcp`)
  await client.connect(
    new StreamableHTTPClientTransport(endpoint, { requestInit: { headers: { 'x-user': user } } }),
  )
  return { client, asked }
}

const CALL = { name: 'book', arguments: { city: 'c-1' } }

describe('the official client', () => {
  test('[MRTR-01] [MRTR-06] [MRTR-16] is asked for a form, a model, folders and a page on its way to one result', async () => {
    const { client, asked } = await connect(await serveBooking(), 'ada')
    const result = await client.callTool(CALL)
    expect(result.structuredContent).toEqual({
      city: 'c-1',
      booked: '2 for Ada',
      blurb: { type: 'text', text: 'Calm.' },
      dirs: [{ uri: 'file:///home/ada/trips', name: 'trips' }],
      paid: 'accept',
      principal: 'ada',
    })
    expect(asked.slice(0, 3).toSorted()).toEqual(['form: Who is travelling?', 'model: 60', 'roots'])
    expect(asked.slice(3)).toEqual(['url: Pay in the browser.'])
  })

  test('[ELI-08] declines', async () => {
    const { client } = await connect(await serveBooking(), 'ada', { answer: { action: 'decline' } })
    const result = await client.callTool(CALL)
    expect(result.content).toEqual([{ type: 'text', text: 'Not booked: decline' }])
  })

  test('[MRTR-02] is asked by prompts and resources too', async () => {
    const { client, asked } = await connect(await serveBooking(), 'ada')
    const prompt = await client.getPrompt({ name: 'greet' })
    expect(prompt.messages).toEqual([{ role: 'user', content: { type: 'text', text: 'I am Ada' } }])
    const read = await client.readResource({ uri: 'home://dirs' })
    expect(read.contents).toEqual([{ uri: 'home://dirs', text: 'file:///home/ada/trips' }])
    expect(asked).toEqual(['form: Who is travelling?', 'roots'])
  })

  test('[MRTR-05] that can be asked for less is told what is missing', async () => {
    const { client } = await connect(await serveBooking(), 'ada', { able: { elicitation: {} } })
    const thrown = await failureOf(client.callTool(CALL))
    expect(thrown).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {}, roots: {} } },
    })
  })
})

async function failureOf(asked: Promise<unknown>): Promise<{ readonly code?: unknown }> {
  return asked.then(
    () => expect.fail('nothing was refused'),
    (thrown: { readonly code?: unknown }) => thrown,
  )
}

describe('a state that the official client sends back', () => {
  const TRIP_ANSWER = { trip: { action: 'accept' as const, content: { name: 'Ada', seats: 2 } } }

  /** The first round by hand: its state, and the second round with whatever state and caller. */
  async function begin(port: number) {
    const by = async (user: string) => (await connect(port, user, { autoFulfill: false })).client
    const call = async (user: string, extra: object = {}) =>
      (await by(user)).callTool(
        { ...CALL, ...extra } as typeof CALL,
        {
          allowInputRequired: true,
        } as never,
      ) as Promise<unknown>
    const first = (await call('ada')) as {
      readonly resultType: string
      readonly requestState: string
    }
    expect(first.resultType).toBe('input_required')
    const retry = (user: string, requestState: string, extra: object = {}) =>
      call(user, { requestState, inputResponses: TRIP_ANSWER, ...extra })
    return { state: first.requestState, retry }
  }

  const REFUSED = {
    code: -32602,
    message: expect.stringContaining('Invalid or expired requestState'),
  }

  test('[MRTR-08] [MRTR-09] is refused when it was tampered with, and when another caller sends it', async () => {
    const { state, retry } = await begin(await serveBooking())
    expect(await retry('ada', state)).toMatchObject({ resultType: 'input_required' })
    for (const tampered of [`${state}-TAMPERED`, state.slice(0, -1), `B${state.slice(1)}`]) {
      expect(await failureOf(retry('ada', tampered))).toMatchObject(REFUSED)
    }
    expect(await failureOf(retry('bob', state))).toMatchObject(REFUSED)
    const elsewhere = retry('ada', state, { arguments: { city: 'c-2' } })
    expect(await failureOf(elsewhere)).toMatchObject(REFUSED)
  })

  test('[MRTR-09] is refused when it is over', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { state, retry } = await begin(await serveBooking(5000))
    expect(await retry('ada', state)).toMatchObject({ resultType: 'input_required' })
    vi.setSystemTime(Date.now() + 5000)
    expect(await failureOf(retry('ada', state))).toMatchObject(REFUSED)
  })
})
