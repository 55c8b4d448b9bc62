// SPDX-License-Identifier: Apache-2.0
import {
  type CallContext,
  createBeam,
  createStateSealer,
  definePrompt,
  defineResource,
  defineTool,
  type ElicitFormResponse,
  type ElicitUrlResponse,
  elicitForm,
  elicitUrl,
  type FormContentOf,
  type FormSchema,
  type FormValue,
  type InputRequest,
  inputRequired,
  type ListRootsResponse,
  listRoots,
  missingCapability,
  type SamplingResponse,
  sample,
} from '@beam-mcp/core'
import { Type } from '@sinclair/typebox'
import { describe, expectTypeOf, test } from 'vitest'

declare const context: CallContext

describe('context.input', () => {
  test('answers what the request is asked for, or undefined', () => {
    const url = elicitUrl('m', 'https://a.example')
    expectTypeOf(context.input('k', url)).toEqualTypeOf<ElicitUrlResponse | undefined>()
    const question = sample({ messages: [], maxTokens: 1 })
    expectTypeOf(context.input('k', question)).toEqualTypeOf<SamplingResponse | undefined>()
    expectTypeOf(context.input('k', listRoots())).toEqualTypeOf<ListRootsResponse | undefined>()
    // @ts-expect-error a key alone does not say what was asked
    context.input('k')
    // @ts-expect-error no client can be asked for this
    context.input('k', { method: 'tools/list' })
  })

  test('has the content of a TypeBox schema', () => {
    const form = elicitForm(
      'm',
      Type.Object({ name: Type.String(), seats: Type.Optional(Type.Integer()) }),
    )
    const answer = context.input('k', form)
    if (answer?.action !== 'accept') return
    expectTypeOf(answer.content).toEqualTypeOf<{ name: string; seats?: number }>()
  })

  test('has the content of a schema that is written out', () => {
    const form = elicitForm('m', {
      type: 'object',
      properties: {
        name: { type: 'string' },
        size: { type: 'string', enum: ['s', 'l'] },
        seat: { type: 'string', oneOf: [{ const: 'w', title: 'Window' }] },
        seats: { type: 'integer' },
        ratio: { type: 'number' },
        vip: { type: 'boolean' },
        extras: { type: 'array', items: { type: 'string', enum: ['bag', 'meal'] } },
        days: { type: 'array', items: { anyOf: [{ const: 'mo', title: 'Monday' }] } },
      },
      required: ['name', 'vip'],
    })
    const answer = context.input('k', form)
    if (answer?.action !== 'accept') {
      // @ts-expect-error there are no data without consent
      return answer?.content
    }
    expectTypeOf(answer.content).toEqualTypeOf<{
      readonly name: string
      readonly vip: boolean
      readonly size?: 's' | 'l'
      readonly seat?: 'w'
      readonly seats?: number
      readonly ratio?: number
      readonly extras?: readonly ('bag' | 'meal')[]
      readonly days?: readonly 'mo'[]
    }>()
  })

  test('has a record of values where the schema is known at run time alone', () => {
    const schema = {} as FormSchema
    expectTypeOf<FormContentOf<FormSchema>>().toEqualTypeOf<Readonly<Record<string, FormValue>>>()
    expectTypeOf(context.input('k', elicitForm('m', schema))).toEqualTypeOf<
      ElicitFormResponse | undefined
    >()
  })

  test('takes a request of whatever kind', () => {
    const any = listRoots() as InputRequest
    const answer = context.input('k', any)
    if (answer !== undefined && 'roots' in answer) {
      expectTypeOf(answer.roots).toEqualTypeOf<ListRootsResponse['roots']>()
    }
  })

  test('state is unknown until it is looked at', () => {
    expectTypeOf(context.state).toBeUnknown()
  })
})

test('tools, readers and renderers may ask', () => {
  const ask = inputRequired({ requests: { who: listRoots() }, state: 1 })
  defineTool({ name: 't', handler: () => ask })
  defineResource({ uri: 'a:1', name: 'n', read: () => ask })
  defineResource({ uri: 'a:1', name: 'n', read: async () => missingCapability({ roots: {} }) })
  definePrompt({ name: 'p', render: () => ask })
  definePrompt({ name: 'p', render: () => missingCapability({ roots: {} }) })
  createBeam<{ id: string }>().definePrompt({ name: 'p', render: async () => ask })
  // @ts-expect-error a request is no answer by itself
  defineResource({ uri: 'a:1', name: 'n', read: () => listRoots() })
  // @ts-expect-error a form has no nested list of fields
  elicitForm('m', { type: 'array', items: {} })
})

test('a sealer names principals of the host', () => {
  createStateSealer<{ id: string }>({ keys: [], principalId: ({ id }) => id })
  // @ts-expect-error a name is a string
  createStateSealer<{ id: number }>({ keys: [], principalId: ({ id }) => id })
})
