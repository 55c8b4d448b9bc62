// SPDX-License-Identifier: Apache-2.0
// What a program can tell of itself, in sloppy mode. Every line of it is compared with a plain run.
const seen = []
const note = (name, value) => seen.push([name, value])

function self() { return this === globalThis }
function strictSelf() { 'use strict'; return this === undefined }
note('this of a sloppy call', self())
note('this of a strict call', strictSelf())
note('this of a parenthesised member', ({ a: 1, m() { return this && this.a } }.m)())
note('this after a comma', (0, { m() { return this === globalThis } }.m)())

function count() { return arguments.length }
note('no arguments', count())
note('a trailing comma', count(1, 2,))
note('comments', count(1 /* one */, /* two */ 2 // end
))
note('spread', count(...[1, 2], 3, ...[4]))
function mapped(a) { arguments[0] = 9; return a }
note('mapped arguments', mapped(1))
note('length', [((a, b) => a).length, (function* (a, b) { yield b }).length, (function (a, b = 1) {}).length])
note('names', [(() => 1).name, (function named() {}).name, { m() {} }.m.name])

function Made() { return new.target === Made }
note('new.target', [new Made instanceof Made, Made()])
function Plain() { this.made = arguments.length }
note('new without parentheses', [(new Plain).made, new Plain().made, new Plain(1,).made])
note('new of a member', new ({ K: Plain }).K(1, 2).made)
note('new of a call', new (function () { return Plain })()(1) === undefined)

function direct(secret) { return eval('secret + 1') }
note('direct eval', direct(1))
note('indirect eval', (0, eval)('typeof secret'))
note('Function', new Function('a', 'return a + 1')(1))
note('with', (function () { with ({ x: 3, f() { return this.x } }) { return f() } })())

function source(a, /* note */ b) { return [a, b].map((each) => source.call(null, each)) }
note('toString', [String(source), `${(x) => note('y', x)}`, String(class A { m(a) { return new A } }), String(function* g(a) { yield g() })])
note('toString of a call', Function.prototype.toString.call(source))
note('own keys', Reflect.ownKeys(globalThis.Function.prototype).length)

note('optional', [undefined?.a.b(), ({ a: { b: () => 7 } })?.a.b(), null?.(1), ({}).m?.(), ({ m: { n: (x) => x } }).m?.n?.(5)])
let order = []
const step = (name) => { order.push(name); return (...given) => given.length }
step('callee')(order.push('first'), order.push('second'))
note('order', order)
order = []
note('getters run once', [({ get m() { order.push('got'); return () => 1 } }).m(), order.length])
try { undefined.m(note('never', 1)) } catch (error) { note('message', error.message) }
try { note.missing(1) } catch (error) { note('message', error.message) }
try { (void 0)() } catch (error) { note('message', error.name) }

function* counting(a, b = 2) { note('started', [a, b]); const got = yield a; note('got', got); return b }
const steps = counting(1)
note('before the first step', seen.length)
note('steps', [steps.next(), steps.next('sent'), steps.next()])
function* restful(...all) { yield* all }
note('rest', [...restful(1, 2)])
function* asking() { yield arguments.length }
note('arguments of a generator', [...asking(1, 2, 3)])
note('extra arguments of a generator', [...counting(1, 2, 3, 4)].length)
function* strictly() { 'use strict'; yield this === undefined }
note('directive of a generator', [...strictly()])

label: for (const each of [1, 2]) { if (each === 1) continue label; note('label', each) }
if (true) function inBlock() { return 'in a block' }
note('function in a block', typeof inBlock)
note('hoisted', hoisted()); function hoisted() { return 1 }
var twice = 1; function twice2() {} var twice2 = 2
note('var over function', [twice, twice2])
const tag = (parts, ...values) => [parts.raw, values]
note('tags', [tag`a\n`, tag`${1}b${2}`, { tag, x: 1, t() { return this.x } }.t`x`, ((x) => x)`y`.length])
note('tag identity', ((f) => f() === f())(() => ((parts) => parts)`z`))
Error.prepareStackTrace = (_error, frames) => frames.length
note('prepareStackTrace', [typeof new Error('x').stack, Error.stackTraceLimit])
delete Error.prepareStackTrace
note('stack', new Error('x').stack.split('\n')[0])
note('html', 1 <!-- a comment
)
note('recursion', (() => { let depth = 0; const down = () => { depth += 1; down() }; try { down() } catch (error) { return [error.name, depth > 500] } })())
const pending = (async () => { await null; note('after await', await Promise.all([1, (async () => 2)()])); for await (const each of (async function* (a) { yield a })(3)) note('for await', each) })()
module.exports = pending.then(() => seen)
