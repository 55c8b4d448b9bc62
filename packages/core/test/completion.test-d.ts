// SPDX-License-Identifier: Apache-2.0
import {
  type Catalog,
  type Completer,
  type CompletionAnswer,
  type CompletionContext,
  type CompletionRequest,
  type ContentBlock,
  createBeam,
  createCatalog,
  definePrompt,
  defineResourceTemplate,
  embeddedResource,
  image,
  type Prompt,
  type ResourceTemplate,
  resourceLink,
  text,
  toolResult,
  type VariablesOf,
} from '@beam-mcp/core/server'
import { describe, expectTypeOf, test } from 'vitest'

interface User {
  readonly id: string
}

describe('completers of a prompt', () => {
  test('are typed, and leave the arguments of the renderer inferred', () => {
    const prompt = definePrompt({
      name: 'p',
      arguments: [
        {
          name: 'city',
          required: true,
          complete: (value, context) => {
            expectTypeOf(value).toEqualTypeOf<string>()
            expectTypeOf(context).toEqualTypeOf<CompletionContext<unknown>>()
            expectTypeOf(context.arguments).toEqualTypeOf<Readonly<Record<string, string>>>()
            return [value]
          },
        },
        { name: 'tone', complete: async () => ({ values: [], total: 0, hasMore: false }) },
      ],
      render: (args) => {
        expectTypeOf(args.city).toEqualTypeOf<string>()
        expectTypeOf(args.tone).toEqualTypeOf<string | undefined>()
        expectTypeOf<keyof typeof args>().toEqualTypeOf<'city' | 'tone'>()
        // @ts-expect-error there is no such argument
        args.other
        return args.city
      },
    })
    expectTypeOf(prompt).toEqualTypeOf<Prompt<unknown>>()
  })

  test('may stand after the renderer', () => {
    definePrompt({
      name: 'p',
      render: ({ city }) => city,
      arguments: [{ name: 'city', required: true, complete: () => [] }],
    })
  })

  test('answer values', () => {
    definePrompt({
      name: 'p',
      // @ts-expect-error a value is a string
      arguments: [{ name: 'a', complete: () => [5] }],
      render: () => 'x',
    })
    definePrompt({
      name: 'p',
      // @ts-expect-error a completer is a function
      arguments: [{ name: 'a', complete: ['x'] }],
      render: () => 'x',
    })
  })

  test('know the principal of a beam', () => {
    createBeam<User>().definePrompt({
      name: 'p',
      arguments: [
        {
          name: 'a',
          required: true,
          complete: (_value, { principal }) => {
            expectTypeOf(principal).toEqualTypeOf<User>()
            return [principal.id]
          },
        },
      ],
      render: ({ a }, { principal }) => a + principal.id,
    })
  })
})

describe('completers of a template', () => {
  test('are named as its variables', () => {
    const template = defineResourceTemplate({
      uriTemplate: 'atlas://{country}/{+city}',
      name: 'n',
      read: (uri) => uri,
      complete: {
        country: () => ['no'],
        city: (value, context) => {
          expectTypeOf(value).toEqualTypeOf<string>()
          expectTypeOf(context).toEqualTypeOf<CompletionContext<unknown>>()
          return []
        },
      },
    })
    expectTypeOf(template).toEqualTypeOf<ResourceTemplate<unknown>>()
    defineResourceTemplate({
      uriTemplate: 'a:{x}',
      name: 'n',
      read: (uri) => uri,
      // @ts-expect-error the template has no such variable
      complete: { y: () => [] },
    })
    createBeam<User>().defineResourceTemplate({
      uriTemplate: 'a:{x}',
      name: 'n',
      read: (uri) => uri,
      complete: { x: (_value, { principal }) => [principal.id] },
    })
  })

  test('have any name where the template is not known', () => {
    const uriTemplate: string = 'a:{x}'
    defineResourceTemplate({ uriTemplate, name: 'n', read: () => '', complete: { y: () => [] } })
    defineResourceTemplate<User>({ uriTemplate: 'a:{x}', name: 'n', read: () => '' })
    expectTypeOf<VariablesOf<'a:{x}/{+y}'>>().toEqualTypeOf<'x' | 'y'>()
    expectTypeOf<VariablesOf<'a:1'>>().toEqualTypeOf<never>()
    expectTypeOf<VariablesOf<string>>().toEqualTypeOf<string>()
  })
})

describe('the contract', () => {
  test('has one complete, which createCatalog makes', () => {
    const { catalog } = createCatalog<User>({})
    expectTypeOf(catalog).toEqualTypeOf<Catalog<User>>()
    expectTypeOf<Parameters<NonNullable<Catalog<User>['complete']>>>().toEqualTypeOf<
      [request: CompletionRequest, context: CompletionContext<User>]
    >()
    expectTypeOf<Completer<User>>().toExtend<Completer>()
    expectTypeOf<readonly string[]>().toExtend<CompletionAnswer>()
  })

  test('takes the blocks that the helpers make', () => {
    expectTypeOf(text('x')).toExtend<ContentBlock>()
    toolResult({ content: [text('x'), image(new Uint8Array(), 'image/png')] })
    // @ts-expect-error an image is made of bytes
    image('AAAA', 'image/png')
    // @ts-expect-error a link has a name
    resourceLink({ uri: 'a:1' })
    // @ts-expect-error an embedded resource has a uri
    embeddedResource({ text: 'x' })
    // @ts-expect-error a priority is a number
    text('x', { annotations: { priority: 'high' } })
  })
})
