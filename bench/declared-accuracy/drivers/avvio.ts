// SPDX-License-Identifier: Apache-2.0
// CommonJS with prototypes, and functions kept in queues.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

interface App {
  use: (plugin: unknown, options?: unknown) => App
  after: (then?: unknown) => App
  ready: (then?: unknown) => Promise<unknown>
  onClose: (then: unknown) => App
  close: (then?: unknown) => Promise<unknown>
  override?: (instance: unknown, plugin: unknown, options: unknown) => unknown
  prettyPrint: () => string
  toJSON: () => unknown
  on: (event: string, then: () => void) => void
}

type Boot = (server?: unknown, options?: unknown) => App

type Callback = (error?: unknown) => void

async function first(app: App): Promise<void> {
  app.use((_instance: unknown, _options: unknown, done: Callback) => done())
}

export async function drive(): Promise<void> {
  const boot = require('avvio') as Boot
  const app = boot()
  app.override = (instance) => Object.create(instance as object) as unknown
  app.on('start', () => {})
  app.use(first, { name: 'first' })
  app.use((instance: App, _options: unknown, done: Callback) => {
    instance.use(async () => {})
    instance.after((error: unknown, next: Callback) => next(error))
    setImmediate(done)
  })
  app.use(Promise.resolve({ default: async () => {} }))
  app.after(() => {})
  app.onClose((_instance: unknown, done: Callback) => done())
  app.onClose(async () => {})
  app.ready((_error: unknown, _context: unknown, done: Callback) => done())
  await app.ready()
  app.prettyPrint()
  app.toJSON()
  await app.close()
  await alone(boot)
  await refuse(boot)
  await expose(boot)
  await wait(boot)
}

/** Without `override` every plugin is handed the boot itself, and waits for those it loads. */
async function alone(boot: Boot): Promise<void> {
  const app = boot()
  app.use(async (instance: App) => {
    await instance.use(async () => {})
    await instance.after()
  })
  await app.ready()
  await app.close()
}

async function refuse(boot: Boot): Promise<void> {
  const failing = boot({}, { autostart: false, timeout: 50 }) as App & { start: () => void }
  failing.use((_instance: unknown, _options: unknown, done: Callback) => done(new Error('no')))
  failing.after((_error: unknown, done: Callback) => done())
  failing.start()
  await failing.ready().catch(() => {})
  await failing.close()
  try {
    boot().use('not a plugin')
  } catch {
    // Refused by its check, which is what is wanted.
  }
}

async function expose(boot: Boot): Promise<void> {
  const server: Record<string, unknown> = {}
  const app = boot(server, { expose: { use: 'register', ready: 'boot' } })
  const register = server['register'] as (plugin: unknown, options?: unknown) => unknown
  register.call(
    server,
    async () => {},
    () => ({ computed: true }),
  )
  await app.ready()
  await app.close()
}

async function wait(boot: Boot): Promise<void> {
  const app = boot({}, { timeout: 20 }) as App & PromiseLike<unknown>
  app.use(async (instance: App & PromiseLike<unknown>) => {
    await instance.use(async () => {})
    await instance.after()
  })
  await app
  app.ready((_error: unknown, done: Callback) => done())
  app.ready(async () => {})
  app.ready((_error: unknown, _context: unknown, done: Callback) => setTimeout(done, 40))
  await app.ready().catch(() => {})
  app.onClose((_instance: unknown) => Promise.resolve())
  app.close((_error: unknown, _instance: unknown, done: Callback) => done())
  await app.close()
  const late = boot({}, { timeout: 10 })
  late.after((_error: unknown, _done: Callback) => {})
  await late.ready().catch(() => {})
  const slow = boot({}, { timeout: 10 })
  slow.use((_instance: unknown, _options: unknown, _done: Callback) => {})
  await slow.ready().catch(() => {})
}
