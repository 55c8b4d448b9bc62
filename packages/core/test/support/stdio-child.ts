// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, type StdioOptions as Pipes, spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { onTestFinished } from 'vitest'
import { collect, type Message } from './collect.ts'
import { pairAnswers } from './published-types.ts'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/**
 * Makes a program of a fixture and of the sources, since neither Node's loader reads TypeScript nor
 * do children know the aliases of the tests.
 *
 * @param source  a file of `test/stdio/fixtures`, without its ending, or the place of any other
 * @returns its path
 */
export async function buildProgram(source: string | URL): Promise<string> {
  const input =
    source instanceof URL ? fileURLToPath(source) : path(`../stdio/fixtures/${source}.ts`)
  const file = path(`../dist/stdio/${basename(input, '.ts')}-${process.pid}.mjs`)
  await build({
    input,
    platform: 'node',
    external: /^(?!@beam-mcp|[./])/,
    resolve: {
      alias: {
        '@beam-mcp/core/server': path('../../src/server.ts'),
        '@beam-mcp/core/stdio': path('../../src/stdio.ts'),
        '@beam-mcp/core/redis': path('../../src/redis.ts'),
        // The sign says that nothing follows.
        '@beam-mcp/core$': path('../../src/index.ts'),
      },
    },
    output: { format: 'esm', file, codeSplitting: false },
  })
  return file
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A server in a process of its own. */
export interface Child {
  readonly process: ChildProcess
  /** Writes to its standard input; messages become lines. */
  readonly send: (...messages: (string | Buffer | object)[]) => void
  /** Ends its standard input. */
  readonly end: () => void
  /** The next line of its standard output, decoded. Rejects where it ends before. */
  readonly next: () => Promise<Message>
  /** So many lines, decoded. */
  readonly take: (count: number) => Promise<Message[]>
  /** Resolves once its standard error has said a text. */
  readonly said: (text: string) => Promise<void>
  /** All of its standard output so far. */
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves when it is over and all of its output was read. */
  readonly exit: Promise<Exit>
}

/** What a process is started with. */
export interface ChildOptions {
  readonly options?: object
  readonly env?: Readonly<Record<string, string>>
  readonly stdio?: Pipes
  readonly cwd?: string
  /** Flags of Node. */
  readonly flags?: readonly string[]
}

/**
 * Starts a program; it is killed where it outlives its test. What it answers is judged by the published
 * types.
 */
export function startProgram(
  file: string,
  { options = {}, env, stdio, cwd, flags = [] }: ChildOptions = {},
): Child {
  const child = spawn(process.execPath, [...flags, file], {
    stdio: stdio ?? 'pipe',
    cwd,
    env: { ...process.env, ...env, STDIO_OPTIONS: JSON.stringify(options) },
  })
  const exit = once(child, 'close').then(([code, signal]) => ({ code, signal }) as Exit)
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    child.stdin?.destroy()
    child.stdout?.destroy()
    child.stderr?.destroy()
    await exit
  })
  // A child that is gone takes nothing more.
  child.stdin?.on('error', () => undefined)
  const out = collect(child.stdout)
  const err = collect(child.stderr)
  const pairs = pairAnswers()
  const next: Child['next'] = async () => {
    const message = await out.next()
    pairs.got(message)
    return message
  }
  return {
    process: child,
    send: (...messages) => {
      for (const message of messages) {
        const isRaw = typeof message === 'string' || Buffer.isBuffer(message)
        if (!isRaw) pairs.sent(message)
        child.stdin?.write(isRaw ? message : `${JSON.stringify(message)}\n`)
      }
    },
    end: () => void child.stdin?.end(),
    next,
    take: async (count) => {
      const messages: Message[] = []
      while (messages.length < count) messages.push(await next())
      return messages
    },
    said: (text) => err.until((said) => said.includes(text)),
    stdout: out.text,
    stderr: err.text,
    exit,
  }
}
