// SPDX-License-Identifier: Apache-2.0
import { defineTool } from '@beam-mcp/core'
import { describe, expect, test } from 'vitest'
import { type BuildOptions, build } from './fixture.ts'

const TOOLS = [
  defineTool({ name: 'forecast', mode: 'read_only', commandClass: 'observe', handler: () => '' }),
  defineTool({ name: 'other', handler: () => '' }),
]
const catalog = {
  capabilities: async () => ({
    tools: TOOLS,
    resources: [
      { uri: 'data://one', name: 'one' },
      { uriTemplate: 'data://{id}', name: 'any' },
    ],
    prompts: [{ name: 'ask' }],
  }),
}

const FILES = {
  'main.js': `import { createBeam, defineTool as define } from '@beam-mcp/core'
import { forecast } from './forecast.js'
const beam = createBeam()
export const tools = [define({ name: 'forecast', handler: forecast }), beam.defineTool({ name: 'other', handler: async () => 1 })]`,
  'forecast.js': 'export const forecast = async (args) => args',
  'elsewhere.js': 'export {}',
}

async function edges(options: BuildOptions): Promise<string[]> {
  const { graph } = await build(FILES, { catalog, level: 'module', ...options })
  return graph.edges.map(({ from, to, kind }) => `${from} ${kind} ${to}`)
}

const CALLS = ['s/server invoke s/tool/forecast', 's/server invoke s/tool/other']

describe('the catalog in a declared graph', () => {
  test('is the server with its entries, at every level', async () => {
    for (const level of ['module', 'mfa', 'boundary'] as const) {
      const { graph } = await build(FILES, { catalog, level })
      const nodes = graph.nodes.filter(({ level: one }) => one === 'server')
      expect(nodes.map(({ id }) => id)).toEqual([
        's/prompt/ask',
        's/resource/data:%2F%2Fone',
        's/server',
        's/tool/forecast',
        's/tool/other',
      ])
      const tool = nodes.find(({ id }) => id === 's/tool/forecast')
      expect(tool?.labels).toEqual({ command_class: 'observe', mode: 'read_only' })
    }
  })

  test('finds the module of a handler from the call that defines its tool', async () => {
    expect(await edges({})).toEqual([
      ...CALLS,
      's/tool/forecast invoke s/module/app%2Fforecast.js',
      's/tool/other invoke s/module/app%2Fmain.js',
    ])
  })

  test('finds the function of a handler', async () => {
    expect(await edges({ level: 'mfa' })).toEqual([
      ...CALLS,
      's/tool/forecast invoke s/module/app%2Fforecast.js/forecast/1',
      's/tool/other invoke s/module/app%2Fmain.js/(module)/0',
    ])
  })

  test('takes the module of a tool that the host names, where it is in scope', async () => {
    const toolModules = { forecast: 'app/main.js', other: 'app/gone.js' }
    expect(await edges({ toolModules })).toEqual([
      ...CALLS,
      's/tool/forecast invoke s/module/app%2Fmain.js',
    ])
    const { bound } = await build(FILES, { catalog, toolModules })
    expect(bound.tools_without_module).toEqual([{ tool: 'forecast' }, { tool: 'other' }])
    expect(bound.sources_used).toEqual(['catalog', 'source', 'tool_modules'])
  })

  test('lists tools whose handlers are in no module of the scope', async () => {
    const { bound } = await build({ 'main.js': '' }, { catalog })
    expect(bound.tools_without_module).toEqual([{ tool: 'forecast' }, { tool: 'other' }])
  })

  test('takes a call of another function of that shape for no definition', async () => {
    const { bound } = await build(
      {
        'main.js': `function defineTool(tool) { return tool }
export const tool = defineTool({ name: 'forecast', handler() {} })`,
      },
      { catalog },
    )
    expect(bound.tools_without_module).toHaveLength(2)
  })

  test('lists templates, or has reads of everything that can be read', async () => {
    const plain = await build(FILES, { catalog, level: 'module' })
    expect(plain.bound.unreadable_catalog_entries).toEqual([
      { kind: 'resource_template', name: 'data://{id}' },
    ])
    const reading = await build(FILES, { catalog, level: 'module', include: ['read'] })
    expect(reading.bound.unreadable_catalog_entries).toEqual([])
    const reads = reading.graph.edges.filter(({ kind }) => kind === 'read')
    expect(reads.map(({ from, to }) => `${from} -> ${to}`)).toEqual([
      's/server -> s/prompt/ask',
      's/server -> s/resource/data:%2F%2Fone',
      's/server -> s/resource/data:%2F%2F{id}',
    ])
    for (const edge of reading.graph.edges) {
      expect(edge).toMatchObject({ provenance: 'declared', sign: 'unset' })
      expect(edge).not.toHaveProperty('weight')
    }
  })
})
