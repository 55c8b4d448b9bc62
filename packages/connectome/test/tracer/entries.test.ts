// SPDX-License-Identifier: Apache-2.0
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readFunctions } from '@beam-mcp/connectome/declared'
import { createCollector } from '@beam-mcp/connectome/observed'
import { startTracer } from '@beam-mcp/connectome/tracer'
import { expect, onTestFinished, test } from 'vitest'
import { writeFiles } from '../declared/fixture.ts'

interface Loaded {
  readonly file: string
  readonly run: () => unknown
}

function loadModule(text: string): Loaded {
  const file = join(writeFiles({ 'main.cjs': text }), 'main.cjs')
  const { run } = createRequire(import.meta.url)(file) as Loaded
  return { file, run }
}

/** How many calls lead to each function. */
async function callsIn({ file, run }: Loaded, isByFunction: boolean): Promise<object> {
  const collector = createCollector({ server: 's' })
  collector.start()
  onTestFinished(collector.stop)
  const functions = isByFunction ? { functions: await readFunctions([file]) } : {}
  const tracer = startTracer({ collector, modules: [file], maxEvents: 10_000, ...functions })
  run()
  const calls: Record<string, number> = {}
  for (const { to, count } of collector.rows()) {
    const name = String(Reflect.get(to, 'function'))
    calls[name] = (calls[name] ?? 0) + count
  }
  tracer.stop()
  const { events } = await tracer.ended
  return { events, ...calls }
}

/** Until what nothing holds is gone, which takes V8 several rounds for code. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  for (let round = 0; round < 20; round++) {
    collect()
    await new Promise(setImmediate)
  }
}

const PROGRAM = `class Box { side = first(1); area() { return first(2) } }
const first = (n) => second(n)
function second(n) { return n > 1 ? [n].map((one) => last(one)) : n }
exports.run = () => new Box().area()
const last = (n) => n + 1`

const LEVELS: [what: string, isByFunction: boolean][] = [
  ['modules', false],
  ['functions', true],
]
const STATES: [what: string, before: (loaded: Loaded) => Promise<void>][] = [
  ['was loaded', async () => {}],
  ['ran', async ({ run }) => void run()],
  ['was collected before it ran', collectGarbage],
  [
    'ran and was collected',
    async ({ run }) => {
      run()
      await collectGarbage()
    },
  ],
  [
    'was collected while somebody debugged it',
    async (loaded) => {
      loaded.run()
      await callsIn(loaded, false)
      await collectGarbage()
    },
  ],
]
const CASES = LEVELS.flatMap(([level, isByFunction]) =>
  STATES.map(([state, before]) => ({ level, state, before, isByFunction })),
)

test.each(CASES)(
  'between $level, every function of a CommonJS module is found that $state',
  async ({ before, isByFunction }) => {
    const loaded = loadModule(PROGRAM)
    await before(loaded)
    expect(await callsIn(loaded, isByFunction)).toEqual(
      isByFunction
        ? { events: 9, 'Box.constructor': 1, 'Box.area': 1, first: 2, second: 3, last: 1 }
        : { events: 9, undefined: 1 },
    )
  },
)

test.each(['', 'exports.run = undefined'])(
  'a module that left no function is loaded all the same: %j',
  async (text) => {
    const nothing = loadModule(text)
    await collectGarbage()
    const run = (): void => {}
    expect(await callsIn({ ...nothing, run }, true)).toEqual({ events: 0 })
    expect(await callsIn({ ...nothing, run }, false)).toEqual({ events: 0 })
  },
)

test('functions are found behind more places than V8 gives at once', async () => {
  const many = Array.from({ length: 1_500 }, (_, n) => `function f${n}() { return ${n} }`)
  const long = `function long() { ${'many();'.repeat(1_200)} }\nfunction many() {}`
  const all = `exports.all = [${many.map((_, n) => `f${n}`)}]` // what nothing holds is soon gone
  const run = 'exports.run = () => { f0(); f1499(); long() }'
  const loaded = loadModule([...many, long, all, run].join('\n'))
  expect(await callsIn(loaded, true)).toEqual({
    events: 1_204,
    f0: 1,
    f1499: 1,
    long: 1,
    many: 1_200,
  })
})
