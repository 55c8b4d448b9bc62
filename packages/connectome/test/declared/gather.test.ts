// SPDX-License-Identifier: Apache-2.0
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadParser, type ParseSource } from '../../src/declared/facts/parse-source.ts'
import { gatherModules } from '../../src/declared/scope/gather-modules.ts'
import { loadResolver } from '../../src/declared/scope/resolve-module.ts'
import { writeFiles } from './fixture.ts'

const NAMES = Array.from({ length: 40 }, (_, place) => `m${String(place).padStart(2, '0')}.js`)

/** Forty modules of a package, of which the first asks for all others. */
function writeModules(text = ''): { folder: string; entry: string } {
  const [first = '', ...others] = NAMES
  const imports = others.map((name) => `import './${name}'`).join('\n')
  const files = Object.fromEntries(others.map((name) => [name, `export const a = 1 // ${text}`]))
  const folder = writeFiles({ ...files, [first]: imports })
  return { folder, entry: join(folder, first) }
}

async function gather(entry: string, wrap: (parse: ParseSource) => ParseSource) {
  const parse = wrap(await loadParser())
  return gatherModules([entry], ['app'], { parse, resolve: await loadResolver() })
}

/** Lets a parser answer what it has at hand, the last first. */
function backwards(parse: ParseSource): ParseSource {
  const waiting: (() => void)[] = []
  return async (...given) => {
    const parsed = await parse(...given)
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      void setImmediate().then(() => waiting.pop()?.())
    })
    return parsed
  }
}

const idOf = (name: string): string => `app/${name}`

describe('files that are parsed at a time', () => {
  test('are taken in by the order in which they were found, whichever is parsed first', async () => {
    const { entry } = writeModules()
    const plain = await gather(entry, (parse) => parse)
    const turned = await gather(entry, backwards)
    expect(turned.modules).toEqual(plain.modules)
    expect(plain.modules.map(({ id }) => id)).toEqual(NAMES.map(idOf))
  })

  test.each([
    ['sixteen of short ones', '', 16],
    ['as many as a mebibyte of text', 'x'.repeat(300_000), 4],
  ])('are at most %s', async (_, text, most) => {
    const { entry } = writeModules(text)
    let now = 0 // begun, and not taken in yet
    const seen: number[] = []
    const { modules } = await gather(entry, (parse) => async (...given) => {
      seen.push(++now)
      const parsed = await parse(...given)
      if ('reason' in parsed) return parsed
      const { isModule } = parsed
      return {
        isModule,
        get program() {
          now--
          return parsed.program
        },
      }
    })
    expect(now).toBe(0)
    expect(modules).toHaveLength(NAMES.length)
    expect(Math.max(...seen)).toBe(most)
    expect(Math.max(...seen.slice(20))).toBe(most) // and not for the first of them alone
  })

  test('may vanish before their turn, and are listed', async () => {
    const { folder, entry } = writeModules()
    const gone = NAMES.at(-1) ?? ''
    const { modules, unparsed, unreadable } = await gather(entry, (parse) => (path, ...given) => {
      if (path.endsWith('m01.js')) rmSync(join(folder, gone))
      return parse(path, ...given)
    })
    expect(modules.map(({ id }) => id)).toEqual(NAMES.slice(0, -1).map(idOf))
    expect(unparsed).toMatchObject([{ module: idOf(gone), reason: 'unreadable' }])
    expect(unreadable).toEqual([join(folder, gone)])
  })

  test('fail as one where the parser fails, with nothing left that nobody waits for', async () => {
    const { entry } = writeModules()
    const unhandled: unknown[] = []
    const hear = (reason: unknown): void => void unhandled.push(reason)
    process.on('unhandledRejection', hear)
    onTestFinished(() => void process.off('unhandledRejection', hear))
    const failing = gather(entry, (parse) => async (path, ...given) => {
      const place = NAMES.findIndex((name) => path.endsWith(name))
      if (place === 9) await setImmediate()
      if (place >= 9) throw new Error(`no parser for ${NAMES[place]}`)
      return parse(path, ...given)
    })
    await expect(failing).rejects.toThrow('no parser for m09.js')
    await setImmediate()
    expect(unhandled).toEqual([])
  })
})
