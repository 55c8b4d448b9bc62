// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const SRC = fileURLToPath(new URL('../src/', import.meta.url))
const FROM = /\b(?:from|import)\s*\(?\s*'([^']+)'/g

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.split(sep).join('/'))

/** The path from src of what a file names relative to itself. */
const within = (file: string, name: string): string =>
  relative(SRC, join(SRC, dirname(file), name))
    .split(sep)
    .join('/')

/** The modules that a file imports; relative ones by their path from src. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8')
  return [...text.matchAll(FROM)].map(([, name = '']) =>
    name.startsWith('.') ? within(file, name) : name,
  )
}

/** Everything that a file brings in, and what brings it in. */
function reachableFrom(entry: string): Map<string, string> {
  const found = new Map<string, string>()
  const queue = [entry]
  for (const file of queue) {
    for (const name of importsOf(file)) {
      if (found.has(name)) continue
      found.set(name, file)
      if (name.endsWith('.ts')) queue.push(name)
    }
  }
  return found
}

const IS_TRANSPORT = /^(?:fastify|fastify-plugin|node:https?|http|plugin\.ts|index\.ts|http\/.*)$/
const isCore = (file: string): boolean =>
  /^(?:protocol|catalog|input|state|json|schema)\/|^server\.ts$/.test(file)

test('the imports of this package are found', () => {
  expect(files.length).toBeGreaterThan(60)
  expect(importsOf('plugin.ts')).toContain('fastify-plugin')
  expect(importsOf('plugin.ts')).toContain('http/routes.ts')
  expect(importsOf('protocol/engine.ts')).toContain('protocol/json-rpc.ts')
})

test('protocol, catalog, input, state, json, schema and server import no transport', () => {
  const wrong = files
    .filter(isCore)
    .flatMap((file) => importsOf(file).map((name) => `${file} imports ${name}`))
    .filter((line) => IS_TRANSPORT.test(line.slice(line.indexOf(' imports ') + 9)))
  expect(wrong).toEqual([])
})

test.each(['server.ts', 'stdio.ts', 'redis.ts', 'opentelemetry.ts', 'json-schema.ts'])(
  '%s reaches no transport',
  (entry) => {
    const reached = [...reachableFrom(entry)].filter(([name]) => IS_TRANSPORT.test(name))
    expect(reached).toEqual([])
  },
)

test('the log of stdio is loaded by stdio alone', () => {
  const loading = files.filter((file) => importsOf(file).includes('pino'))
  expect(loading).toEqual(['stdio/default-logger.ts'])
  const entries = ['index.ts', 'server.ts', 'testing.ts', 'json-schema.ts']
  expect(entries.filter((entry) => reachableFrom(entry).has('pino'))).toEqual([])
})

test('nothing but its own subpath reaches the Redis bus, which imports no client', () => {
  const inRoom = (name: string): boolean => /^redis(?:\.ts$|\/)/.test(name)
  const wrong = files
    .filter((file) => !inRoom(file))
    .flatMap((file) => importsOf(file).filter((name) => inRoom(name)))
  expect(wrong).toEqual([])
  const loading = files.filter((file) => importsOf(file).includes('ioredis'))
  expect(loading).toEqual([])
})

test('nothing but its own subpath reaches OpenTelemetry', () => {
  const loading = files.filter((file) => importsOf(file).some((name) => /^@opentele/.test(name)))
  expect(loading.map((file) => file.replace(/\/.*/, '/'))).toEqual([
    'opentelemetry/',
    'opentelemetry/',
  ])
  const entries = files.filter((file) => !file.includes('/') && file !== 'opentelemetry.ts')
  expect(entries).toContain('index.ts')
  expect(entries.filter((entry) => reachableFrom(entry).has('@opentelemetry/api'))).toEqual([])
  expect(reachableFrom('opentelemetry.ts').has('@opentelemetry/api')).toBe(true)
})

/** A room of the sources, by the first name of a path; a file beside the rooms is one of its own. */
const roomOf = (path: string): string => path.replace(/\/.*|\.ts$/, '')

/** What each room may import, as the page has it: whole rooms, single modules and packages. */
function readRooms(): Map<string, Map<string, 'types' | 'all'>> {
  const page = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8')
  const core = page.slice(page.indexOf('## packages/core'), page.indexOf('## packages/connectome'))
  const rows = core.matchAll(/^\| `([\w-]+)\/` \| .* \| (.*) \|$/gm)
  return new Map(
    Array.from(rows, ([, room = '', may = '']) => {
      const names = may.matchAll(/`([^`]+)`( \(types\))?/g)
      return [
        room,
        new Map(Array.from(names, ([, name = '', types]) => [name, types ? 'types' : 'all'])),
      ]
    }),
  )
}

const BROUGHT = /^(?:import|export)\s+(type\s)?([^'";]*?)\s*from\s+'([^']+)'/gm

/** What a file brings in from outside of its room, by the name that the page has for it. */
function broughtInto(file: string, listed: ReadonlySet<string>): [name: string, isType: boolean][] {
  const text = readFileSync(join(SRC, file), 'utf8')
  return [...text.matchAll(BROUGHT)].flatMap(([, type, what = '', from = '']) => {
    if (from.startsWith('node:')) return []
    const isOurs = from.startsWith('.')
    const path = isOurs ? within(file, from) : from
    if (isOurs && roomOf(path) === roomOf(file)) return []
    const module = path.replace(/\.ts$/, '')
    const pack = path.startsWith('@') ? path : path.replace(/\/.*/, '')
    const whole = isOurs ? roomOf(path) : pack
    const isType = type !== undefined || /^\{(?:\s*type [^,}]+,?)+\s*\}$/.test(what)
    return [[listed.has(whole) ? whole : isOurs ? module : pack, isType]]
  })
}

test('every room has a row on the page, and every row a room', () => {
  const rooms = new Set(files.filter((file) => file.includes('/')).map(roomOf))
  expect([...readRooms().keys()].sort()).toEqual([...rooms].sort())
})

test.each([...readRooms()])('%s imports what its row on the page names', (room, may) => {
  const found = new Map<string, 'types' | 'all'>()
  const listed = new Set(may.keys())
  for (const file of files.filter((path) => path.startsWith(`${room}/`))) {
    for (const [name, isType] of broughtInto(file, listed)) {
      if (!isType || !found.has(name)) found.set(name, isType ? 'types' : 'all')
    }
  }
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(may))
})

test('core never imports the connectome', () => {
  const wrong = files.filter((file) => importsOf(file).some((name) => name.includes('connectome')))
  expect(wrong).toEqual([])
})

test('every file begins with its licence', () => {
  const bare = files.filter(
    (file) =>
      !readFileSync(join(SRC, file), 'utf8').startsWith('// SPDX-License-Identifier: Apache-2.0\n'),
  )
  expect(bare).toEqual([])
})
