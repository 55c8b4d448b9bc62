// SPDX-License-Identifier: Apache-2.0
// Lists and calls the weather example with the command line of the MCP Inspector: over stdio and HTTP,
// in both revisions. The Inspector needs a newer Node than we do; npx brings both.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { ROOT, runTool } from './run-command.mjs'
import { makeTempFolder } from './temp-folder.mjs'

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'
const NODE = 'node@24'
const EXAMPLE = join(ROOT, 'examples/weather/dist')
const TOKEN = 'token-of-this-check'
const LONGEST_MS = 120_000

runTool('tsc', ['-b', 'packages/core'])
runTool('tsc', ['-p', 'examples/weather'])
const home = makeTempFolder('inspector')
const inspector = findInspector()
let passed = 0

for (const era of ['legacy', 'modern']) {
  await check(`stdio, ${era}`, era, ['node', join(EXAMPLE, 'stdio.js')])
}
const server = await serve()
try {
  for (const era of ['legacy', 'modern']) {
    const header = `Authorization: Bearer ${TOKEN}`
    await check(`HTTP, ${era}`, era, ['--server-url', server.url, '--header', header])
  }
} finally {
  server.child.kill('SIGTERM')
  await server.ended
}
console.log(`\n${passed} checks by the Inspector passed`)

/** What the Inspector is told of the server stands first: its own flags would go to a program. */
async function check(name, era, target) {
  const ask = (...flags) => callInspector([...target, ...flags, '--protocol-era', era])
  const { tools } = ask('--method', 'tools/list', '--strict')
  assert.deepEqual(
    tools.map((tool) => tool.name),
    ['get_climate', 'list_cities'],
  )
  const args = JSON.stringify({ city: 'Zürich', month: 7 })
  const call = ['--method', 'tools/call', '--tool-name', 'get_climate', '--tool-args-json', args]
  const { structuredContent, _meta } = ask(...call)
  assert.deepEqual(structuredContent, { city: 'Zürich', month: 7, meanC: 19.5 })
  // The newer revision alone names the server in each result.
  assert.equal(_meta !== undefined, era === 'modern')
  passed += 1
  console.log(`ok ${name}`)
}

/** The paths of a newer Node and of the Inspector, installed by npx if they are not there. */
function findInspector() {
  const script = 'node -p process.execPath && command -v mcp-inspector'
  const { status, stdout, stderr } = spawnSync(
    'npx',
    ['--yes', '-p', NODE, '-p', INSPECTOR, '-c', script],
    { cwd: home, encoding: 'utf8', timeout: LONGEST_MS },
  )
  const [node, bin] = stdout.trim().split('\n')
  assert.ok(status === 0 && bin, `npx brought no Inspector:\n${stdout}${stderr}`)
  return { node, bin }
}

function callInspector(flags) {
  const all = [inspector.bin, '--cli', ...flags, '--format', 'json', '--quiet']
  const { status, stdout, stderr } = spawnSync(inspector.node, all, {
    cwd: home,
    encoding: 'utf8',
    timeout: LONGEST_MS,
    // It keeps a catalog and tokens in the home folder.
    env: { ...process.env, HOME: home },
  })
  assert.equal(
    status,
    0,
    `the Inspector ended with ${status}:\n${flags.join(' ')}\n${stdout}${stderr}`,
  )
  return JSON.parse(stdout).result
}

/** Starts the example as it is served, for clients of both revisions. */
async function serve() {
  const env = { WEATHER_TOKEN: TOKEN, WEATHER_OLDER_CLIENTS: '1', PORT: '0' }
  const child = spawn(process.execPath, [join(EXAMPLE, 'main.js')], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  let text = ''
  const address = await new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
      const [, found] = /listening at (http:\/\/127\.0\.0\.1:\d+)/.exec(text) ?? []
      if (found !== undefined) resolve(found)
    })
    ended.then(() => reject(new Error(`the example did not listen:\n${text}`)), reject)
  })
  return { child, ended, url: `${address}/mcp` }
}
