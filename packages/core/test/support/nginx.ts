// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'

const NGINX = '/usr/sbin/nginx'
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/**
 * Runs nginx with this server configuration, in a folder of its own, until the test is over.
 *
 * @param site  what stands inside `http { }`
 */
export async function startNginx(site: string): Promise<void> {
  if (!existsSync(NGINX)) throw new Error(`${NGINX} is missing: apt-get install nginx`)
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'))
  const paths = TEMPORARY.map((name) => `${name}_temp_path ${join(folder, name)};`)
  const lines = [
    'daemon off;',
    'master_process off;',
    `pid ${join(folder, 'pid')};`,
    'error_log stderr notice;',
    'events { }',
    `http { access_log off; ${paths.join(' ')}`,
    site,
    '}',
  ]
  const file = join(folder, 'nginx.conf')
  writeFileSync(file, lines.join('\n'))
  const nginx = spawn(NGINX, ['-p', folder, '-e', 'stderr', '-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const isOver = once(nginx, 'exit')
  onTestFinished(async () => {
    nginx.kill('SIGTERM')
    await isOver
    rmSync(folder, { recursive: true, force: true })
  })
  const said: string[] = []
  const lineReader = createInterface({ input: nginx.stderr })
  await new Promise<void>((resolve, reject) => {
    lineReader.on('line', (line) => {
      said.push(line)
      // It listens from before it says how it waits.
      if (line.includes('event method')) resolve()
    })
    lineReader.on('close', () => reject(new Error(`nginx ended:\n${said.join('\n')}`)))
  })
}

/** A port of 127.0.0.1 that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
