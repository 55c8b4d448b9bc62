// SPDX-License-Identifier: Apache-2.0
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { encode } from '@beam-mcp/connectome'
import * as fastify from '@beam-mcp/connectome/fastify'
import * as observed from '@beam-mcp/connectome/observed'
import * as surface from '@beam-mcp/connectome/surface'
import * as tracer from '@beam-mcp/connectome/tracer'
import { createTestClient } from '@beam-mcp/core/testing'
import type { FastifyInstance } from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import type * as WatchedApp from './page/watched-app.ts'
import { blocks, page, quoted, rows, section } from './pages.ts'

const PROGRAM = new URL('page/watched-app.ts', import.meta.url)

/** The program in a package of its own, as a user has it, since a build reads by the package. */
async function installApp(): Promise<FastifyInstance> {
  const folder = new URL('../dist/watched-app/', import.meta.url)
  await mkdir(folder, { recursive: true })
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(new URL('package.json', folder), '{ "name": "greeter", "type": "module" }')
  await copyFile(PROGRAM, new URL('app.ts', folder))
  const { createApp } = (await import(new URL('app.ts', folder).href)) as typeof WatchedApp
  return createApp()
}

describe('docs/connectome-observed.md', () => {
  const text = page('-observed')
  const firstCells = (heading: string): string[] =>
    rows(section(text, heading)).flatMap(([cell = '']) => quoted(cell))

  test('names every function the four subpaths export', () => {
    const names = [fastify, observed, surface, tracer].flatMap((module) => Object.keys(module))
    const functions = names.filter((name) => name !== 'default' && name !== 'SURFACE_GRAPHS')
    expect(functions.filter((name) => !text.includes(name))).toEqual([])
  })

  test('lists the members of a collector, and no other', () => {
    const collector = observed.createCollector({ server: 's' })
    const members = Object.keys(collector).filter(
      (name) => name !== 'server' && name !== 'isRunning',
    )
    const listed = firstCells('The collector').map((cell) => cell.replace(/\(.*/, ''))
    const options = ['server', 'include', 'nested']
    expect(listed.filter((name) => !options.includes(name)).sort()).toEqual(members.sort())
  })

  test('lists the resources there are', () => {
    const uris = surface
      .createSurface({})
      .resources()
      .map(({ uri }) => uri)
    expect(firstCells("Through the server's own endpoint")).toEqual(uris)
  })

  test('has the program in Fastify as it is run', async () => {
    const file = await readFile(PROGRAM, 'utf8')
    const program = file.replace(/^\/\/ SPDX-License-Identifier: .*\n/, '').trimEnd()
    expect(blocks(section(text, 'In Fastify'), 'ts')).toEqual([program])
  })

  test('shows a server whose graphs differ by what its tool calls alone', async () => {
    const app = await installApp()
    onTestFinished(() => app.close())
    const client = createTestClient(app, { headers: { authorization: 'Bearer s3cret' } })
    const read = async (graph: string): Promise<string> => {
      const { result } = await client.request('resources/read', { uri: `connectome://${graph}` })
      return (result as { contents: { text: string }[] }).contents[0]?.text ?? ''
    }
    await client.callTool('greet', {})
    for (const graph of ['declared', 'observed', 'diff']) await read(graph)
    expect(await read('declared')).toBe(Buffer.from(encode(app.connectome.declared())).toString())
    const { classes } = JSON.parse(await read('diff'))
    expect(classes.observed_but_undeclared).toEqual([])
    expect(classes.declared_never_observed).toMatchObject([{ from: 'greeter/tool/greet' }])
  })

  test('lists every option of the tracer and no other', () => {
    const named = firstCells('The tracer')
    const unknown = named.filter((name) => {
      try {
        tracer.startTracer({ [name]: undefined } as never)
        return true
      } catch (error) {
        return JSON.stringify(error).includes('unknown_option')
      }
    })
    expect(unknown).toEqual([])
    expect(named).toHaveLength(6)
  })
})
