// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT, readText } from './workspace.ts'

const MOST_LINES = 25
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const FOLDER = join(ROOT, 'test/dist/quick-start')
const COMPILER_OPTIONS = {
  target: 'ES2023',
  types: ['node'],
  module: 'nodenext',
  strict: true,
  skipLibCheck: true,
}

const program = /^```ts\n(.*?)^```$/ms.exec(readText('README.md'))?.[1] ?? ''

/** Compiles the program as a user would, beside packages that are built. */
async function compile(): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  // Any free port, since 3000 may be taken; nothing else is changed.
  writeFileSync(join(FOLDER, 'app.ts'), program.replace('port: 3000', 'port: 0'))
  const tsconfig = { compilerOptions: COMPILER_OPTIONS, files: ['app.ts'] }
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(tsconfig))
  await tsc('-b', join(ROOT, 'packages/core'))
  await tsc('-p', FOLDER)
}

async function tsc(...args: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [TSC, ...args]).catch(
    (error: { stdout?: string }) => {
      throw new Error(`it does not compile:\n${error.stdout}`)
    },
  )
}

describe('the quick start of README.md', () => {
  let server: ChildProcess
  let endpoint: URL

  beforeAll(async () => {
    await compile()
    server = spawn(process.execPath, ['app.js'], {
      cwd: FOLDER,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const { stdout } = server
    if (stdout === null) throw new Error('the program has no output')
    for await (const line of createInterface({ input: stdout })) {
      const [, address] = /^MCP at (http:\/\/127\.0\.0\.1:\d+\/mcp)$/.exec(line) ?? []
      if (address === undefined) continue
      endpoint = new URL(address)
      return
    }
    throw new Error('the program ended without saying where it serves')
  }, 60_000)

  afterAll(async () => {
    if (server === undefined || server.exitCode !== null || !server.kill('SIGKILL')) return
    await once(server, 'exit')
  })

  test(`has at most ${MOST_LINES} lines`, () => {
    const lines = program.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(5)
    expect(lines.length).toBeLessThanOrEqual(MOST_LINES)
    expect(program).toContain('port: 3000')
  })

  test('serves the official client', async () => {
    const [, token = ''] = /'(Bearer [^']+)'/.exec(program) ?? []
    const requestInit = { headers: { authorization: token } }
    const client = new Client(
      { name: 'quick-start', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit }))
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(['add'])
    const answer = await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } })
    expect(answer.structuredContent).toEqual({ sum: 5 })
    await client.close()
  })

  test('refuses everyone else', async () => {
    const { status } = await fetch(endpoint, { method: 'POST', body: '{}' })
    expect(status).toBe(403)
  })
})
