// SPDX-License-Identifier: Apache-2.0
import {
  type CatalogParts,
  definePrompt,
  defineResourceTemplate,
  type JsonObject,
} from '@beam-mcp/core/server'
import { describe, expect, test } from 'vitest'
import { completion, invalid, PARTS, PROMPT, TEMPLATE, typed } from '../support/completing.ts'
import { request } from '../support/messages.ts'
import { BOTH, bare, initialize } from '../support/older-client.ts'
import { errorAnswer, serve } from '../support/server.ts'

describe('completion/complete', () => {
  const { ask } = serve(PARTS)
  const complete = (params: JsonObject) => ask('completion/complete', params)

  test('[COMP-02] [COMP-03] completes an argument of a prompt, from an empty value on', async () => {
    const of = (value: string) => complete({ ref: PROMPT, argument: typed('from', value) })
    expect(await of('')).toEqual(completion({ values: ['!'] }))
    expect(await of('os')).toEqual(completion({ values: ['os!'] }))
  })

  test('[COMP-02] completes a variable of a template by the values already chosen', async () => {
    const context = { arguments: { country: 'no' } }
    expect(await complete({ ref: TEMPLATE, argument: typed('city', 'os'), context })).toEqual(
      completion({ values: ['oslo', 'osen'] }),
    )
    expect(await complete({ ref: TEMPLATE, argument: typed('city', 'os') })).toEqual(
      completion({ values: [] }),
    )
  })

  test('[COMP-02] takes a uri that a template fits for the template', async () => {
    const ref = { type: 'ref/resource', uri: 'atlas://no/x/y' }
    expect(await complete({ ref, argument: typed('country', 'n') })).toEqual(
      completion({ values: ['no', 'nl'] }),
    )
  })

  test('[COMP-02] has nothing to add to a uri that is listed', async () => {
    const ref = { type: 'ref/resource', uri: 'atlas://no/oslo' }
    expect(await complete({ ref, argument: typed('country') })).toEqual(completion({ values: [] }))
  })

  test('[COMP-02] has no values for an argument that nobody completes', async () => {
    expect(await complete({ ref: PROMPT, argument: typed('to', 'x') })).toEqual(
      completion({ values: [] }),
    )
  })

  test('[COMP-02] completes an argument that is named like a member of every object', async () => {
    expect(await complete({ ref: PROMPT, argument: typed('__proto__') })).toEqual(
      completion({ values: [], total: 0, hasMore: false }),
    )
  })

  test.each([
    [PROMPT, 'nowhere', 'nowhere'],
    [PROMPT, 'constructor', 'constructor'],
    [PROMPT, '', ''],
    [TEMPLATE, '+city', '+city'],
    [TEMPLATE, '__proto__', '__proto__'],
    [TEMPLATE, 'x'.repeat(100_000), 'x'.repeat(256)],
  ])('[COMP-04] refuses an argument that %j has not (%#)', async (ref, name, shown) => {
    expect(await complete({ ref, argument: typed(name) })).toEqual(
      invalid(`unknown argument ${shown}`, { argument: shown }),
    )
  })

  test.each([
    [{ type: 'ref/prompt', name: 'nope' }, 'unknown prompt nope', { name: 'nope' }],
    [{ type: 'ref/prompt', name: '__proto__' }, 'unknown prompt __proto__', { name: '__proto__' }],
    [
      { type: 'ref/resource', uri: 'other://x' },
      'unknown resource template other://x',
      { uri: 'other://x' },
    ],
    [
      { type: 'ref/resource', uri: 'y'.repeat(100_000) },
      `unknown resource template ${'y'.repeat(256)}`,
      { uri: 'y'.repeat(256) },
    ],
  ])('[COMP-04] refuses a target that there is not (%#)', async (ref, why, data) => {
    expect(await complete({ ref, argument: typed('from') })).toEqual(invalid(why, data))
  })

  const REF = 'ref must be an object of type ref/prompt or ref/resource'
  const ARGUMENT = 'argument must be an object with a string name and a string value'
  test.each([
    [{}, REF],
    [{ ref: 'plan_trip' }, REF],
    [{ ref: null }, REF],
    [{ ref: [PROMPT] }, REF],
    [{ ref: { name: 'plan_trip' } }, REF],
    [{ ref: { type: '__proto__', name: 'plan_trip' } }, REF],
    [{ ref: { type: 'ref/tool', name: 'x' } }, REF],
    [{ ref: { type: 'ref/prompt' } }, 'ref of type ref/prompt requires a string name'],
    [{ ref: { type: 'ref/prompt', name: 5 } }, 'ref of type ref/prompt requires a string name'],
    [{ ref: { type: 'ref/prompt', uri: 'a:1' } }, 'ref of type ref/prompt requires a string name'],
    [{ ref: { type: 'ref/resource', uri: [] } }, 'ref of type ref/resource requires a string uri'],
    [{ ref: PROMPT }, ARGUMENT],
    [{ ref: PROMPT, argument: 'from' }, ARGUMENT],
    [{ ref: PROMPT, argument: [] }, ARGUMENT],
    [{ ref: PROMPT, argument: { name: 'from' } }, ARGUMENT],
    [{ ref: PROMPT, argument: { value: '' } }, ARGUMENT],
    [{ ref: PROMPT, argument: { name: 'from', value: 5 } }, ARGUMENT],
    [{ ref: PROMPT, argument: { name: 'from', value: null } }, ARGUMENT],
    [{ context: null }, 'context must be an object, got null'],
    [{ context: [] }, 'context must be an object, got an array'],
    [{ context: { arguments: null } }, 'context.arguments must be an object, got null'],
    [{ context: { arguments: ['no'] } }, 'context.arguments must be an object, got an array'],
    [{ context: { arguments: { to: 5 } } }, 'context.arguments: to must be a string'],
    [{ context: { arguments: { to: null } } }, 'context.arguments: to must be a string'],
    [{ context: { arguments: { other: {} } } }, 'context.arguments: other must be a string'],
    [
      { context: { arguments: JSON.parse('{"__proto__":{"country":"no"}}') } },
      'context.arguments: __proto__ must be a string',
    ],
  ])('[COMP-02] [COMP-04] [COMP-06] refuses %j before a completer runs', async (params, why) => {
    const whole = 'context' in params ? { ref: PROMPT, argument: typed('from'), ...params } : params
    expect(await complete(whole)).toEqual(invalid(why))
  })

  test.each([{}, { arguments: {} }, { arguments: { to: '' }, more: 1 }])(
    '[COMP-02] takes the context %j',
    async (context) => {
      expect(await complete({ ref: PROMPT, argument: typed('from'), context, more: 1 })).toEqual(
        completion({ values: ['!'] }),
      )
    },
  )
})

describe('an entry that the caller may not see', () => {
  const { ask } = serve({
    ...PARTS,
    allows: (entry, { principal }) => principal === 'admin' || entry.type === 'tool',
  })
  test.each([
    [PROMPT, 'from', 'unknown prompt plan_trip', { name: 'plan_trip' }],
    [TEMPLATE, 'city', `unknown resource template ${TEMPLATE.uri}`, { uri: TEMPLATE.uri }],
    [
      { type: 'ref/resource', uri: 'atlas://no/oslo' },
      'city',
      'unknown resource template atlas://no/oslo',
      { uri: 'atlas://no/oslo' },
    ],
    [
      { type: 'ref/resource', uri: 'atlas://no/bergen' },
      'city',
      'unknown resource template atlas://no/bergen',
      { uri: 'atlas://no/bergen' },
    ],
  ])('[COMP-06] is unknown, whatever is asked of it (%#)', async (ref, argument, why, data) => {
    const asked = (name: string, principal: string) =>
      ask('completion/complete', { ref, argument: typed(name) }, principal)
    expect(await asked(argument, 'guest')).toEqual(invalid(why, data))
    expect(await asked('no such', 'guest')).toEqual(invalid(why, data))
    expect(await asked(argument, 'admin')).toMatchObject({ result: { completion: {} } })
  })

  test('[COMP-06] leaves a uri to another template that fits it', async () => {
    const template = (uriTemplate: string, value: string) =>
      defineResourceTemplate({
        uriTemplate,
        name: uriTemplate,
        read: () => '',
        complete: { x: () => [value] },
      })
    const { ask: askShelf } = serve({
      resourceTemplates: [template('a:{x}', 'hidden'), template('a:{+x}', 'seen')],
      allows: ({ spec }) => spec.name !== 'a:{x}',
    })
    for (const uri of ['a:1', 'a:{x}', 'a:{+x}']) {
      const ref = { type: 'ref/resource', uri }
      expect(await askShelf('completion/complete', { ref, argument: typed('x') })).toEqual(
        completion({ values: ['seen'] }),
      )
    }
  })
})

describe('the capability', () => {
  const BARE = {
    prompts: [definePrompt({ name: 'p', arguments: [{ name: 'a' }], render: () => '' })],
  }
  const UNKNOWN = errorAnswer(-32601, 'Method not found: completion/complete')
  const params = { ref: { type: 'ref/prompt', name: 'p' }, argument: typed('a') }

  async function capabilitiesOf(parts: CatalogParts) {
    const { server } = serve(parts, { revisions: BOTH })
    const newer = await server.handle(request('server/discover'))
    const older = await server.handle(initialize())
    return [newer?.result?.['capabilities'], older?.result?.['capabilities']]
  }

  test('[COMP-01] [L-COMP-01] [DISC-06] is advertised where something completes', async () => {
    for (const capabilities of await capabilitiesOf(PARTS)) {
      expect(capabilities).toMatchObject({ completions: {} })
    }
  })

  test('[COMP-01] [L-COMP-01] [ERR-10] is neither advertised nor served elsewhere', async () => {
    for (const capabilities of await capabilitiesOf(BARE)) {
      expect(capabilities).not.toHaveProperty('completions')
    }
    const { server } = serve(BARE, { revisions: BOTH })
    expect(await server.handle(request('completion/complete', params))).toEqual(UNKNOWN)
    expect(await server.handle(bare('completion/complete', params))).toEqual(UNKNOWN)
  })

  test('[L-COMP-01] serves an older client without anything newer', async () => {
    const { server } = serve(PARTS, { revisions: BOTH })
    const message = bare('completion/complete', { ref: PROMPT, argument: typed('from', 'os') })
    expect(await server.handle(message)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { completion: { values: ['os!'] } },
    })
  })

  test('[COMP-07] is no result that may be kept', async () => {
    const hint = { ttlMs: 1000, cacheScope: 'private' } as const
    const { ask } = serve(PARTS, { cache: { prompts: hint, resources: hint } })
    expect(await ask('completion/complete', { ref: PROMPT, argument: typed('to') })).toEqual(
      completion({ values: [] }),
    )
  })
})
