// SPDX-License-Identifier: Apache-2.0
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { collect } from '../support/collect.ts'
import { cancel } from '../support/held-calls.ts'
import { call } from '../support/messages.ts'
import { buildProgram, startProgram } from '../support/stdio-child.ts'

let program: string

beforeAll(async () => {
  program = await buildProgram('server')
})

const ORDERLY = { code: 0, signal: null }
const ping = (id: unknown): object => ({ jsonrpc: '2.0', id, method: 'ping' })
const pong = (id: unknown): object => ({ jsonrpc: '2.0', id, result: {} })
const textOf = (answer: Record<string, unknown>): unknown =>
  (answer['result'] as { content: { text: string }[] } | undefined)?.content[0]?.text

describe('a process', () => {
  test('[IO-08] answers, and ends by itself with its input', async () => {
    const child = startProgram(program)
    child.send(call('echo', { text: 'é漢😀' }))
    expect(textOf(await child.next())).toBe('é漢😀')
    child.end()
    expect(await child.exit).toEqual(ORDERLY)
    expect(child.stderr()).toBe('started\nended\nby itself\n')
  })

  test('that a shell pipes lines into gives all their answers', async () => {
    const lines = [1, 2, 3].map((id) => JSON.stringify(call('sleep', { ms: 100 - 30 * id }, id)))
    const shell = spawn(
      'sh',
      ['-c', `printf '%s\\n' "$@" | "$NODE" "$PROGRAM" | cat`, '-', ...lines],
      {
        env: { ...process.env, NODE: process.execPath, PROGRAM: program },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    const read = collect(shell.stdout)
    const [code] = await once(shell, 'close')
    expect(code).toBe(0)
    const ids = (await read.take(3)).map(({ id }) => id)
    expect(ids).toEqual([3, 2, 1])
  })

  test('without input ends at once', async () => {
    const child = startProgram(program, { stdio: ['ignore', 'pipe', 'pipe'] })
    expect(await child.exit).toEqual(ORDERLY)
    expect(child.stdout()).toBe('')
  })

  test.each(['exit', 'shutdown'])(
    'ends when the client says %s, its input still open',
    async (method) => {
      const child = startProgram(program)
      child.send(ping(1), { jsonrpc: '2.0', id: 2, method })
      expect(await child.exit).toEqual(ORDERLY)
      expect(child.stderr()).toBe('started\nended\nby itself\n')
      const answered = method === 'exit' ? [pong(1)] : [pong(1), pong(2)]
      expect(child.stdout()).toBe(answered.map((answer) => `${JSON.stringify(answer)}\n`).join(''))
    },
  )

  test('stays while its client is there, though it reads no further and nothing holds it', async () => {
    const child = startProgram(program, { options: { maxConcurrency: 1 } })
    // More than wait at once and than a paused stream takes in.
    const count = 6_000
    child.send(call('nap', {}, 0))
    for (let id = 1; id <= count; id += 1) child.send(call('echo', { text: 'x' }, id))
    expect(textOf(await child.next())).toBe('slept')
    expect(await child.take(count)).toHaveLength(count)
    child.end()
    expect(await child.exit).toEqual(ORDERLY)
  })

  test('ends though a handler still holds it, once the drain timeout is over', async () => {
    const child = startProgram(program, { options: { drainTimeoutMs: 10 } })
    child.send(call('stuck'))
    await child.said('stuck')
    child.end()
    expect(await child.exit).toEqual(ORDERLY)
    expect(child.stdout()).toBe('')
    expect(child.stderr()).toContain('the drain timeout has passed')
    expect(child.stderr()).not.toContain('by itself')
  })
})

describe('a signal', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('[IO-09] ends the process: %s', async (signal) => {
    const child = startProgram(program)
    child.send(call('wait'))
    await child.said('waiting')
    child.process.kill(signal)
    expect(await child.exit).toEqual(ORDERLY)
    expect(child.stdout()).toBe('')
    expect(child.stderr()).toContain('aborted\n')
    expect(child.stderr()).toContain(`The run ends: ${signal} came`)
    expect(child.stderr()).toContain('by itself')
  })

  test('ends it though a handler does not heed it', async () => {
    const child = startProgram(program)
    child.send(call('stuck'))
    await child.said('stuck')
    child.process.kill('SIGTERM')
    expect(await child.exit).toEqual(ORDERLY)
  })

  test('ends it though nobody reads what it has written', async () => {
    const child = startProgram(program)
    child.process.stdout?.pause()
    for (let id = 1; id <= 20; id += 1) child.send(call('big', { bytes: 1_000_000 }, id))
    child.send(call('wait', {}, 21))
    // More than the pipe holds was written by the time that one is answered, or waits.
    await child.said('big')
    child.process.kill('SIGTERM')
    const [code, signal] = await once(child.process, 'exit')
    expect({ code, signal }).toEqual(ORDERLY)
  })
})

describe('a process between files', () => {
  const makeFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'stdio-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    return folder
  }

  test('answers one into another', async () => {
    const folder = makeFolder()
    const [input, output] = [join(folder, 'in'), join(folder, 'out')]
    const ids = Array.from({ length: 2_000 }, (_, index) => index + 1)
    writeFileSync(
      input,
      ids.map((id) => JSON.stringify(call('echo', { text: 'é' }, id))).join('\n'),
    )
    const [from, to] = [openSync(input, 'r'), openSync(output, 'w')]
    const child = startProgram(program, { stdio: [from, to, 'pipe'] })
    expect(await child.exit).toEqual(ORDERLY)
    for (const fd of [from, to]) closeSync(fd)
    const lines = readFileSync(output, 'utf8').split('\n')
    expect(lines.pop()).toBe('')
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids)
  })

  test('heeds a signal though nobody reads the named pipe that it writes to', async () => {
    const path = join(makeFolder(), 'pipe')
    execFileSync('mkfifo', [path])
    // Open for both, so that it has a reader, who never reads.
    const pipe = openSync(path, 'r+')
    const child = startProgram(program, { stdio: ['pipe', pipe, 'pipe'] })
    child.send(call('big', { bytes: 1_000_000 }, 1), call('wait', {}, 2))
    await child.said('big')
    child.process.kill('SIGTERM')
    expect(await child.exit).toEqual(ORDERLY)
    closeSync(pipe)
  })
})

describe('a client that is gone', () => {
  test('ends the process at once, whatever runs', async () => {
    const child = startProgram(program)
    child.send(call('stuck', {}, 1), call('wait', {}, 2))
    await child.said('waiting')
    child.process.stdout?.destroy()
    child.send(ping(3))
    await child.said('aborted')
    expect(await child.exit).toEqual(ORDERLY)
    expect(child.stderr()).toContain('ended\n')
    expect(child.stderr()).not.toContain('EPIPE')
  })

  test('leaves its half line unanswered but judged', async () => {
    const child = startProgram(program)
    child.send(ping(1), '{"jsonrpc":"2.0","id":2,"met')
    child.end()
    expect(await child.exit).toEqual(ORDERLY)
    expect(await child.take(2)).toEqual([
      pong(1),
      { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error: body is not valid JSON' } },
    ])
  })

  test('from standard error alone changes nothing', async () => {
    const child = startProgram(program)
    await child.said('started')
    child.process.stderr?.destroy()
    child.send(call('reject', {}, 1), call('noisy', {}, 2), call('reject', {}, 3), ping(4))
    const answers = await child.take(4)
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3, 4])
    child.end()
    expect(await child.exit).toEqual(ORDERLY)
  })
})

describe('standard output', () => {
  test('[IO-02, IO-03] carries nothing that the host prints', async () => {
    const child = startProgram(program, { env: { STDIO_SAYS_BYE: '1' } })
    child.send(call('noisy', {}, 1), call('worker', {}, 2), call('cycle', {}, 3))
    const answers = await child.take(3)
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2, 3])
    child.end()
    expect(await child.exit).toEqual(ORDERLY)
    const lines = child.stdout().trimEnd().split('\n')
    // Afterwards it is the host's again.
    expect(lines).toHaveLength(4)
    expect(lines.at(-1)).toBe('bye')
    for (const text of [
      'from console.log\n',
      'from console.info\n',
      'from stdout.write\n',
      'from a buffer\n',
      'from a worker\n',
    ]) {
      expect(child.stderr()).toContain(text)
    }
  })

  test('[IO-03] leaves the log of a fault to standard error', async () => {
    const child = startProgram(program)
    child.send(call('reject', {}, 1))
    expect(await child.next()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'Internal error' },
    })
    child.end()
    await child.exit
    const [logged] = child
      .stderr()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    expect(JSON.parse(logged ?? '')).toMatchObject({
      level: 50,
      name: '@beam-mcp/core',
      requestId: '1',
      err: { message: 'a secret of the host' },
    })
  })

  test('[IO-03] goes on though nobody reads standard error, whose log is bounded', async () => {
    const child = startProgram(program, { flags: ['--expose-gc'] })
    await child.said('started')
    child.process.stderr?.pause()
    const memory = async (): Promise<number> => {
      child.send(call('memory', {}, 'memory'))
      return Number(textOf(await child.next()))
    }
    const fail = async (count: number): Promise<void> => {
      for (let id = 1; id <= count; id += 1) child.send(call('reject', {}, id))
      expect(await child.take(count)).toHaveLength(count)
    }
    await fail(500)
    const before = await memory()
    // Each fault is a kilobyte of log, its stack included.
    await fail(8_000)
    expect((await memory()) - before).toBeLessThan(4_000_000)
  })

  test.each(existsSync('/dev/full') ? ['closed', 'full'] : ['closed'])(
    '[IO-03] is not missed by a run over other streams: standard error that is %s ends nothing',
    async (fault) => {
      const full = fault === 'full' ? openSync('/dev/full', 'w') : undefined
      const child = startProgram(await buildProgram('own-streams'), {
        stdio: ['pipe', 'pipe', full ?? 'pipe'],
      })
      if (full !== undefined) closeSync(full)
      child.process.stderr?.destroy()
      for (const id of [1, 2, 3]) {
        child.send(call('fail', {}, id))
        expect(await child.next()).toMatchObject({ id, error: { code: -32603 } })
      }
      child.end()
      expect(await child.exit).toEqual(ORDERLY)
    },
  )

  test('belongs to one run at a time', async () => {
    const child = startProgram(await buildProgram('two-runs'))
    child.send(ping(1))
    expect(await child.next()).toEqual(pong(1))
    child.end()
    expect(await child.exit).toEqual(ORDERLY)
    expect(child.stderr()).toBe(
      "second: BEAM_ERR_OPT_INVALID Option 'output' is process.stdout, which another run has: wait for its end, or give this one other streams\nthird: ended\nrestored: true\n",
    )
  })

  test('is given back where the catalog is refused', async () => {
    const child = startProgram(await buildProgram('bad-catalog'))
    expect(await child.exit).toEqual(ORDERLY)
    expect(child.stdout()).toBe('after\n')
    expect(child.stderr()).toBe('while it was asked\nBEAM_ERR_CATALOG_INVALID\nrestored: true\n')
  })
})

describe('a cancelled request', () => {
  test('[CANC-02] of a process is aborted and not answered', async () => {
    const child = startProgram(program)
    child.send(call('wait', {}, 'w'))
    await child.said('waiting')
    child.send(cancel('w'), ping(2))
    await child.said('aborted')
    child.end()
    expect(await child.exit).toEqual(ORDERLY)
    expect(child.stdout()).toBe(`${JSON.stringify(pong(2))}\n`)
  })
})
