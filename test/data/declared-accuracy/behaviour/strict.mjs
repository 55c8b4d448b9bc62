#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
// What a program can tell of itself, in classes and modules.
const seen = []
const note = (name, value) => seen.push([name, value])

class Base {
  static made = note('static field', new.target === undefined)
  static { note('static block', this === Base) }
  #secret = this.start(1)
  field = () => this
  constructor(...given) { this.given = given.length; note('new.target', new.target.name) }
  start(x) { return x + 1 }
  #hidden(y) { return this.#secret + y }
  reveal() { return this.#hidden(1) + this?.#hidden(2) }
  static of(...given) { return new this(...given) }
  get double() { return this.start(2) }
  set double(value) { this.kept = this.start(value) }
  async later(z) { await z; return super.toString.call(this) }
  *walk() { yield this.start(3) }
  [`comp${note('computed key', 1)}`](a) { return a }
}
class Child extends Base {
  extra = super.start(5)
  constructor(a, b) { super(a, b, ...[3]); this.after = super.start(1) }
  start(x) { return super.start(x) * 2 }
  static of(...given) { return super.of(...given) }
  walk() { return [...super.walk()] }
}
class Silent extends Child {}
const child = Child.of(1, 2)
note('child', [child.given, child.extra, child.after, child.reveal(), child.double, child.walk(), child.field() === child])
child.double = 4
note('setter', child.kept)
note('silent', [new Silent().given, Silent.length, Silent.name, new (class extends null { constructor() { return {} } })() !== null])
note('toString', [String(Child), String(Base.prototype.start), String(child.field), String(Silent)])
note('async', await child.later())
note('arrows', [(() => ({ a: 1 }))().a, ((a) => a)(3), (() => () => (b) => new Base)()()().given])
note('name of a default', (await import('./other.mjs')).default.name)
note('import with options', (await import('./other.mjs', {})).value)
note('meta', typeof import.meta.url)
note('proxy', new Proxy(function f() {}, { apply: (_target, self, given) => [self, given.length] })(1, 2))
note('live', (await import('./other.mjs')).bump() + (await import('./other.mjs')).count)
note('reflect', Reflect.construct(Base, [1, 2], Child).given)
note('destructuring', (({ a, ...rest } = { a: 1, b: 2 }, [c = note.length] = []) => [a, rest, c])())
note('sort', [3, 1, 2].sort((a, b) => a - b))
note('throw', (() => { try { (() => { throw new TypeError('x') })() } catch ({ message }) { return message } finally { note('finally', 1) } })())
export default Promise.resolve(seen)
