// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { mirroredValue, readMirroredParams } from '../../src/catalog/mirrored-params.ts'
import { catalogOf, createTestServer, failure, valueAnswer } from '../support/server.ts'

const marked = (name: unknown, type: unknown = 'string'): object => ({ type, 'x-mcp-header': name })
const object = (members: object): object => ({ type: 'object', ...members })
const withProperty = (name: string, property: object): object =>
  object({ properties: { [name]: property } })

async function refusal(inputSchema: object) {
  const { server } = createTestServer({
    catalog: catalogOf({ tools: [{ name: 't', inputSchema }] }),
  })
  return failure(() => server.ready())
}

describe('x-mcp-header', () => {
  test.each([
    '',
    ' ',
    'a b',
    'a:b',
    'a/b',
    'a(b)',
    'é',
    '"a"',
    'a\n',
    'a,b',
    '[a]',
    '{a}',
    'a=b',
    'a@b',
  ])('[HDR-18] is refused for the value %j, which is no token', async (name) => {
    expect(await refusal(withProperty('region', marked(name)))).toEqual({
      code: 'BEAM_ERR_CATALOG_ENTRY',
      message: "tool 't': property 'region': x-mcp-header must be a header token such as 'Region'",
    })
  })

  test.each([null, 5, true, {}, ['Region']])(
    '[HDR-18] is refused for the value %j, which is no string',
    async (name) => {
      expect(await refusal(withProperty('region', marked(name)))).toMatchObject({
        code: 'BEAM_ERR_CATALOG_ENTRY',
      })
    },
  )

  test.each(["a!#$%&'*+-.^_`|~9Z", 'X', '0'])('[HDR-18] may be the token %j', (name) => {
    expect(readMirroredParams('t', withProperty('p', marked(name)))).toEqual([
      { path: ['p'], name, field: `mcp-param-${name.toLowerCase()}`, type: 'string' },
    ])
  })

  test.each([
    ['Region', 'Region'],
    ['Region', 'REGION'],
    ['x-a', 'X-A'],
  ])('[HDR-18] is unique in a tool without regard to case: %s and %s', async (one, other) => {
    const schema = object({
      properties: { a: marked(one), b: withProperty('c', marked(other, 'integer')) },
    })
    expect(await refusal(schema)).toEqual({
      code: 'BEAM_ERR_CATALOG_ENTRY',
      message: `tool 't': x-mcp-header '${other}' is used twice (case does not count); rename one`,
    })
  })

  test('[HDR-18] may be used by each of several tools', async () => {
    const tools = ['a', 'b'].map((name) => ({
      name,
      inputSchema: withProperty('region', marked('Region')),
    }))
    const { server } = createTestServer({ catalog: catalogOf({ tools }) })
    await expect(server.ready()).resolves.toBeUndefined()
  })

  test.each([['number'], ['object'], ['array'], ['null'], [['string']], [['string', 'null']]])(
    '[HDR-19] [A-21] [A-22] is refused on the type %j',
    async (type) => {
      expect(await refusal(withProperty('limit', marked('Limit', type)))).toEqual({
        code: 'BEAM_ERR_CATALOG_ENTRY',
        message:
          "tool 't': property 'limit': x-mcp-header 'Limit' needs \"type\" to be exactly string, integer or boolean",
      })
    },
  )

  test('[HDR-19] is refused where there is no type', async () => {
    expect(await refusal(withProperty('limit', { 'x-mcp-header': 'Limit' }))).toMatchObject({
      code: 'BEAM_ERR_CATALOG_ENTRY',
    })
  })

  const region = withProperty('region', marked('Region'))
  const UNREACHABLE: readonly (readonly [string, object])[] = [
    ['the root', object({ 'x-mcp-header': 'Region' })],
    ['items', withProperty('list', { type: 'array', items: marked('Region') })],
    ['properties under items', withProperty('list', { type: 'array', items: region })],
    ['prefixItems', withProperty('list', { type: 'array', prefixItems: [marked('Region')] })],
    ['contains', withProperty('list', { type: 'array', contains: marked('Region') })],
    [
      'unevaluatedItems',
      withProperty('list', { type: 'array', unevaluatedItems: marked('Region') }),
    ],
    ['additionalProperties', object({ additionalProperties: marked('Region') })],
    ['unevaluatedProperties', object({ unevaluatedProperties: marked('Region') })],
    ['propertyNames', object({ propertyNames: marked('Region') })],
    ['patternProperties', object({ patternProperties: { '^r': marked('Region') } })],
    ['oneOf', object({ oneOf: [region] })],
    ['anyOf', object({ anyOf: [true, region] })],
    ['allOf', object({ allOf: [region] })],
    ['not', object({ not: region })],
    ['if', object({ if: region, then: true })],
    ['then', object({ if: true, then: region })],
    ['else', object({ if: true, else: region })],
    ['dependentSchemas', object({ dependentSchemas: { a: region } })],
    ['dependentSchemas of a key like a keyword', object({ dependentSchemas: { type: region } })],
    ['$defs', object({ $defs: { type: marked('Region') } })],
    ['definitions', object({ definitions: { default: region } })],
    [
      'dependencies of draft-07',
      object({
        $schema: 'http://json-schema.org/draft-07/schema#',
        dependencies: { type: region },
      }),
    ],
    [
      'items of draft-07',
      object({
        $schema: 'http://json-schema.org/draft-07/schema#',
        properties: { list: { type: 'array', items: [marked('Region')] } },
      }),
    ],
  ]
  test.each(UNREACHABLE)('[HDR-20] is refused under %s', async (_, schema) => {
    const { code, message } = await refusal(schema)
    expect(code).toBe('BEAM_ERR_CATALOG_ENTRY')
    expect(message).toContain("tool 't': ")
    expect(message).toContain(
      "x-mcp-header 'Region' must stand on a property reached through 'properties' alone",
    )
  })

  test('[HDR-15] [A-20] is found at any depth of plain objects, whatever the names', () => {
    const schema = object({
      properties: {
        opts: object({ properties: { limit: marked('Limit', 'integer') } }),
        properties: object({ properties: { items: marked('Deep', 'boolean') } }),
        default: marked('D'),
        plain: { type: 'string' },
      },
    })
    expect(readMirroredParams('t', schema)).toEqual([
      { path: ['opts', 'limit'], name: 'Limit', field: 'mcp-param-limit', type: 'integer' },
      { path: ['properties', 'items'], name: 'Deep', field: 'mcp-param-deep', type: 'boolean' },
      { path: ['default'], name: 'D', field: 'mcp-param-d', type: 'string' },
    ])
  })

  test('[HDR-20] that is data, not a keyword, is left alone', async () => {
    const data = { 'x-mcp-header': 'not a token' }
    const schema = object({
      properties: {
        a: { const: data },
        b: { enum: [data] },
        c: { default: data, examples: [data] },
      },
      'x-note': data,
    })
    const { server } = createTestServer({
      catalog: catalogOf({ tools: [{ name: 't', inputSchema: schema }] }),
    })
    await expect(server.ready()).resolves.toBeUndefined()
  })

  test('[HDR-23] has no effect where there are no headers', async () => {
    const inputSchema = withProperty('region', marked('Region'))
    const { ask } = createTestServer({
      catalog: catalogOf({ tools: [{ name: 't', inputSchema }] }),
      dispatch: (_tool, args) => args,
    })
    const args = { region: 'eu' }
    expect(await ask('tools/call', { name: 't', arguments: args })).toEqual(valueAnswer(args))
  })
})

describe('a mirrored value', () => {
  test.each<readonly [unknown, readonly string[], unknown]>([
    [{ a: 'x' }, ['a'], 'x'],
    [{ a: '' }, ['a'], ''],
    [{ a: 0 }, ['a'], 0],
    [{ a: false }, ['a'], false],
    [{ a: { b: 'x' } }, ['a', 'b'], 'x'],
    [{ a: null }, ['a'], undefined],
    [{}, ['a'], undefined],
    [{ a: null }, ['a', 'b'], undefined],
    [{ a: 'x' }, ['a', 'length'], undefined],
    [{ a: [1] }, ['a', '0'], undefined],
    [{}, ['toString'], undefined],
    [{}, ['__proto__', 'toString'], undefined],
    [JSON.parse('{"__proto__":{"a":"x"}}'), ['__proto__', 'a'], 'x'],
    [JSON.parse('{"__proto__":{"a":"x"}}'), ['a'], undefined],
  ])('[HDR-11] [HDR-14] [HDR-15] of %j at %j is %j', (args, path, expected) => {
    expect(mirroredValue(args as Record<string, unknown>, path)).toBe(expected)
  })
})
