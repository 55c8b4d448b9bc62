// SPDX-License-Identifier: Apache-2.0
import { elicitForm, inputRequired } from '@beam-mcp/core'
import { Type } from '@sinclair/typebox'
import { describe, expect, test } from 'vitest'
import { serveAsking } from '../support/asking.ts'
import { failure } from '../support/server.ts'

/** A form that has each kind of field. */
const EVERY_KIND = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', description: 'Yours', minLength: 1, maxLength: 4 },
    mail: { type: 'string', format: 'email' },
    page: { type: 'string', format: 'uri' },
    day: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    seats: { type: 'integer', minimum: 1, maximum: 9, default: 1 },
    ratio: { type: 'number', minimum: 0, maximum: 1 },
    vip: { type: 'boolean', default: false },
    size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
    seat: { type: 'string', oneOf: [{ const: 'w', title: 'Window' }], default: 'w' },
    extras: {
      type: 'array',
      items: { type: 'string', enum: ['bag', 'meal'] },
      minItems: 1,
      maxItems: 2,
      default: ['bag'],
    },
    days: { type: 'array', items: { anyOf: [{ const: 'mo', title: 'Monday' }] } },
  },
  required: ['name'],
} as const

const formOf = (field: object) => ({ type: 'object', properties: { field } }) as const

describe('elicitForm', () => {
  test('[ELI-02] [ELI-03] makes a request of a flat form with each kind of field', () => {
    expect(elicitForm('Who?', EVERY_KIND)).toEqual({
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Who?', requestedSchema: EVERY_KIND },
    })
  })

  test('[ELI-03] takes a TypeBox schema, and it travels as plain JSON', async () => {
    const schema = Type.Object({
      name: Type.String({ minLength: 1 }),
      seats: Type.Optional(Type.Integer({ minimum: 1 })),
      vip: Type.Boolean(),
    })
    const { round } = serveAsking(() =>
      inputRequired({ requests: { who: elicitForm('Who?', schema) } }),
    )
    expect(await round('tools/call')).toMatchObject({
      result: {
        inputRequests: {
          who: {
            params: {
              requestedSchema: {
                type: 'object',
                properties: {
                  name: { type: 'string', minLength: 1 },
                  seats: { type: 'integer', minimum: 1 },
                  vip: { type: 'boolean' },
                },
                required: ['name', 'vip'],
              },
            },
          },
        },
      },
    })
  })

  test.each([
    ['no schema', undefined],
    ['a list', { type: 'array', items: { type: 'string' } }],
    ['no properties', { type: 'object' }],
    ['additionalProperties', { type: 'object', properties: {}, additionalProperties: false }],
    ['a required name that is no property', { type: 'object', properties: {}, required: ['a'] }],
    [
      'a required name of the prototype',
      { type: 'object', properties: {}, required: ['toString'] },
    ],
    ['required that is no list', { type: 'object', properties: {}, required: 'a' }],
    ['$schema that is no string', { $schema: 1, type: 'object', properties: {} }],
    ['a nested object', formOf({ type: 'object', properties: {} })],
    ['a field without a type', formOf({ enum: ['a'] })],
    ['a field with two types', formOf({ type: ['string', 'null'] })],
    ['a field of the prototype', formOf({ type: 'constructor' })],
    ['a field that is no object', formOf([] as unknown as object)],
    ['a pattern', formOf({ type: 'string', pattern: '^a' })],
    ['another format', formOf({ type: 'string', format: 'password' })],
    ['a format of the prototype', formOf({ type: 'string', format: 'toString' })],
    ['an enum of numbers', formOf({ type: 'string', enum: [1] })],
    ['an empty enum', formOf({ type: 'string', enum: [] })],
    ['enumNames without an enum', formOf({ type: 'string', enumNames: ['A'] })],
    ['fewer enumNames than values', formOf({ type: 'string', enum: ['a', 'b'], enumNames: ['A'] })],
    ['a choice without a title', formOf({ type: 'string', oneOf: [{ const: 'a' }] })],
    ['a choice of numbers', formOf({ type: 'string', oneOf: [{ const: 1, title: 'One' }] })],
    ['a list of any strings', formOf({ type: 'array', items: { type: 'string' } })],
    ['a list of numbers', formOf({ type: 'array', items: { type: 'number', enum: ['a'] } })],
    ['a list without items', formOf({ type: 'array' })],
    ['a list of untitled choices', formOf({ type: 'array', items: { anyOf: [{ const: 'a' }] } })],
    ['a title that is no string', formOf({ type: 'string', title: 5 })],
    ['a minLength that is no length', formOf({ type: 'string', minLength: 'x' })],
    ['a negative maxLength', formOf({ type: 'string', maxLength: -1 })],
    ['an infinite minimum', formOf({ type: 'number', minimum: Number.NEGATIVE_INFINITY })],
    ['a fractional maxItems', formOf({ type: 'array', items: { enum: ['a'] }, maxItems: 1.5 })],
    ['a default of another type', formOf({ type: 'integer', default: '1' })],
    ['a default out of bounds', formOf({ type: 'integer', maximum: 3, default: 4 })],
    ['a default that is no choice', formOf({ type: 'string', enum: ['a'], default: 'b' })],
  ])('[ELI-03] [MRTR-04] refuses %s', async (_what, schema) => {
    const { code, message } = await failure(() => elicitForm('Who?', schema as never))
    expect(code).toBe('BEAM_ERR_CONTRACT')
    expect(message).toMatch(/^elicitForm /)
  })

  test('[ELI-02] refuses a message that is no string', async () => {
    const made = await failure(() => elicitForm(1 as never, EVERY_KIND))
    expect(made.code).toBe('BEAM_ERR_CONTRACT')
  })

  test('names the field and why', async () => {
    const made = await failure(() => elicitForm('Who?', formOf({ type: 'string', pattern: 'a' })))
    expect(made.message).toContain("whose field 'field' has pattern, which a client can't show")
  })
})

/** What is answered to a form with one field, or with this schema: the content, or the refusal. */
async function answerTo(schema: object, response: unknown): Promise<unknown> {
  const form = elicitForm('Who?', schema as typeof EVERY_KIND)
  const { round } = serveAsking((context) => ({ got: context.input('who', form) ?? null }))
  const answer = await round('tools/call', { inputResponses: { who: response } })
  const { result, error } = answer as unknown as {
    readonly result?: { readonly structuredContent: { readonly got: unknown } }
    readonly error?: { readonly code: number; readonly message: string }
  }
  return error === undefined ? result?.structuredContent.got : `${error.code} ${error.message}`
}

const accept = (content: unknown) => ({ action: 'accept', content })
const REFUSED = '-32602 Invalid params: inputResponses.who: field does not fit its field'

describe('an answer to a form', () => {
  test('[ELI-08] [ELI-09] that fits is handed over', async () => {
    const content = {
      name: 'Ada',
      mail: 'ada@example.org',
      page: 'https://example.org/a',
      day: '2024-02-29',
      at: '2024-02-29T23:59:59.5+01:00',
      seats: 9,
      ratio: 0.25,
      vip: true,
      size: 's',
      seat: 'w',
      extras: ['bag', 'meal'],
      days: [],
    }
    expect(await answerTo(EVERY_KIND, accept(content))).toEqual(accept(content))
  })

  test.each([
    [{ type: 'string', minLength: 2 }, 'a'],
    [{ type: 'string', maxLength: 1 }, 'ab'],
    [{ type: 'string' }, 5],
    [{ type: 'string' }, null],
    [{ type: 'string', format: 'email' }, 'ada'],
    [{ type: 'string', format: 'email' }, 'a b@c'],
    [{ type: 'string', format: 'uri' }, 'example'],
    [{ type: 'string', format: 'date' }, '2023-02-29'],
    [{ type: 'string', format: 'date' }, '2023-2-9'],
    [{ type: 'string', format: 'date-time' }, '2023-02-29T00:00:00Z'],
    [{ type: 'string', format: 'date-time' }, '2024-02-29T24:00:00Z'],
    [{ type: 'string', format: 'date-time' }, '2024-02-29T00:00:00'],
    [{ type: 'integer' }, 1.5],
    [{ type: 'integer' }, '1'],
    [{ type: 'integer' }, true],
    [{ type: 'integer', minimum: 1 }, 0],
    [{ type: 'integer', maximum: 1 }, 2],
    [{ type: 'number', maximum: 1 }, 1.01],
    [{ type: 'number' }, '1'],
    [{ type: 'boolean' }, 'true'],
    [{ type: 'boolean' }, 0],
    [{ type: 'string', enum: ['a'] }, 'b'],
    [{ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }, 'A'],
    [{ type: 'array', items: { type: 'string', enum: ['a'] } }, 'a'],
    [{ type: 'array', items: { type: 'string', enum: ['a'] } }, ['b']],
    [{ type: 'array', items: { type: 'string', enum: ['a'] }, minItems: 1 }, []],
    [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 1 }, ['a', 'b']],
    [{ type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } }, [['a']]],
  ])(
    '[ELI-09] [MRTR-12] to %j is refused as %j, and its value is not repeated',
    async (field, value) => {
      expect(await answerTo(formOf(field), accept({ field: value }))).toBe(REFUSED)
    },
  )

  test('[ELI-09] has a length in characters, not in code units', async () => {
    const field = { type: 'string', minLength: 1, maxLength: 1 }
    expect(await answerTo(formOf(field), accept({ field: '😀' }))).toEqual(accept({ field: '😀' }))
  })

  test('[A-14] has any finite number where a number is asked for', async () => {
    const sent = accept({ field: 0.1 })
    expect(await answerTo(formOf({ type: 'number' }), sent)).toEqual(sent)
  })

  test('[ELI-09] lacks what is required', async () => {
    const missing = '-32602 Invalid params: inputResponses.who: name is missing'
    expect(await answerTo(EVERY_KIND, accept({}))).toBe(missing)
    expect(await answerTo(EVERY_KIND, { action: 'accept' })).toBe(missing)
  })

  test('[ELI-08] without content is as good as an empty one where nothing is required', async () => {
    const form = { type: 'object', properties: {} }
    expect(await answerTo(form, { action: 'accept' })).toEqual(accept({}))
  })

  test('[MRTR-13] loses what the form did not ask for, __proto__ too', async () => {
    const content = JSON.parse('{"field":true,"admin":true,"__proto__":{"admin":true}}')
    expect(await answerTo(formOf({ type: 'boolean' }), accept(content))).toEqual(
      accept({ field: true }),
    )
  })

  test.each(['decline', 'cancel'])('[ELI-08] may be %s, which has no data', async (action) => {
    expect(await answerTo(EVERY_KIND, { action, content: { name: 5 } })).toEqual({ action })
  })

  test.each([
    ['a number', 12_345],
    ['null', null],
    ['text', 'Ada'],
    ['a list', ['Ada']],
    ['no action', {}],
    ['another action', { action: 'agree' }],
    ['content that is no object', accept('Ada')],
    ['content that is a list', accept([])],
    ['content that is null', accept(null)],
  ])('[MRTR-12] that is %s is refused', async (_what, response) => {
    expect(await answerTo(EVERY_KIND, response)).toMatch(
      /^-32602 Invalid params: inputResponses\.who[: ](?!.*Ada)/,
    )
  })
})
