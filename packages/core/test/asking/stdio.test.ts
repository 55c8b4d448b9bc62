// SPDX-License-Identifier: Apache-2.0
import { defineTool, elicitForm, inputRequired } from '@beam-mcp/core/server'
import { expect, test } from 'vitest'
import { paramsOf, SEALER, STATE_REFUSED, stateOf } from '../support/asking.ts'
import { request } from '../support/messages.ts'
import { startRun, toolAnswer } from '../support/stdio-run.ts'

const WHO = elicitForm('Who?', {
  type: 'object',
  properties: { name: { type: 'string' } },
  required: ['name'],
})

const ask = defineTool({
  name: 'ask',
  handler: (_args, { input, state }) => {
    const who = input('who', WHO)
    return who?.action === 'accept'
      ? `${String(state)} ${who.content.name}`
      : inputRequired({ requests: { who: WHO }, state: 'Hello' })
  },
})

const call = (id: number, retry: object = {}) =>
  request('tools/call', paramsOf({ name: 'ask', arguments: {} }, retry), id)

test('[MRTR-01] [MRTR-06] asks over a pipe too, and another run of the server takes the retry', async () => {
  const first = startRun({ tools: [ask] }, { principal: 'ada', stateSealer: SEALER })
  first.send(call(1))
  const asked = await first.next()
  expect(asked).toMatchObject({ id: 1, result: { resultType: 'input_required' } })
  const requestState = stateOf(asked as never)
  const inputResponses = { who: { action: 'accept', content: { name: 'Ada' } } }
  const second = startRun({ tools: [ask] }, { principal: 'ada', stateSealer: SEALER })
  second.send(call(2, { requestState, inputResponses }))
  expect(await second.next()).toEqual(toolAnswer(2, 'Hello Ada'))
  const others = startRun({ tools: [ask] }, { principal: 'bob', stateSealer: SEALER })
  others.send(call(3, { requestState, inputResponses }))
  expect(await others.next()).toEqual({ ...STATE_REFUSED, id: 3 })
})

test('[L-HTTP-11] tells a client that opened with the older handshake in words', async () => {
  const run = startRun({ tools: [ask] }, { principal: 'ada', stateSealer: SEALER })
  run.send({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { capabilities: { elicitation: {} } },
  })
  expect(await run.next()).toMatchObject({ result: { protocolVersion: '2025-11-25' } })
  run.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'ask' } })
  expect(await run.next()).toMatchObject({
    id: 2,
    result: {
      isError: true,
      content: [{ type: 'text', text: 'This needs a client that can be asked for input' }],
    },
  })
})
