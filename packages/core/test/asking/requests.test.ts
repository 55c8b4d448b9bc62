// SPDX-License-Identifier: Apache-2.0
import {
  type CallContext,
  elicitForm,
  elicitUrl,
  type InputRequest,
  inputRequired,
  listRoots,
  sample,
} from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { serveAsking } from '../support/asking.ts'
import { failure, INTERNAL } from '../support/server.ts'

const say = (role: 'user' | 'assistant', content: unknown) => ({ role, content }) as never
const text = { type: 'text', text: 'hi' }
const use = (id: string) => ({ type: 'tool_use', id, name: 't', input: {} })
const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [text] })

describe('elicitUrl', () => {
  test('[ELI-05] makes a request to open a page', () => {
    expect(elicitUrl('Pay there.', 'https://pay.example.org/start/8f1c')).toEqual({
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Pay there.', url: 'https://pay.example.org/start/8f1c' },
    })
  })

  test.each([
    ['no url', undefined],
    ['a path', '/pay'],
    ['a script', 'javascript:alert(1)'],
    ['a file', 'file:///etc/passwd'],
    ['a name in the url', 'https://ada@pay.example.org/'],
    ['a password in the url', 'https://:secret@pay.example.org/'],
  ])('[ELI-05] [ELI-06] refuses %s', async (_what, url) => {
    const made = await failure(() => elicitUrl('Pay there.', url as string))
    expect(made.code).toBe('BEAM_ERR_CONTRACT')
    expect(made.message).not.toContain('secret')
  })
})

describe('sample', () => {
  test('[SAM-02] hands on what it is given', () => {
    const params = {
      messages: [say('user', text)],
      maxTokens: 60,
      systemPrompt: 'Be brief.',
      modelPreferences: { hints: [{ name: 'small' }], speedPriority: 0.8 },
      stopSequences: ['.'],
      temperature: 0.5,
    }
    expect(sample(params)).toEqual({ method: 'sampling/createMessage', params })
  })

  test.each([
    ['no params', undefined],
    ['no messages', { maxTokens: 1 }],
    ['no maxTokens', { messages: [] }],
    ['maxTokens of 0', { messages: [], maxTokens: 0 }],
    ['a fraction of a token', { messages: [], maxTokens: 1.5 }],
    ['another role', { messages: [say('system' as 'user', text)], maxTokens: 1 }],
    ['a text for content', { messages: [say('user', 'hi')], maxTokens: 1 }],
    ['a message that is null', { messages: [null], maxTokens: 1 }],
    ['a block without a type', { messages: [say('user', [text, {}])], maxTokens: 1 }],
  ])('[SAM-02] refuses %s', async (_what, params) => {
    const made = await failure(() => sample(params as never))
    expect(made.code).toBe('BEAM_ERR_CONTRACT')
  })

  test('[SAM-03] takes a conversation whose uses of tools are answered', () => {
    const messages = [
      say('user', text),
      say('assistant', [text, use('a'), use('b')]),
      say('user', [result('b'), result('a')]),
      say('assistant', [use('c')]),
      say('user', result('c')),
    ]
    expect(sample({ messages, maxTokens: 1 }).params.messages).toBe(messages)
  })

  test.each([
    ['a result beside text', [say('assistant', use('a')), say('user', [result('a'), text])]],
    ['a result of the assistant', [say('assistant', use('a')), say('assistant', [result('a')])]],
    [
      'a use that is not answered',
      [say('assistant', [use('a'), use('b')]), say('user', [result('a')])],
    ],
    [
      'a use that is answered later',
      [say('assistant', use('a')), say('user', text), say('user', result('a'))],
    ],
    ['a result of no use', [say('user', result('a'))]],
    ['a result of another use', [say('assistant', use('a')), say('user', result('b'))]],
  ])('[SAM-03] refuses %s', async (_what, messages) => {
    const made = await failure(() => sample({ messages, maxTokens: 1 }))
    expect(made.code).toBe('BEAM_ERR_CONTRACT')
  })
})

test('[ROOT-01] listRoots is a method alone', () => {
  expect(listRoots()).toEqual({ method: 'roots/list' })
})

describe('a request that no helper made', () => {
  const form = { mode: 'form', message: 'm', requestedSchema: { type: 'object', properties: {} } }

  test('[ELI-02] may leave out the mode of a form', async () => {
    const { mode: _mode, ...params } = form
    const bare = { method: 'elicitation/create', params } as unknown as InputRequest
    const { round } = serveAsking((context) =>
      context.input('a', bare) === undefined ? inputRequired({ requests: { a: bare } }) : 'done',
    )
    expect(await round('tools/call')).toMatchObject({ result: { inputRequests: { a: bare } } })
    const sent = { a: { action: 'accept', content: {} } }
    expect(await round('tools/call', { inputResponses: sent })).toMatchObject({
      result: { content: [{ text: 'done' }] },
    })
  })

  test.each([
    ['a text', 'roots/list'],
    ['null', null],
    ['another method', { method: 'tools/list', params: {} }],
    ['a method of the prototype', { method: 'constructor' }],
    ['an id', { id: 1, method: 'roots/list' }],
    ['jsonrpc', { jsonrpc: '2.0', method: 'roots/list' }],
    ['no params', { method: 'elicitation/create' }],
    ['another mode', { method: 'elicitation/create', params: { ...form, mode: 'voice' } }],
    ['no message', { method: 'elicitation/create', params: { ...form, message: undefined } }],
    ['no form', { method: 'elicitation/create', params: { mode: 'form', message: 'm' } }],
    [
      'a nested form',
      {
        method: 'elicitation/create',
        params: {
          ...form,
          requestedSchema: {
            type: 'object',
            properties: { a: { type: 'object', properties: {} } },
          },
        },
      },
    ],
    ['a url that is none', { method: 'elicitation/create', params: { mode: 'url', message: 'm' } }],
    ['no messages', { method: 'sampling/createMessage', params: { maxTokens: 1 } }],
  ])('[MRTR-04] is a host fault where it has %s', async (_what, request) => {
    const requests = { a: request as InputRequest }
    const { round, faults } = serveAsking(() => inputRequired({ requests }))
    expect(await round('tools/call')).toEqual(INTERNAL)
    expect(faults()).toEqual([
      expect.stringMatching(/^inputRequired asks under 'a' with a request /),
    ])
  })
})

test('[MRTR-04] what is judged of a request is what is sent', async () => {
  const nested = { type: 'object', properties: { a: { type: 'object' } } }
  class Form {
    readonly mode = 'form'
    readonly message = 'm'
    readonly requestedSchema = { type: 'object', properties: {} }
    toJSON() {
      return { mode: 'form', message: 'm', requestedSchema: nested }
    }
  }
  const made = { method: 'elicitation/create', params: new Form() } as unknown as InputRequest
  const { round, faults } = serveAsking(() => inputRequired({ requests: { a: made } }))
  expect(await round('tools/call')).toEqual(INTERNAL)
  expect(faults()).toEqual([expect.stringMatching(/^inputRequired asks under 'a' with a request /)])
})

/** What is answered to a request under the key `a`: what was read, or the refusal. */
async function answerTo(request: InputRequest, response: unknown): Promise<unknown> {
  const read = (context: CallContext) => ({ got: context.input('a', request) ?? null })
  const { round } = serveAsking(read)
  const answer = await round('tools/call', { inputResponses: { a: response } })
  const { result: made, error } = answer as unknown as {
    readonly result?: { readonly structuredContent: { readonly got: unknown } }
    readonly error?: { readonly code: number }
  }
  return error === undefined ? made?.structuredContent.got : error.code
}

describe('an answer', () => {
  const question = sample({ messages: [say('user', text)], maxTokens: 5 })

  test.each([
    ['one block', { role: 'assistant', content: text, model: 'm', stopReason: 'endTurn' }],
    ['a list of blocks', { role: 'assistant', content: [text, use('a')], model: 'm' }],
  ])('[SAM-04] of a model has %s', async (_what, response) => {
    expect(await answerTo(question, response)).toEqual(response)
  })

  test.each([
    [{}],
    [{ role: 'system', content: text, model: 'm' }],
    [{ role: 'assistant', content: 'hi', model: 'm' }],
    [{ role: 'assistant', content: [1], model: 'm' }],
    [{ role: 'assistant', content: {}, model: 'm' }],
    [{ role: 'assistant', content: text }],
    [{ role: 'assistant', content: text, model: 'm', stopReason: 5 }],
    [{ action: 'accept' }],
  ])('[SAM-04] [MRTR-12] of a model is refused: %j', async (response) => {
    expect(await answerTo(question, response)).toBe(-32602)
  })

  test('[ROOT-01] of folders is a list, which may be empty', async () => {
    const roots = [{ uri: 'file:///home/ada', name: 'ada' }, { uri: 'file:///tmp' }]
    expect(await answerTo(listRoots(), { roots })).toEqual({ roots })
    expect(await answerTo(listRoots(), { roots: [] })).toEqual({ roots: [] })
  })

  test.each([
    [{}],
    [{ roots: {} }],
    [{ roots: ['file:///a'] }],
    [{ roots: [{ name: 'a' }] }],
    [{ roots: [{ uri: 'file:///a', name: 5 }] }],
  ])('[ROOT-01] [MRTR-12] of folders is refused: %j', async (response) => {
    expect(await answerTo(listRoots(), response)).toBe(-32602)
  })

  test.each(['accept', 'decline', 'cancel'])(
    '[ELI-08] to a page is %s and no more',
    async (action) => {
      const page = elicitUrl('Pay there.', 'https://pay.example.org/')
      expect(await answerTo(page, { action, content: { paid: true } })).toEqual({ action })
    },
  )

  test('[MRTR-12] to another kind of request is refused', async () => {
    const form = elicitForm('m', { type: 'object', properties: {} })
    expect(await answerTo(form, { roots: [] })).toBe(-32602)
    expect(await answerTo(elicitUrl('m', 'https://a.example'), { roots: [] })).toBe(-32602)
  })
})
