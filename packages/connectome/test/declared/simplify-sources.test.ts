// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ModuleFacts, OP } from '../../src/declared/facts/module-facts.ts'
import { simplify } from '../../src/declared/flow/simplify.ts'
import { classOf, differences, factsOf, functionOf, readFacts, toolOf } from './flat-program.ts'

const require = createRequire(import.meta.url)
const folder = fileURLToPath(new URL('../../src/declared/', import.meta.url))
const ours = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .sort()

const KINDS = `class Base { static made = []; #count = 0; constructor(x) { this.x = x } }
class Inner extends Base {
  field = () => this.x
  get later() { return super.x }
  static { this.made.push(Inner) }
  async *walk(...steps) { for await (const step of steps) yield* step(this) }
}
const { a, b: [c = a, ...rest], ...others } = make(...arguments_())
function arguments_() { return arguments }
let held = a; held = (c, rest) ?? others
if (held instanceof Inner) held.later()
try { tag\`\${held}\` } catch (error) { error(new Inner(held)) }
export { held as default, Inner }
export * from 'elsewhere'`

describe('a program with fewer variables', () => {
  test('holds in each what it held: every module of this folder', () => {
    const found: [path: string, differences: string[]][] = []
    let [before, after] = [0, 0]
    for (const path of ours) {
      const facts = readFacts(readFileSync(`${folder}${path}`, 'utf8'), path)
      const simplified = simplify(facts)
      const different = differences(facts, simplified)
      if (different.length > 0) found.push([path, different])
      before += facts.variables
      after += simplified.count
    }
    expect(found).toEqual([])
    expect(before).toBeGreaterThan(1000)
    expect(after).toBeLessThan(before * 0.9)
  })

  test.each(['fastify', 'graphology'])('holds in each what it held: CommonJS of %s', (name) => {
    const path = require.resolve(name)
    const facts = readFacts(readFileSync(path, 'utf8'), path, false)
    const simplified = simplify(facts)
    expect(differences(facts, simplified)).toEqual([])
    expect(simplified.count).toBeLessThan(facts.variables * 0.9)
  })

  test('holds in each what it held, whatever the syntax', () => {
    const facts = readFacts(KINDS)
    expect(differences(facts)).toEqual([])
    expect(simplify(facts).count).toBeLessThan(facts.variables)
  })

  test('holds in each what it held, whatever the instructions', () => {
    fc.assert(
      fc.property(factsArbitrary, (facts) => {
        expect(differences(facts)).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })
})

const VARIABLES = 8
const variable = fc.nat({ max: VARIABLES - 1 })
const source = fc.integer({ min: -3, max: VARIABLES - 1 })
const target = fc.integer({ min: -1, max: VARIABLES - 1 })
const op = (...code: readonly (number | fc.Arbitrary<number>)[]): fc.Arbitrary<number[]> =>
  fc.tuple(...code.map((one) => (typeof one === 'number' ? fc.constant(one) : one)))
const packed = fc.tuple(source, fc.nat({ max: 1 })).map(([one, spread]) => one * 2 + spread)

/** Mostly copies, as these are what is simplified. */
const instruction: fc.Arbitrary<number[]> = fc.oneof(
  { arbitrary: op(OP.copy, variable, source), weight: 6 },
  { arbitrary: op(OP.object, variable, 0), weight: 2 },
  op(OP.func, variable, 0),
  op(OP.cls, variable, 0),
  op(OP.load, variable, source, 0),
  op(OP.storeKey, source, source, source),
  op(OP.call, 0, source, target, 1, packed),
  op(OP.superCall, 0, source, source, target, 2, packed, packed),
  op(OP.escape, source),
  op(OP.typed, variable, source),
  op(OP.narrowed, variable, source, source),
)

const factArbitrary: fc.Arbitrary<Partial<ModuleFacts>> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 3 },
  fc
    .record({ parameters: fc.array(variable, { maxLength: 2 }), self: target, result: target })
    .map((fact) => ({ functions: [functionOf(fact)] })),
  fc
    .record({ rest: target, all: target, result: target })
    .map((fact) => ({ functions: [functionOf(fact)] })),
  fc
    .record({ base: source, prototype: variable, instance: variable })
    .map((fact) => ({ classes: [classOf(fact)] })),
  fc.record({ callee: source, handler: source }).map((fact) => ({ tools: [toolOf(fact)] })),
  fc.record({ module: variable, exports: variable }).map((commonjs) => ({ commonjs })),
)

const factsArbitrary: fc.Arbitrary<ModuleFacts> = fc
  .tuple(fc.array(instruction, { maxLength: 14 }), factArbitrary)
  .map(([code, more]) => factsOf(VARIABLES, code, more))
