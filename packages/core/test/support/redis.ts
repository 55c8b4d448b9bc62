// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { findFreePort } from './nginx.ts'

const REDIS = '/usr/bin/redis-server'

/** A Redis server of the test's own, on 127.0.0.1, which keeps nothing. */
export interface RedisServer {
  readonly port: number
  /** Starts it again after `kill`, on the same port. */
  readonly start: () => Promise<void>
  /** Ends it without a word. */
  readonly kill: () => Promise<void>
  /** Makes it answer nobody, as one that no network reaches, until `thaw`. */
  readonly freeze: () => void
  readonly thaw: () => void
}

/** Runs a Redis server until the test is over. */
export async function startRedis(): Promise<RedisServer> {
  if (!existsSync(REDIS)) throw new Error(`${REDIS} is missing: apt-get install redis-server`)
  const folder = mkdtempSync(join(tmpdir(), 'redis-'))
  const port = await findFreePort()
  let running: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const options = { bind: '127.0.0.1', port, dir: folder, save: '', appendonly: 'no' }
    const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
    running = spawn(REDIS, flags, { stdio: ['ignore', 'pipe', 'inherit'] })
    await untilReady(running)
  }
  const kill = async (): Promise<void> => {
    if (running === undefined) return
    const isOver = once(running, 'exit')
    running.kill('SIGKILL')
    running = undefined
    await isOver
  }
  onTestFinished(async () => {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  })
  await start()
  return {
    port,
    start,
    kill,
    freeze: () => void running?.kill('SIGSTOP'),
    thaw: () => void running?.kill('SIGCONT'),
  }
}

function untilReady({ stdout }: ChildProcess): Promise<void> {
  if (stdout === null) throw new Error('redis-server has no output')
  const said: string[] = []
  const lines = createInterface({ input: stdout })
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      said.push(line)
      if (line.includes('Ready to accept connections')) resolve()
    })
    lines.on('close', () => reject(new Error(`redis-server ended:\n${said.join('\n')}`)))
  })
}
