// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { build, callsOf, type Files, listedOf } from './fixture.ts'

interface Form {
  readonly files: Files
  /** All calls there are, and no other. */
  readonly calls: readonly string[]
  readonly listed?: readonly string[]
}

/** A module that calls something of `lib.js` in a function `run`. */
const calling = (main: string, lib: string): Files => ({ 'main.js': main, 'lib.js': lib })
const F = 'export function f() {}'
const RUN_F = ['main.js#run -> lib.js#f']
const CJS = { 'package.json': '{ "name": "app" }' }

const FORMS: Readonly<Record<string, Form>> = {
  'a named import': {
    files: calling(`import { f } from './lib.js'\nexport function run() { f() }`, F),
    calls: RUN_F,
  },
  'a named import under another name': {
    files: calling(`import { f as g } from './lib.js'\nexport function run() { g() }`, F),
    calls: RUN_F,
  },
  'a namespace import': {
    files: calling(`import * as lib from './lib.js'\nexport function run() { lib.f() }`, F),
    calls: RUN_F,
  },
  'a default import, whose function is `default`': {
    files: calling(
      `import d from './lib.js'\nexport function run() { d() }`,
      'export default function named() {}',
    ),
    calls: ['main.js#run -> lib.js#default'],
  },
  'a re-export under another name': {
    files: {
      ...calling(
        `import { g } from './lib.js'\nexport function run() { g() }`,
        `export { f as g } from './deep.js'`,
      ),
      'deep.js': F,
    },
    calls: ['main.js#run -> deep.js#f'],
  },
  'a barrel of `export *`': {
    files: {
      ...calling(
        `import { f } from './lib.js'\nexport function run() { f() }`,
        `export * from './deep.js'\nexport * from './other.js'`,
      ),
      'deep.js': F,
      'other.js': 'export function g() {}',
    },
    calls: ['main.js#run -> deep.js#f'],
  },
  'a namespace that is exported by name': {
    files: {
      ...calling(
        `import { deep } from './lib.js'\nexport function run() { deep.f() }`,
        `export * as deep from './deep.js'`,
      ),
      'deep.js': F,
    },
    calls: ['main.js#run -> deep.js#f'],
  },
  'a dynamic import of a literal, awaited': {
    files: calling(
      `export async function run() { const { f } = await import('./lib.js'); f() }`,
      F,
    ),
    calls: RUN_F,
  },
  'an arrow in a constant, and a function in a constant': {
    files: {
      'main.js': 'const a = () => b()\nconst b = function () {}\nexport function run() { a() }',
    },
    calls: ['main.js#a -> main.js#b', 'main.js#run -> main.js#a'],
  },
  'a function of an object literal, by name and by a constant name': {
    files: {
      'main.js': `const K = 'g'\nconst o = { f() {}, g: () => {} }\nexport function run() { o.f(); o[K](); o['f']() }`,
    },
    calls: ['main.js#run -> main.js#o.f', 'main.js#run -> main.js#o.g'],
  },
  'a method of an instance, of a base class and of `super`': {
    files: {
      'main.js': `class A { m() {} n() {} }
class B extends A { constructor() { super(); this.m() } n() { super.n() } }
export function run() { const b = new B(); b.n() }`,
    },
    calls: [
      'main.js#B.constructor -> main.js#A.m',
      'main.js#B.n -> main.js#A.n',
      'main.js#run -> main.js#B.constructor',
      'main.js#run -> main.js#B.n',
    ],
  },
  'static, private and symbol members of a class': {
    files: {
      'main.js': `const k = Symbol('k')
class A { static s() {} #p() {} [k]() {} go() { this.#p(); this[k]() } }
export function run() { A.s(); new A().go() }`,
    },
    calls: [
      'main.js#A.go -> main.js#A.#p',
      'main.js#A.go -> main.js#A.[k]',
      'main.js#run -> main.js#A.go',
      'main.js#run -> main.js#A.s',
    ],
  },
  'a field that holds a function, and initialisers that call': {
    files: {
      'main.js': `function one() { return 1 }
class A { x = one(); h = () => one() }
export function run() { new A().h() }`,
    },
    calls: [
      'main.js#A.constructor -> main.js#one',
      'main.js#A.h -> main.js#one',
      'main.js#run -> main.js#A.constructor',
      'main.js#run -> main.js#A.h',
    ],
  },
  'a function that is handed to a builtin': {
    files: { 'main.js': 'function f() {}\nexport function run() { [1].map(f) }' },
    calls: ['main.js#run -> main.js#f'],
  },
  'a parameter, where every call of the function is known': {
    files: {
      'main.js': 'function f() {}\nfunction twice(g) { g() }\nexport function run() { twice(f) }',
    },
    calls: ['main.js#run -> main.js#twice', 'main.js#twice -> main.js#f'],
  },
  '`call`, `apply` and `bind`': {
    files: {
      'main.js':
        'function f() {}\nfunction g() {}\nfunction h() {}\nexport function run() { f.call(1); g.apply(1, []); const b = h.bind(1); b() }',
    },
    calls: ['main.js#run -> main.js#f', 'main.js#run -> main.js#g', 'main.js#run -> main.js#h'],
  },
  'a template tag, an optional call and a comma callee': {
    files: {
      'main.js':
        'function t() {}\nfunction f() {}\nconst o = { g() {} }\nexport function run() { t`x`; f?.(); (0, o.g)() }',
    },
    calls: ['main.js#run -> main.js#f', 'main.js#run -> main.js#o.g', 'main.js#run -> main.js#t'],
  },
  'functions that are called where they stand': {
    files: { 'main.js': 'function f() {}\n;(function () { f() })()\n;(() => { f() })()' },
    calls: ['main.js#(module) -> main.js#(module)', 'main.js#(module) -> main.js#f'],
  },
  'a promise: `await`, `then` and an async function': {
    files: {
      'main.js':
        'function f() {}\nasync function give() { return f }\nexport async function run() { (await give())(); give().then((g) => g()) }',
    },
    calls: [
      'main.js#run -> main.js#f',
      'main.js#run -> main.js#give',
      'main.js#run -> main.js#run',
    ],
  },
  'functions in lists and maps': {
    files: {
      'main.js':
        'function f() {}\nconst all = [f]\nconst map = new Map([["f", f]])\nexport function run() { for (const g of all) g(); map.get("f")() }',
    },
    calls: ['main.js#run -> main.js#f'],
  },
  'CommonJS: `exports.x`, destructured `require`, `this`': {
    files: {
      ...CJS,
      'main.js': `const { f } = require('./lib')\nconst lib = require('./lib')\nexports.run = function () { f(); lib.g() }`,
      'lib.js': 'exports.f = function () {}\nmodule.exports.g = () => {}',
    },
    calls: ['main.js#run -> lib.js#f', 'main.js#run -> lib.js#g'],
  },
  'CommonJS: `module.exports` of a function and of an object': {
    files: {
      ...CJS,
      'main.js': `const d = require('./one')\nconst { h } = require('./two')\nmodule.exports = { run() { d(); h() } }`,
      'one.js': 'module.exports = function () {}',
      'two.js': 'function h() {}\nmodule.exports = { h }',
    },
    calls: ['main.js#run -> one.js#default', 'main.js#run -> two.js#h'],
  },
  'CommonJS: prototypes and `util.inherits`': {
    files: {
      ...CJS,
      'main.js': `const { inherits } = require('util')
function A() {}
A.prototype.m = function () {}
function B() { A.call(this) }
inherits(B, A)
B.prototype.n = function () { this.m() }
exports.run = function () { new B().n() }`,
    },
    calls: [
      'main.js#B -> main.js#A',
      'main.js#B.n -> main.js#A.m',
      'main.js#run -> main.js#B',
      'main.js#run -> main.js#B.n',
    ],
  },
  'an ES module that imports CommonJS by name and as a whole': {
    files: {
      'main.js': `import whole, { f } from './lib.cjs'\nexport function run() { f(); whole.g() }`,
      'lib.cjs': 'exports.f = () => {}\nexports.g = () => {}',
    },
    calls: ['main.js#run -> lib.cjs#f', 'main.js#run -> lib.cjs#g'],
  },
  'what TypeScript compiles to CommonJS': {
    files: {
      ...CJS,
      'main.js': `"use strict";
var __importDefault = (this && this.__importDefault) || function (mod) { return (mod && mod.__esModule) ? mod : { "default": mod }; };
Object.defineProperty(exports, "__esModule", { value: true });
exports.run = run;
const lib_1 = __importDefault(require("./lib"));
const all_1 = require("./all");
function run() { (0, lib_1.default)(); (0, all_1.g)(); }`,
      'lib.js': `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.default = d;
function d() { }`,
      'all.js': `"use strict";
var __exportStar = (this && this.__exportStar) || function(m, exports) { for (var p in m) exports[p] = m[p]; };
Object.defineProperty(exports, "__esModule", { value: true });
__exportStar(require("./deep"), exports);`,
      'deep.js': `"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.g = void 0;
const g = () => { };
exports.g = g;`,
    },
    calls: [
      'all.js#(module) -> all.js#__exportStar',
      'main.js#(module) -> main.js#__importDefault',
      'main.js#run -> deep.js#g',
      'main.js#run -> lib.js#d',
    ],
  },
  'TypeScript: declared classes of parameters and fields': {
    files: {
      'main.ts': `import { Store } from './store.js'
export function run(store: Store): void { store.get() }
export class User { constructor(private readonly store: Store) {} go(): void { this.store.get() } }`,
      'store.ts': 'export class Store { get(): void {} }',
    },
    calls: ['main.ts#User.go -> store.ts#Store.get', 'main.ts#run -> store.ts#Store.get'],
  },
  'TypeScript: namespaces, enums, `import =`, casts and overloads': {
    files: {
      ...CJS,
      'main.ts': `import lib = require('./lib.js')
enum E { A = 1 }
namespace N { export function f(): number { return E.A } }
function o(x: string): void
function o(x: unknown): void {}
export function run(): void { N.f(); (lib as typeof lib)!.g(); o(1) }`,
      'lib.ts': 'export function g(): void {}',
    },
    calls: ['main.ts#run -> lib.ts#g', 'main.ts#run -> main.ts#f', 'main.ts#run -> main.ts#o'],
  },
  TSX: {
    files: {
      'main.tsx':
        'function f() { return 1 }\nexport function run() { return <p title="x">{f()}</p> }',
    },
    calls: ['main.tsx#run -> main.tsx#f'],
  },
  'a getter and a setter have no call site, and the code in them does': {
    files: {
      'main.js': 'function f() {}\nexport class A { get x() { f(); return 1 } set x(v) { f() } }',
    },
    calls: ['main.js#A.x -> main.js#f'],
  },
  'lists in a list that is made flat': {
    files: {
      'main.js':
        'const f = { m() {} }\nexport function run() { for (const one of [[f]].flat()) one.m() }',
    },
    calls: ['main.js#run -> main.js#f.m'],
  },
  'a function that calls itself': {
    files: { 'main.js': 'export function run() { run() }' },
    calls: ['main.js#run -> main.js#run'],
  },
}

describe('a call is followed through', () => {
  test.each(Object.entries(FORMS))('%s', async (_name, { files, calls, listed = [] }) => {
    const declared = await build(files)
    const found = [...new Set(callsOf(declared))].sort()
    expect({ calls: found, listed: listedOf(declared) }).toEqual({
      calls,
      listed,
    })
  })
})
