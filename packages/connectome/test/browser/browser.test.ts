// SPDX-License-Identifier: Apache-2.0
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundle } from '../bundle.ts'
import { report } from '../s12/graph.ts'
import type { Found } from './main.ts'

/** The little of playwright-core that is used here; its own types need those of a page. */
interface Playwright {
  readonly chromium: {
    launch(options: {
      readonly executablePath: string
      readonly args: readonly string[]
    }): Promise<{
      newPage(): Promise<Page>
      close(): Promise<void>
    }>
  }
}

interface Page {
  goto(url: string): Promise<unknown>
  waitForFunction(expression: string): Promise<unknown>
  evaluate(expression: string): Promise<unknown>
}

const require = createRequire(import.meta.url)
const { chromium } = require('playwright-core') as Playwright // it has these members

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

function findChromium(): string {
  const found = CHROMIUM.find((path) => existsSync(path))
  if (found !== undefined) return found
  throw new Error('No Chromium found: install the Debian package chromium')
}

/** The number of vectors in the files, one for the published examples. */
function countVectors(): number {
  const folder = new URL('../data/', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files.reduce((sum, name) => {
    const { cases } = JSON.parse(readFileSync(new URL(name, folder), 'utf8'))
    return sum + (cases?.length ?? 1)
  }, 0)
}

async function servePage(script: string): Promise<Server> {
  const page = '<!doctype html><meta charset="utf-8"><script type="module" src="/main.js"></script>'
  const server = createServer((request, response) => {
    const isScript = request.url === '/main.js'
    response.setHeader('content-type', isScript ? 'text/javascript; charset=utf-8' : 'text/html')
    response.end(isScript ? script : page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return server
}

describe('the package in a browser', () => {
  let server: Server
  beforeAll(async () => {
    server = await servePage(await bundle('./browser/main.ts', 'browser'))
  })
  afterAll(() => {
    server.close()
  })

  test('holds every vector in Chromium, with the portable digests', {
    timeout: 120_000,
  }, async () => {
    const browser = await chromium.launch({ executablePath: findChromium(), args: ARGUMENTS })
    try {
      const page = await browser.newPage()
      const { port } = server.address() as AddressInfo // it listens on a port
      await page.goto(`http://127.0.0.1:${port}/`)
      await page.waitForFunction('globalThis.found !== undefined')
      const expected: Found = {
        cases: countVectors(),
        failed: [],
        hasNodeCrypto: false,
        bytes: report(),
      }
      expect(await page.evaluate('globalThis.found')).toEqual(expected)
    } finally {
      await browser.close()
    }
  })
})
