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

/** The modules that a file imports; relative ones by their path from src. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8')
  const within = (name: string): string =>
    relative(SRC, join(SRC, dirname(file), name))
      .split(sep)
      .join('/')
  return [...text.matchAll(FROM)].map(([, name = '']) =>
    name.startsWith('.') ? within(name) : name,
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

test('json and schema import neither protocol nor catalog', () => {
  const wrong = files
    .filter((file) => /^(?:json|schema)\//.test(file))
    .flatMap((file) => importsOf(file).map((name) => [file, name]))
    .filter(([, name = '']) => /^(?:protocol|catalog)\//.test(name))
  expect(wrong).toEqual([])
})

test('input and state import of protocol what knows no call', () => {
  const wrong = files
    .filter((file) => /^(?:input|state)\//.test(file))
    .flatMap((file) => importsOf(file).map((name) => `${file} imports ${name}`))
    .filter((line) => / imports (?:protocol|http|stdio|subscriptions)\//.test(line))
    .filter((line) => !/protocol\/(?:plain|encode-json|refuse-option)\.ts$/.test(line))
  expect(wrong).toEqual([])
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
