// SPDX-License-Identifier: Apache-2.0
import {
  createCatalog,
  defineTool,
  elicitForm,
  elicitUrl,
  type InputRequest,
  inputRequired,
  listRoots,
  sample,
} from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { createApp, post } from '../support/app.ts'
import { ABLE, paramsOf, serveAsking } from '../support/asking.ts'
import { request } from '../support/messages.ts'
import { errorAnswer } from '../support/server.ts'

const form = elicitForm('Who?', { type: 'object', properties: { name: { type: 'string' } } })
const url = elicitUrl('Pay there.', 'https://pay.example.org/')
const roots = listRoots()
const messages = [{ role: 'user', content: { type: 'text', text: 'hi' } }] as const
const plain = sample({ messages, maxTokens: 5 })
const withTools = sample({ messages, maxTokens: 5, tools: [] })
const withChoice = sample({ messages, maxTokens: 5, toolChoice: { mode: 'auto' } })
const withContext = sample({ messages, maxTokens: 5, includeContext: 'thisServer' })
const withNone = sample({ messages, maxTokens: 5, includeContext: 'none' })

/** What a server says is needed; undefined where it asks. */
async function neededFor(
  requests: readonly InputRequest[],
  capabilities: object,
): Promise<unknown> {
  const keyed = Object.fromEntries(requests.map((one, at) => [`k${at}`, one]))
  const { round } = serveAsking(() => inputRequired({ requests: keyed }))
  const answer = (await round('tools/call', { capabilities })) as {
    readonly result?: object
    readonly error?: { readonly data: { readonly requiredCapabilities: unknown } }
  }
  if (answer.result !== undefined) {
    expect(answer.result).toMatchObject({ resultType: 'input_required', inputRequests: keyed })
    return undefined
  }
  const { requiredCapabilities } = answer.error?.data ?? {}
  expect(answer).toEqual(
    errorAnswer(-32021, 'Missing required client capability', { requiredCapabilities }),
  )
  return requiredCapabilities
}

const FORMS = { elicitation: {} }
const BOTH = { elicitation: { form: {}, url: {} } }

describe('what a client has to declare', () => {
  test.each<[string, readonly InputRequest[], object, unknown]>([
    ['a form', [form], {}, { elicitation: {} }],
    ['a page', [url], {}, { elicitation: { url: {} } }],
    ['a form and a page', [form, url], {}, BOTH],
    ['a page and a form', [url, form], {}, BOTH],
    ['two forms', [form, form], {}, { elicitation: {} }],
    [
      'a form of a client of pages',
      [form],
      { elicitation: { url: {} } },
      { elicitation: { form: {} } },
    ],
    ['a page of a client of forms', [url], FORMS, { elicitation: { url: {} } }],
    ['both of a client of forms, by an empty object', [form, url], FORMS, BOTH],
    ['both of a client of forms, by name', [form, url], { elicitation: { form: {} } }, BOTH],
    ['both of a client of pages', [form, url], { elicitation: { url: {} } }, BOTH],
    ['a form, of true', [form], { elicitation: true }, { elicitation: {} }],
    ['a page, of true', [url], { elicitation: { url: true } }, { elicitation: { url: {} } }],
    ['sampling', [plain], {}, { sampling: {} }],
    ['sampling with no context', [withNone], {}, { sampling: {} }],
    ['tools', [withTools], { sampling: {} }, { sampling: { tools: {} } }],
    ['a choice of tools', [withChoice], { sampling: {} }, { sampling: { tools: {} } }],
    ['context', [withContext], { sampling: {} }, { sampling: { context: {} } }],
    [
      'tools and context',
      [plain, withTools, withContext],
      {},
      { sampling: { tools: {}, context: {} } },
    ],
    ['roots', [roots], {}, { roots: {} }],
    ['everything', [form, url, plain, roots], {}, { ...BOTH, sampling: {}, roots: {} }],
    [
      'what alone is missing',
      [form, plain, roots],
      { elicitation: {}, sampling: {} },
      { roots: {} },
    ],
  ])('[MRTR-05] [ELI-01] [SAM-01] for %s', async (_what, requests, declared, needed) => {
    expect(await neededFor(requests, declared)).toEqual(needed)
  })

  test.each<[string, readonly InputRequest[], object]>([
    ['a form, by an empty object', [form], FORMS],
    ['a form, by name', [form], { elicitation: { form: {} } }],
    ['a page', [url], { elicitation: { url: {} } }],
    ['both', [form, url], BOTH],
    ['sampling', [plain, withNone], { sampling: {} }],
    ['tools', [withTools, withChoice], { sampling: { tools: {} } }],
    ['context', [withContext], { sampling: { context: {} } }],
    ['roots', [roots], { roots: {} }],
    ['everything', [form, url, plain, withTools, withContext, roots], ABLE],
  ])('[ELI-01] suffices for %s', async (_what, requests, declared) => {
    expect(await neededFor(requests, declared)).toBeUndefined()
  })

  test('[ELI-01] and what it says is missing suffices', async () => {
    for (const asked of [[form], [url], [form, url], [withTools, withContext], [plain, roots]]) {
      for (const declared of [{}, FORMS, { elicitation: { url: {} } }, { sampling: {} }]) {
        const needed = (await neededFor(asked, declared)) as object | undefined
        if (needed !== undefined)
          expect(await neededFor(asked, { ...declared, ...needed })).toBeUndefined()
      }
    }
  })
})

test('[MRTR-05] [ERR-07] is 400 over HTTP, and counts for each request anew', async () => {
  const ask = defineTool({ name: 'ask', handler: () => inputRequired({ requests: { who: form } }) })
  const app = await createApp(createCatalog({ tools: [ask] }))
  const send = (capabilities: object) =>
    post(app, request('tools/call', paramsOf({ name: 'ask' }, { capabilities })))
  const statuses = [(await send(FORMS)).statusCode, (await send({})).statusCode]
  expect([...statuses, (await send(FORMS)).statusCode]).toEqual([200, 400, 200])
})
