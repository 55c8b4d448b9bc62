// SPDX-License-Identifier: Apache-2.0
// Runs the demo as a person does: once, until Ctrl-C, and in copies where one answer is wrong.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ROOT, runTool } from './run-command.mjs'
import { makeTempFolder } from './temp-folder.mjs'

const EXAMPLE = join(ROOT, 'examples/weather')
const LONGEST_MS = 120_000

/** Changes of the built example, each of which makes one answer wrong. */
const WRONG = [
  { file: 'climate.js', from: '15.5, 17.5, 16.5', to: '15.5, 18.5, 16.5', shows: 'tools/call' },
  { file: 'climate.js', from: "city: 'Zürich'", to: "city: 'Zurich'", shows: 'resources/read' },
  { file: 'catalog.js', from: "'list_cities'", to: "'list_towns'", shows: 'tools/list' },
  {
    file: 'catalog.js',
    from: '({ city, month }) => `',
    to: '({ month }, { city }) => `',
    shows: 'prompts/get',
  },
  { file: 'catalog.js', from: '{ city: station.city, month, meanC', to: '{ meanC', shows: '' },
  { file: 'app.js', from: 'status: 401', to: 'status: 403', shows: 'a refusal: no token' },
]

if (process.platform === 'win32') throw new Error('this check needs the signals of a POSIX system')
let passed = 0
await check('npm run demo -- --once ends with 0', runsOnce)
for (const signal of ['SIGINT', 'SIGTERM']) {
  await check(`${signal} ends npm run demo with 0 and leaves no process`, () => endsWith(signal))
}
runTool('tsc', ['-b', 'packages/core'])
runTool('tsc', ['-p', 'examples/weather'])
for (const change of WRONG) {
  await check(`a wrong answer ends the demo with 1: ${change.to}`, () => tellsOf(change))
}
console.log(`\n${passed} checks of the demo passed`)

async function check(name, body) {
  await body()
  passed += 1
  console.log(`ok ${name}`)
}

async function runsOnce() {
  const { ended, output } = start('npm', ['run', 'demo', '--', '--once'])
  assert.deepEqual(await ended, [0, null], output())
  assert.match(output(), /Building.*Starting.*ok {4}server\/discover.*Every answer is right/s)
}

async function endsWith(signal) {
  const { child, ended, output, says } = start('npm', ['run', 'demo'])
  await says('Still serving')
  const [, endpoint = '', token = ''] =
    /Still serving at (\S+); the token is (\w+)\./.exec(output()) ?? []
  const served = await fetch(endpoint, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(served.status, 405)
  // A terminal sends Ctrl-C to every process of the group.
  process.kill(-child.pid, signal)
  assert.deepEqual(await ended, [0, null], output())
  await assertNobodyLeft(child.pid)
  await assert.rejects(fetch(endpoint), TypeError)
}

async function tellsOf({ file, from, to, shows }) {
  const copy = makeTempFolder('wrong-demo')
  for (const name of ['dist', 'package.json']) {
    cpSync(join(EXAMPLE, name), join(copy, name), { recursive: true })
  }
  symlinkSync(join(EXAMPLE, 'node_modules'), join(copy, 'node_modules'))
  const path = join(copy, 'dist', file)
  const before = readFileSync(path, 'utf8')
  const after = before.replace(from, to)
  assert.notEqual(after, before, `${file} has no ${from}`)
  writeFileSync(path, after)
  const { ended, output } = start(process.execPath, ['dist/demo.js', '--once'], copy)
  assert.deepEqual(await ended, [1, null], output())
  if (shows !== '')
    assert.match(output(), new RegExp(`WRONG ${shows}.*1 answer\\(s\\) are wrong`, 's'))
}

/** Starts a command in a process group of its own, so that a signal can reach all of it. */
function start(command, args, cwd = ROOT) {
  const child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  const listeners = new Set()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
      for (const listener of listeners) listener()
    })
  }
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), LONGEST_MS)
  const ended = once(child, 'close').finally(() => clearTimeout(timer))
  const says = (wanted) =>
    new Promise((resolve, reject) => {
      const look = () => text.includes(wanted) && resolve()
      listeners.add(look)
      ended.then(() => reject(new Error(`ended without saying ${wanted}:\n${text}`)), reject)
      look()
    })
  return { child, ended, says, output: () => text }
}

/** The last of a group may take a moment to be reaped. */
async function assertNobodyLeft(group) {
  for (let tries = 0; tries < 50; tries += 1) {
    try {
      process.kill(-group, 0)
    } catch (error) {
      assert.equal(error.code, 'ESRCH')
      return
    }
    await delay(100)
  }
  process.kill(-group, 'SIGKILL')
  assert.fail('a process of the demo is left')
}
