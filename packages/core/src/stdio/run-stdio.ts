// SPDX-License-Identifier: Apache-2.0
import { createTransportServer } from '../protocol/create-server.ts'
import { refuseOption } from '../protocol/refuse-option.ts'
import type { Method } from '../protocol/revision.ts'
import { createDefaultLogger } from './default-logger.ts'
import { endProcessSoon, holdProcess, onSignals } from './own-process.ts'
import { Run } from './run.ts'
import { readStdioOptions, type StdioOptions } from './stdio-options.ts'
import { guardStdout, isStdoutTaken, type StdoutGuard } from './stdout-guard.ts'
import type { WriteText } from './writer.ts'

/**
 * Serves a catalog over standard input and output, or over any pair of byte streams, to clients of
 * both revisions: a message a line in, an answer a line out.
 *
 * While it runs over `process.stdout`, that belongs to the protocol, and whatever else is written to
 * it goes to standard error. Where neither stream is given, SIGTERM and SIGINT end the run, and a
 * second after its end the process ends, whatever still holds it.
 *
 * @returns resolves when the run is over: the input ended, the client asked for the end, the output
 * is gone, or a signal came
 * @throws BEAM_ERR_OPT_INVALID for an option that is missing, unknown or of the wrong shape, and what
 * `ready` of a server throws for a catalog: before the first byte is read
 * @see docs/stdio.md; MCP 2026-07-28, stdio: IO-01 to IO-12
 */
export async function runStdio<Principal = unknown>(
  options: StdioOptions<Principal>,
): Promise<void> {
  const read = readStdioOptions(options)
  let run: Run | undefined
  const {
    engine,
    ready,
    close,
    options: served,
  } = createTransportServer(
    { ...read.server, logger: read.server['logger'] ?? createDefaultLogger() },
    {
      defaults: { revisions: ['2026-07-28', '2025-11-25'] },
      methods: shutdownMethod(() => run?.stop()),
    },
  )
  const { output, ownsProcess } = read
  const guard = guardOutput(output)
  try {
    await ready()
    const { logger: log, bodyLimit: lineLimit } = served
    run = new Run({ options: read, engine, closeServer: close, log, lineLimit, write: guard.write })
    await (ownsProcess ? runProcess(run) : runStreams(run))
  } finally {
    guard.release()
  }
}

/** Answered with an empty result; nothing is read behind it. */
function shutdownMethod(stop: () => void): ReadonlyMap<string, Method> {
  const run = () => {
    stop()
    return { members: '' }
  }
  return new Map([['shutdown', { run }]])
}

/** @throws BEAM_ERR_OPT_INVALID where another run has standard output already */
function guardOutput(output: NodeJS.WritableStream): StdoutGuard {
  if (output !== process.stdout) {
    const write: WriteText = (text, onWritten) => output.write(text, 'utf8', onWritten)
    return { write, release: () => undefined }
  }
  if (isStdoutTaken()) {
    refuseOption(
      'output',
      'is process.stdout, which another run has: wait for its end, or give this one other streams',
    )
  }
  return guardStdout()
}

async function runStreams(run: Run): Promise<void> {
  run.start()
  await run.ended
}

async function runProcess(run: Run): Promise<void> {
  const release = onSignals((signal) => run.abort(`${signal} came`))
  const letGo = holdProcess()
  try {
    await runStreams(run)
  } finally {
    release()
    letGo()
    endProcessSoon()
  }
}
