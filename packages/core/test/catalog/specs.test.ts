// SPDX-License-Identifier: Apache-2.0
import { Type } from '@sinclair/typebox'
import { describe, expect, test } from 'vitest'
import { catalogOf, createTestServer, failure } from '../support/server.ts'

async function refusal(lists: Readonly<Record<string, unknown>>) {
  const { server } = createTestServer({ catalog: catalogOf(lists) })
  return failure(() => server.ready())
}

async function entryOf(list: string, spec: object): Promise<unknown> {
  const [method, member] =
    list === 'templates'
      ? ['resources/templates/list', 'resourceTemplates']
      : [`${list}/list`, list]
  const key = list === 'templates' ? 'resources' : list
  const { ask } = createTestServer({ catalog: catalogOf({ [key]: [spec] }) })
  return ((await ask(method))?.result?.[member] as unknown[] | undefined)?.[0]
}

type Refused = readonly [spec: unknown, message: string]
const SHARED = (entry: string, base: object): readonly Refused[] => [
  [{ ...base, title: 5 }, `${entry}: title must be a string, or left out`],
  [{ ...base, description: null }, `${entry}: description must be a string, or left out`],
  [{ ...base, icons: {} }, `${entry}: icons must be a list, or left out`],
  [
    { ...base, icons: [{ src: 'javascript:alert(1)' }] },
    `${entry}: icons must each have a src that begins with https: or data:; clients refuse others`,
  ],
  [
    { ...base, icons: ['https://x.example/i.png'] },
    `${entry}: icons must each have a src that begins with https: or data:; clients refuse others`,
  ],
  [
    { ...base, icons: [{ src: 'data:image/png;base64,', theme: 'blue' }] },
    `${entry}: icons must have a theme that is 'light' or 'dark', or left out`,
  ],
  [
    { ...base, icons: [{ src: 'data:,', sizes: '48x48' }] },
    `${entry}: icons must have sizes that are a list such as ['48x48'], or left out`,
  ],
  [
    { ...base, icons: [{ src: 'data:,', mimeType: 5 }] },
    `${entry}: icons must have a mimeType that is a string, or left out`,
  ],
  [{ ...base, _meta: [] }, `${entry}: _meta must be an object, or left out`],
  [
    { ...base, _meta: { big: 1n } },
    `${entry}: it holds a value that JSON cannot carry (a cycle, a bigint or a failing toJSON)`,
  ],
]
const SURROGATE = 'holds an unpaired surrogate, which no client can send'

describe('a tool', () => {
  const INPUT =
    'inputSchema must be an object schema with "type": "object" at its root; leave it out for a tool that takes no arguments'
  const TOOLS: readonly Refused[] = [
    ['t', 'a tool: it must be an object with a name'],
    [null, 'a tool: it must be an object with a name'],
    [[], 'a tool: it must be an object with a name'],
    [{}, 'a tool without a name: name must be a non-empty string'],
    [{ name: 5 }, 'a tool without a name: name must be a non-empty string'],
    [{ name: '' }, "tool '': name must be a non-empty string"],
    [{ name: 'a\ud800' }, `tool 'a\ud800': name ${SURROGATE}`],
    ...SHARED("tool 't'", { name: 't' }),
    [{ name: 't', inputSchema: null }, `tool 't': ${INPUT}`],
    [{ name: 't', inputSchema: true }, `tool 't': ${INPUT}`],
    [{ name: 't', inputSchema: [] }, `tool 't': ${INPUT}`],
    [{ name: 't', inputSchema: {} }, `tool 't': ${INPUT}`],
    [{ name: 't', inputSchema: { type: 'array' } }, `tool 't': ${INPUT}`],
    [{ name: 't', inputSchema: { type: ['object'] } }, `tool 't': ${INPUT}`],
    [{ name: 't', inputSchema: { properties: {} } }, `tool 't': ${INPUT}`],
    [
      { name: 't', outputSchema: true },
      "tool 't': outputSchema must be a schema object, or left out",
    ],
    [
      { name: 't', outputSchema: null },
      "tool 't': outputSchema must be a schema object, or left out",
    ],
    [{ name: 't', annotations: [] }, "tool 't': annotations must be an object, or left out"],
    [
      { name: 't', annotations: { readOnlyHint: 'yes' } },
      "tool 't': annotations.readOnlyHint must be true or false, or left out",
    ],
    [{ name: 't', annotations: { title: 5 } }, "tool 't': title must be a string, or left out"],
    [{ name: 't', commandClass: 5 }, "tool 't': commandClass must be a string, or left out"],
    [{ name: 't', mode: 'write' }, "tool 't': mode is 'read_only' or 'proposal', or left out"],
    [
      { name: 't', nativePatterns: 'yes' },
      "tool 't': nativePatterns must be true or false, or left out",
    ],
  ]
  test.each(TOOLS)('[TOOL-05] [TOOL-07] [TOOL-08] %o is refused by name', async (spec, message) => {
    expect(await refusal({ tools: [{ name: 'fine' }, spec] })).toEqual({
      code: 'BEAM_ERR_CATALOG_ENTRY',
      message,
    })
  })

  test.each([
    [{ type: 'object', nonsense: 1 }, '"nonsense"'],
    [{ type: 'object', $schema: 'https://example.test/dialect' }, 'https://example.test/dialect'],
    [{ type: 'object', properties: { a: { $ref: 'https://example.test/x' } } }, 'example.test/x'],
    [{ type: 'object', properties: { a: { type: 'text' } } }, 'a'],
  ])('[SCH-02] [SCH-04] [SCH-05] the schema %j is refused by name', async (schema, named) => {
    for (const key of ['inputSchema', 'outputSchema']) {
      const { code, message } = await refusal({ tools: [{ name: 'odd', [key]: schema }] })
      expect(code).toBe('BEAM_ERR_SCHEMA_UNSUPPORTED')
      expect(message).toContain(`tool 'odd' ${key}`)
      expect(message).toContain(named)
    }
  })

  test('[TOOL-05] [TOOL-09] publishes its members, and never the labels', async () => {
    const spec = {
      name: 't',
      title: 'T',
      description: 'D',
      inputSchema: { type: 'object' },
      outputSchema: { type: 'string' },
      annotations: { title: 'A', openWorldHint: false },
      icons: [
        { src: 'https://x.example/i.png', mimeType: 'image/png', sizes: ['any'], theme: 'dark' },
      ],
      _meta: { 'com.example/a': [1] },
    }
    const labelled = {
      ...spec,
      commandClass: 'query',
      nativePatterns: false,
      handler: () => 'x',
      secret: 'mine',
    }
    expect(await entryOf('tools', labelled)).toEqual(spec)
  })

  test('[TOOL-09] has no annotations where its author set none', async () => {
    expect(await entryOf('tools', { name: 't', inputSchema: { type: 'object' } })).toEqual({
      name: 't',
      inputSchema: { type: 'object' },
    })
  })

  const READ = { readOnlyHint: true, destructiveHint: false, idempotentHint: true }
  test.each([
    ['read_only', undefined, { ...READ, openWorldHint: false }],
    [
      'read_only',
      { openWorldHint: true, title: 'T' },
      { ...READ, openWorldHint: true, title: 'T' },
    ],
    ['read_only', READ, { ...READ, openWorldHint: false }],
    [
      'proposal',
      undefined,
      { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    ],
    [
      'proposal',
      { destructiveHint: false, idempotentHint: true },
      { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    ],
  ])(
    '[TOOL-09] of mode %s and the annotations %j fills in the rest',
    async (mode, annotations, expected) => {
      const given = annotations === undefined ? undefined : Object.freeze(annotations)
      expect(await entryOf('tools', { name: 't', mode, annotations: given })).toMatchObject({
        annotations: expected,
      })
    },
  )

  test.each([
    ['read_only', 'readOnlyHint', false],
    ['read_only', 'destructiveHint', true],
    ['read_only', 'idempotentHint', false],
    ['proposal', 'readOnlyHint', true],
  ])('[TOOL-09] of mode %s contradicts %s: %s', async (mode, hint, value) => {
    expect(await refusal({ tools: [{ name: 't', mode, annotations: { [hint]: value } }] })).toEqual(
      {
        code: 'BEAM_ERR_CATALOG_ENTRY',
        message: `tool 't': annotations.${hint}: ${value} contradicts mode '${mode}'; drop one of them`,
      },
    )
  })

  test('[SCH-08] publishes a TypeBox schema as the JSON Schema that it is', async () => {
    const inputSchema = Type.Object({ city: Type.String(), days: Type.Optional(Type.Integer()) })
    expect(await entryOf('tools', { name: 't', inputSchema })).toEqual({
      name: 't',
      inputSchema: {
        type: 'object',
        required: ['city'],
        properties: { city: { type: 'string' }, days: { type: 'integer' } },
      },
    })
  })
})

describe('a resource', () => {
  const BASE = { uri: 'a:1', name: 'one' }
  const RESOURCES: readonly Refused[] = [
    ['a:1', 'a resource: it must be an object with a uri and a name'],
    [null, 'a resource: it must be an object with a uri and a name'],
    [{ name: 'x' }, 'a resource without a name: uri must be a non-empty string'],
    [{ uri: 5, name: 'x' }, 'a resource without a name: uri must be a non-empty string'],
    [{ uri: 'a:1' }, "resource 'a:1': name must be a non-empty string"],
    [{ uri: 'a:1', name: '' }, "resource 'a:1': name must be a non-empty string"],
    [{ uri: 'a:\udfff', name: 'x' }, `resource 'a:\udfff': uri ${SURROGATE}`],
    ...SHARED("resource 'a:1'", BASE),
    [{ ...BASE, mimeType: 5 }, "resource 'a:1': mimeType must be a string, or left out"],
    ...[-1, 1.5, '5', null, Number.NaN].map(
      (size): Refused => [
        { ...BASE, size },
        "resource 'a:1': size must be a whole number of bytes from 0, or left out",
      ],
    ),
    [
      { ...BASE, annotations: { priority: -1 } },
      "resource 'a:1': annotations: priority is not from 0 to 1",
    ],
    [
      { ...BASE, annotations: { audience: 'user' } },
      "resource 'a:1': annotations: audience is not a list of 'user' and 'assistant'",
    ],
    [
      { ...BASE, annotations: { lastModified: 5 } },
      "resource 'a:1': annotations: lastModified is not a time of ISO 8601, such as '2026-07-28T09:00:00Z'",
    ],
    [{ ...BASE, annotations: 'x' }, "resource 'a:1': annotations: value is not an object"],
  ]
  test.each(RESOURCES)('[RES-02] [CONT-08] %o is refused by name', async (spec, message) => {
    expect(await refusal({ resources: [spec] })).toEqual({
      code: 'BEAM_ERR_CATALOG_ENTRY',
      message,
    })
  })

  const MEMBERS = {
    name: 'one',
    title: 'T',
    description: 'D',
    mimeType: 'text/plain',
    annotations: {
      audience: ['user', 'assistant'],
      priority: 0,
      lastModified: '2026-07-28T00:00:00Z',
    },
    icons: [{ src: 'data:image/png;base64,AAAA' }],
    _meta: { a: 1 },
  }

  test('[RES-02] publishes its members and nothing else', async () => {
    const spec = { uri: 'a:1', size: 0, ...MEMBERS }
    expect(await entryOf('resources', { ...spec, read: () => 'x', secret: 1 })).toEqual(spec)
  })

  test('[RES-03] that is a template publishes its members and nothing else', async () => {
    const spec = { uriTemplate: 'a:{x}', ...MEMBERS }
    expect(await entryOf('templates', { ...spec, read: () => 'x', size: 5 })).toEqual(spec)
  })

  test.each<Refused>([
    [
      { uriTemplate: 5, name: 'x' },
      'a resource template without a name: uriTemplate must be a non-empty string',
    ],
    [
      { uriTemplate: '', name: 'x' },
      "resource template '': uriTemplate must be a non-empty string",
    ],
    [{ uriTemplate: 'a:{x}' }, "resource template 'a:{x}': name must be a non-empty string"],
    ...SHARED("resource template 'a:{x}'", { uriTemplate: 'a:{x}', name: 'n' }),
  ])('[RES-03] that is the template %o is refused by name', async (spec, message) => {
    expect(await refusal({ resources: [spec] })).toEqual({
      code: 'BEAM_ERR_CATALOG_ENTRY',
      message,
    })
  })
})

describe('a prompt', () => {
  const PROMPTS: readonly Refused[] = [
    ['p', 'a prompt: it must be an object with a name'],
    [{}, 'a prompt without a name: name must be a non-empty string'],
    [{ name: '' }, "prompt '': name must be a non-empty string"],
    ...SHARED("prompt 'p'", { name: 'p' }),
    [{ name: 'p', arguments: {} }, "prompt 'p': arguments must be a list, or left out"],
    [{ name: 'p', arguments: ['a'] }, "prompt 'p': an argument must be an object with a name"],
    [
      { name: 'p', arguments: [{ name: 5 }] },
      "prompt 'p', an argument: name must be a non-empty string",
    ],
    [
      { name: 'p', arguments: [{ name: 'a', required: 'yes' }] },
      "prompt 'p', argument 'a': required must be true or false, or left out",
    ],
    [
      { name: 'p', arguments: [{ name: 'a', title: 5 }] },
      "prompt 'p', argument 'a': title must be a string, or left out",
    ],
    [
      { name: 'p', arguments: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] },
      "prompt 'p': the argument 'a' is declared twice; rename one",
    ],
  ]
  test.each(PROMPTS)('[PROM-02] %o is refused by name', async (spec, message) => {
    expect(await refusal({ prompts: [spec] })).toEqual({ code: 'BEAM_ERR_CATALOG_ENTRY', message })
  })

  test('[PROM-02] publishes its members and nothing else', async () => {
    const spec = {
      name: 'p',
      title: 'T',
      description: 'D',
      icons: [{ src: 'data:,' }],
      arguments: [{ name: 'a', required: true, title: 'A', description: 'AD' }],
      _meta: { a: 1 },
    }
    const given = { ...spec, arguments: [{ ...spec.arguments[0], secret: 1 }], render: () => 'x' }
    expect(await entryOf('prompts', given)).toEqual(spec)
  })
})
