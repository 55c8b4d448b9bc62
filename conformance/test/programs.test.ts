// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findNode } from '../runner/find-node.ts'
import { startHarness } from '../runner/start-harness.ts'

const folder = mkdtempSync(join(tmpdir(), 'harness-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Writes a script and starts it as if it were the harness. */
function start(name: string, source: string) {
  const script = join(folder, `${name}.mjs`)
  writeFileSync(script, source)
  return startHarness(process.execPath, script)
}

describe('the harness in a process of its own', () => {
  test('is handed a port, is there when it says so, and ends when it is stopped', async () => {
    const { url, stop } = await start(
      'serves',
      `import { createServer } from 'node:http'
      const port = Number(process.argv[2])
      createServer((_request, response) => response.end('here')).listen(port, '127.0.0.1', () => {
        console.log('a line of no meaning')
        console.log('MCP at http://127.0.0.1:' + port + '/mcp')
      })`,
    )
    expect(await (await fetch(url, { headers: { connection: 'close' } })).text()).toBe('here')
    await stop()
    await expect(fetch(url)).rejects.toThrow()
  })

  test('is an error where it ends before it listens', async () => {
    await expect(start('ends', 'process.exit(7)')).rejects.toThrow('ended with 7')
  })

  test('is an error where its Node is not there', async () => {
    await expect(startHarness(join(folder, 'node'), 'serve.js')).rejects.toThrow('ENOENT')
  })
})

test('this Node is found without looking for it', () => {
  const major = Number(process.versions.node.split('.')[0])
  expect(findNode(major)).toEqual({ path: process.execPath, version: process.version })
})
