// SPDX-License-Identifier: Apache-2.0
import {
  type Capabilities,
  type Catalog,
  createCatalog,
  definePrompt,
  defineResource,
  defineTool,
} from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { errorAnswer, kept, see } from '../support/answers.ts'
import { collectLog, createApp, ownLines, post } from '../support/app.ts'
import { call, request } from '../support/messages.ts'

const { catalog, dispatch } = createCatalog({
  tools: [defineTool({ name: 'echo', handler: () => 'ran' })],
  resources: [defineResource({ uri: 'note://1', name: 'note', read: () => 'text' })],
  prompts: [definePrompt({ name: 'ask', render: () => 'text' })],
})

function refuseWithStatus(): never {
  throw Object.assign(new Error('10.0.0.5 refused user=svc'), {
    statusCode: 404,
    status: 404,
    headers: { 'retry-after': '7', 'www-authenticate': 'Bearer' },
  })
}

const TOOL = call('echo')
const READ = request('resources/read', { uri: 'note://1' })
const PROMPT = request('prompts/get', { name: 'ask' })
const LIST = request('tools/list')

/** The catalog after start-up, when one of its parts fails. */
function failingIn(part: keyof Catalog): Catalog {
  if (part !== 'capabilities') return { ...catalog, [part]: refuseWithStatus }
  let isStarted = false
  return {
    ...catalog,
    capabilities: (context) => {
      if (isStarted) return refuseWithStatus()
      isStarted = true
      return catalog.capabilities(context) as Capabilities
    },
  }
}

describe('an error of the catalog', () => {
  test.each<[keyof Catalog, string, Record<string, unknown>]>([
    ['capabilities', 'tools/list', LIST],
    ['capabilities', 'tools/call', TOOL],
    ['capabilities', 'resources/read', READ],
    ['allows', 'tools/list', LIST],
    ['allows', 'tools/call', TOOL],
    ['allows', 'prompts/get', PROMPT],
    ['readResource', 'resources/read', READ],
    ['getPrompt', 'prompts/get', PROMPT],
  ])(
    '[ERR-11] in %s chooses neither status nor headers of the answer to %s',
    async (part, _, message) => {
      const { lines, logger } = collectLog('error')
      const app = await createApp({ catalog: failingIn(part), dispatch }, { logger })
      const response = await post(app, message)
      expect(see(response)).toEqual(kept(500, errorAnswer(-32603, 'Internal error', { id: 1 })))
      expect(response.headers).not.toHaveProperty('retry-after')
      expect(response.headers).not.toHaveProperty('www-authenticate')
      expect(ownLines({ lines })).toEqual([
        expect.objectContaining({
          reqId: expect.any(String),
          requestId: '1',
          err: expect.objectContaining({ message: '10.0.0.5 refused user=svc' }),
        }),
      ])
    },
  )

  test('leaves the methods alone that do not need it', async () => {
    const app = await createApp({ catalog: failingIn('capabilities'), dispatch })
    expect((await post(app, LIST)).statusCode).toBe(500)
    expect((await post(app, request('server/discover'))).statusCode).toBe(200)
  })
})

describe('an error of dispatch', () => {
  test.each([
    ['throws', () => refuseWithStatus()],
    ['rejects', async () => refuseWithStatus()],
  ])('[ERR-11] chooses neither status nor headers when it %s', async (_, failing) => {
    const app = await createApp({ catalog, dispatch: failing })
    const response = await post(app, TOOL)
    expect(see(response)).toEqual(kept(500, errorAnswer(-32603, 'Internal error', { id: 1 })))
    expect(response.headers).not.toHaveProperty('retry-after')
  })

  test('does not stop the process: the next call is served', async () => {
    let count = 0
    const app = await createApp({
      catalog,
      dispatch: () => {
        count += 1
        return count === 1 ? refuseWithStatus() : 'ran'
      },
    })
    expect((await post(app, TOOL)).statusCode).toBe(500)
    expect((await post(app, TOOL)).json().result.content).toEqual([{ type: 'text', text: 'ran' }])
  })
})
