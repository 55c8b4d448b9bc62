// SPDX-License-Identifier: Apache-2.0
import { type Catalog, type PromptAnswer, promptError } from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import {
  catalogOf,
  createTestServer,
  errorAnswer,
  resultAnswer,
  UNCACHED,
} from '../support/server.ts'

const PROMPT = {
  name: 'p',
  arguments: [
    { name: 'topic', required: true },
    { name: 'tone', title: 'Tone', description: 'How.' },
    { name: '__proto__' },
    { name: 'toString', required: false },
  ],
}

function servePrompt(prompt: object, getPrompt: NonNullable<Catalog['getPrompt']>) {
  return createTestServer({ catalog: { ...catalogOf({ prompts: [prompt] }), getPrompt } })
}

const render = (answer: unknown) =>
  servePrompt({ name: 'p' }, () => answer as PromptAnswer).ask('prompts/get', { name: 'p' })

describe('prompts/list', () => {
  test('[PROM-02] names every argument, and whether it is required', async () => {
    const { ask } = createTestServer({
      catalog: catalogOf({
        prompts: [PROMPT, { name: 'bare', arguments: [] }, { name: 'none', title: 'None' }],
      }),
    })
    expect(await ask('prompts/list')).toEqual(
      resultAnswer({
        prompts: [
          { name: 'bare' },
          { name: 'none', title: 'None' },
          {
            name: 'p',
            arguments: [
              { name: 'topic', required: true },
              { name: 'tone', title: 'Tone', description: 'How.', required: false },
              { name: '__proto__', required: false },
              { name: 'toString', required: false },
            ],
          },
        ],
        ...UNCACHED,
      }),
    )
  })
})

describe('arguments of a prompt', () => {
  async function get(args: unknown) {
    const handed: unknown[] = []
    const { ask } = servePrompt(PROMPT, (name, given) => {
      handed.push([name, JSON.stringify(given)])
      return { messages: [] }
    })
    return { answer: await ask('prompts/get', { name: 'p', arguments: args }), handed }
  }

  test.each([
    '{"topic":""}',
    '{"topic":"a","tone":"b"}',
    '{"topic":"a","__proto__":"b","toString":"c"}',
  ])('[PROM-03] %s are handed over as they were sent', async (json) => {
    const { answer, handed } = await get(JSON.parse(json))
    expect(answer).toEqual(resultAnswer({ messages: [] }))
    expect(handed).toEqual([['p', json]])
  })

  test.each([
    [undefined, 'missing required argument: topic'],
    [{}, 'missing required argument: topic'],
    [{ tone: 'x' }, 'missing required argument: topic'],
    [{ topic: 'a', nope: 'x' }, 'unknown argument: nope'],
    [{ topic: 'a', constructor: 'x' }, 'unknown argument: constructor'],
    [{ topic: 'a', b: '', c: '' }, 'unknown arguments: b, c'],
    [{ topic: 5 }, 'topic must be a string'],
    [{ topic: null }, 'topic must be a string'],
    [{ topic: 'a', tone: ['x'] }, 'tone must be a string'],
    [{ topic: 'a', tone: true }, 'tone must be a string'],
  ])('[PROM-03] [PROM-05] [PROM-07] %j are refused before the reader runs', async (args, why) => {
    const { answer, handed } = await get(args)
    const reason = `invalid arguments: ${why}`
    expect(answer).toEqual(errorAnswer(-32602, `Invalid params: ${reason}`, { name: 'p', reason }))
    expect(handed).toEqual([])
  })

  test('[PROM-05] that are missing are all named', async () => {
    const prompt = {
      name: 'p',
      arguments: ['a', 'b', 'toString'].map((name) => ({ name, required: true })),
    }
    const { ask } = servePrompt(prompt, () => ({ messages: [] }))
    const answer = await ask('prompts/get', { name: 'p', arguments: { b: 'x' } })
    expect(answer).toMatchObject({
      error: { data: { reason: 'invalid arguments: missing required arguments: a, toString' } },
    })
  })

  test('[PROM-07] that nobody knows are not all repeated', async () => {
    const args = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`k${index}`, '']))
    const { answer } = await get({ topic: 'a', ...args })
    expect(answer).toMatchObject({
      error: { data: { reason: 'invalid arguments: unknown arguments: k0, k1, k2, k3, k4' } },
    })
  })

  test.each([
    [null, 'null'],
    [[], 'an array'],
    ['x', 'a string'],
    [0, 'a number'],
    [true, 'a scalar'],
  ])('[PROM-03] [A-34] that are %j are no arguments', async (args, kind) => {
    const { answer, handed } = await get(args)
    expect(answer).toEqual(
      errorAnswer(-32602, `Invalid params: arguments must be an object, got ${kind}`),
    )
    expect(handed).toEqual([])
  })
})

describe('messages of a prompt', () => {
  test('[PROM-04] [PROM-06] [CONT-09] hold one block each, of any kind', async () => {
    const blocks = [
      { type: 'text', text: 'x', annotations: { audience: ['assistant'] } },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'a:1', name: 'one' },
      { type: 'resource', resource: { uri: 'a:1', mimeType: 'x/y', text: 'x' } },
    ]
    const messages = blocks.map((content) => ({ role: 'assistant', content }))
    expect(await render({ messages, description: 'All of them' })).toEqual(
      resultAnswer({ messages, description: 'All of them' }),
    )
  })

  test('[PROM-04] take a bare string for text, and an empty description for one', async () => {
    expect(await render({ messages: [{ role: 'user', content: '' }], description: '' })).toEqual(
      resultAnswer({
        messages: [{ role: 'user', content: { type: 'text', text: '' } }],
        description: '',
      }),
    )
  })

  test('carry nothing that a message adds beside them', async () => {
    const messages = [{ role: 'user', content: 'x', secret: 'y' }]
    const answer = await render({ messages, secret: 'z' })
    expect(answer).toEqual(
      resultAnswer({ messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] }),
    )
  })

  test('[PROM-05] may be refused with a reason that reaches the caller', async () => {
    const refused = errorAnswer(-32602, 'Invalid params: prompt p cannot be rendered', {
      name: 'p',
      reason: 'no such city',
    })
    expect(await render(promptError('no such city'))).toEqual(refused)
    expect(await render(Promise.resolve(promptError('no such city')))).toEqual(refused)
  })

  test('[PROM-05] are not refused by a value that only looks like it', async () => {
    const forged = JSON.parse(JSON.stringify(promptError('x')))
    expect(await render(forged)).toEqual(errorAnswer(-32603, 'Internal error'))
  })
})
