// SPDX-License-Identifier: Apache-2.0
// CommonJS with prototypes, classes and compiled matchers.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

interface Router {
  on: (method: string | readonly string[], path: string, ...rest: readonly unknown[]) => void
  off: (method: string | readonly string[], path: string, constraints?: unknown) => void
  find: (method: string, path: string, constraints?: unknown) => unknown
  lookup: (request: unknown, response: unknown, context?: unknown) => unknown
  findRoute: (method: string, path: string, constraints?: unknown) => unknown
  hasRoute: (method: string, path: string) => boolean
  addConstraintStrategy: (strategy: unknown) => void
  hasConstraintStrategy: (name: string) => boolean
  prettyPrint: (options?: unknown) => string
  reset: () => void
  compile: () => void
  all: (path: string, handler: unknown) => void
  get: (path: string, ...rest: readonly unknown[]) => void
}

interface Create {
  (options?: unknown): Router
  readonly sanitizeUrlPath: (url: string, useSemicolonDelimiter?: boolean) => string
}

const handler = (): string => 'found'

const PATHS = [
  '/',
  '/a',
  '/a/:id',
  '/a/:id/b',
  '/files/*',
  '/at/:hour(^\\d+)h:minute',
  '/x/:one-:two',
  '/opt/:last?',
  '/Ünïcode/:ö',
]
const ASKED = [
  '/',
  '/a',
  '/a/7',
  '/a/7/b',
  '/files/x/y.txt',
  '/at/12h30',
  '/x/1-2',
  '/opt',
  '/opt/z',
  '/%C3%9Cn%C3%AFcode/1',
  '/none',
  '/a/%zz',
  '/a?q=1;b',
]

export function drive(): void {
  const create = require('find-my-way') as Create
  const router = create({
    defaultRoute: handler,
    onBadUrl: handler,
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    caseSensitive: false,
  })
  for (const path of PATHS) router.on('GET', path, handler, { store: true })
  router.on(['POST', 'PUT'], '/a', handler)
  router.all('/all', handler)
  router.get('/shorthand', handler)
  for (const url of ASKED) {
    router.find('GET', url)
    router.lookup({ method: 'GET', url, headers: { host: 'a.example' } }, {}, {})
  }
  router.prettyPrint()
  router.prettyPrint({ method: 'GET', commonPrefix: false, includeMeta: true })
  router.findRoute('GET', '/a/:id')
  router.hasRoute('GET', '/missing')
  router.off('GET', '/a')
  router.off(['POST'], '/a')
  constrain(create)
  router.reset()
  compiled(create)
}

function constrain(create: Create): void {
  const router = create()
  router.addConstraintStrategy({
    name: 'secret',
    storage: () => {
      const kept = new Map<unknown, unknown>()
      return {
        get: (key: unknown) => kept.get(key) ?? null,
        set: (key: unknown, value: unknown) => void kept.set(key, value),
      }
    },
    deriveConstraint: (request: { headers: Record<string, string> }) => request.headers['x-secret'],
    validate: () => {},
  })
  router.hasConstraintStrategy('secret')
  const constraints = [
    { host: 'a.example' },
    { host: /b\.example$/ },
    { version: '1.2.0' },
    { version: '2.x', host: 'a.example' },
    { secret: 'alpha' },
  ]
  for (const each of constraints) router.on('GET', '/c', { constraints: each }, handler)
  router.find('GET', '/c', { host: 'a.example' })
  router.find('GET', '/c', { host: 'z.b.example' })
  router.find('GET', '/c', { version: '1.x' })
  router.lookup(
    {
      method: 'GET',
      url: '/c',
      headers: { 'x-secret': 'alpha', host: 'a.example', 'accept-version': '1.2.0' },
    },
    {},
  )
  router.findRoute('GET', '/c', { version: '1.2.0' })
  router.off('GET', '/c', { version: '1.2.0' })
  router.prettyPrint()
}

/** The same routes by functions that the package writes itself, and the ways that others leave out. */
function compiled(create: Create): void {
  const router = create({
    maxParamLength: 8,
    onMaxParamLength: handler,
    useSemicolonDelimiter: true,
  })
  for (const path of PATHS) router.on('GET', path, handler)
  router.on('GET', '/v', { constraints: { version: '1.0.0' } }, handler)
  router.compile()
  for (const url of [...ASKED, 'https://a.example/a', '/a/long-parameter', '/v', '/a/%41%20b']) {
    router.find('GET', url, { version: '1.0.0' })
    router.lookup({ method: 'GET', url, headers: { 'accept-version': '1.x' } }, { end: handler })
    if (!url.includes('%z')) create.sanitizeUrlPath(url, true)
  }
  const later = create()
  later.addConstraintStrategy({
    name: 'late',
    storage: () => ({ get: () => handler, set: () => {} }),
    deriveConstraint: (
      _request: unknown,
      _context: unknown,
      done: (error: null, value: string) => void,
    ) => done(null, 'x'),
  })
  later.on('GET', '/l', { constraints: { late: 'x' } }, handler)
  later.lookup({ method: 'GET', url: '/l', headers: {} }, {}, () => {})
  later.lookup({ method: 'GET', url: '/none', headers: {} }, { end: () => {} })
  later.compile()
  later.lookup({ method: 'GET', url: '/l', headers: {} }, {}, () => {})
}
