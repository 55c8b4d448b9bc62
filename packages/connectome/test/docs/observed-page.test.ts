// SPDX-License-Identifier: Apache-2.0
import * as fastify from '@beam-mcp/connectome/fastify'
import * as observed from '@beam-mcp/connectome/observed'
import * as surface from '@beam-mcp/connectome/surface'
import * as tracer from '@beam-mcp/connectome/tracer'
import { describe, expect, test } from 'vitest'
import { page, quoted, rows, section } from './pages.ts'

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
    expect(named).toHaveLength(5)
  })
})
