// SPDX-License-Identifier: Apache-2.0
import { BEAM_ERR_CATALOG_INVALID } from '../errors.ts'
import { cutText } from '../protocol/echo.ts'
import { type Logger, logSafely } from '../protocol/logger.ts'
import { isThenable } from '../protocol/plain.ts'
import type { Awaitable, Capabilities, Catalog } from './catalog.ts'
import { type CompiledCatalog, createCatalogCompiler } from './compile-catalog.ts'
import type { CatalogContext } from './context.ts'
import { checkReaders, readCapabilities } from './read-capabilities.ts'

/** Asks the host's catalog and hands out its compiled form. */
export interface CatalogAccess {
  /**
   * Asks `capabilities` once without a principal and compiles what it answers.
   *
   * @throws BEAM_ERR_CATALOG_INVALID, BEAM_ERR_CATALOG_ENTRY, BEAM_ERR_SCHEMA_UNSUPPORTED
   */
  readonly check: () => Promise<void>
  /** The catalog for one request. Throws as `check` does: a host fault of that request. */
  readonly current: (context: CatalogContext) => Awaitable<CompiledCatalog>
}

/** A compiled answer, and what shows that its object was changed in place since. */
interface Known {
  readonly compiled: CompiledCatalog
  readonly lists: readonly (readonly unknown[])[]
  readonly lengths: readonly number[]
}

/**
 * @param isPublic  whether a list may be cached for everyone: the principal is then withheld
 * @param maxValueBytes  the longest value a caller can send
 */
export function createCatalogAccess(
  catalog: Catalog,
  options: { readonly isPublic: boolean; readonly maxValueBytes: number; readonly log: Logger },
): CatalogAccess {
  const compiler = createCatalogCompiler(options.maxValueBytes)
  const known = new WeakMap<Capabilities, Known>()
  const noticeRebuilding = createRebuildNotice(options.log)
  const compiledOf = (answer: unknown): CompiledCatalog => {
    const capabilities = readCapabilities(answer)
    const before = known.get(capabilities)
    if (before !== undefined && isUnchanged(before, capabilities)) return before.compiled
    checkReaders(catalog, capabilities)
    const compiled = compiler.compile(capabilities)
    noticeRebuilding(compiled, capabilities)
    known.set(capabilities, { compiled, ...fingerprint(capabilities) })
    return compiled
  }
  return {
    check: async () => {
      const { tools } = compiledOf(await askAtStart(catalog))
      for (const { name } of tools.values()) warnOfName(options.log, name)
    },
    current: (context) => {
      const answer: unknown = catalog.capabilities(options.isPublic ? withheld(context) : context)
      return isThenable(answer)
        ? Promise.resolve(answer as PromiseLike<unknown>).then(compiledOf)
        : compiledOf(answer)
    },
  }
}

const PLAIN_NAME = /^[A-Za-z0-9_.-]{1,128}$/

/** A name outside the advice is served all the same, but not every client takes it. @see TOOL-06 */
function warnOfName(log: Logger, name: string): void {
  if (PLAIN_NAME.test(name)) return
  const bindings = { tool: cutText(name) }
  logSafely(
    log,
    'warn',
    bindings,
    'A tool name is not 1 to 128 of A-Z, a-z, 0-9, _, . and -; some clients refuse such tools, so rename it',
  )
}

async function askAtStart(catalog: Catalog): Promise<unknown> {
  try {
    return await catalog.capabilities({ principal: undefined })
  } catch (thrown) {
    const error = new BEAM_ERR_CATALOG_INVALID(
      'capabilities() failed when it was asked at start-up, without a principal',
    )
    error.cause = thrown
    throw error
  }
}

/** What a public list is built from: nothing of the caller. */
function withheld({ transport }: CatalogContext): CatalogContext {
  return { principal: undefined, ...(transport && { transport }) }
}

function fingerprint(capabilities: Capabilities): Omit<Known, 'compiled'> {
  const lists = [capabilities.tools, capabilities.resources, capabilities.prompts]
  return { lists, lengths: lists.map((list) => list.length) }
}

function isUnchanged({ lists, lengths }: Known, now: Capabilities): boolean {
  return (
    lists[0] === now.tools &&
    lists[1] === now.resources &&
    lists[2] === now.prompts &&
    lengths[0] === now.tools.length &&
    lengths[1] === now.resources.length &&
    lengths[2] === now.prompts.length
  )
}

/** Warns once of a host that answers an unchanged catalog in objects made anew on every call. */
function createRebuildNotice(
  log: Logger,
): (compiled: CompiledCatalog, capabilities: Capabilities) => void {
  let last: { readonly text: string; readonly specs: ReadonlySet<unknown> } | undefined
  let isWarned = false
  return (compiled, { tools, resources, prompts }) => {
    if (isWarned) return
    const specs = new Set<unknown>([...tools, ...resources, ...prompts])
    const text = textOf(compiled)
    const isRebuilt =
      last !== undefined && specs.size > 0 && last.text === text && sharesNone(specs, last.specs)
    last = { text, specs }
    if (!isRebuilt) return
    isWarned = true
    logSafely(
      log,
      'warn',
      {},
      'capabilities() builds the same catalog from new objects on every call, so that nothing compiled can be kept; answer the same objects while nothing has changed',
    )
  }
}

function textOf({ toolsJson, resources, templates, prompts }: CompiledCatalog): string {
  const entries = [...resources.entries, ...templates.entries, ...prompts.entries]
  return [toolsJson.full, ...entries.map(({ json }) => json)].join('\n')
}

function sharesNone(a: ReadonlySet<unknown>, b: ReadonlySet<unknown>): boolean {
  for (const item of a) if (b.has(item)) return false
  return true
}
