// SPDX-License-Identifier: Apache-2.0
import { encodeJson } from './encode-json.ts'
import type { Exchange, NotificationSink } from './exchange.ts'
import { encodeId, type JsonRpcId } from './json-rpc.ts'
import { LOG_LEVELS, type LogLevel } from './log-levels.ts'
import { type Logger, logSafely } from './logger.ts'

/** What a request asked to be told of before its answer. */
export interface NotifierOptions {
  /** Opens the way to the client, at the first notification; undefined where it takes none. */
  readonly open: NonNullable<Exchange['openNotifications']>
  /** Undefined: the request wants no progress. */
  readonly progressToken: JsonRpcId | undefined
  /** The lowest level wanted; undefined: the request wants no log messages. */
  readonly logLevel: LogLevel | undefined
  readonly log: Logger
}

/** UTF-16 units of notifications that wait for a client that reads slowly; more are dropped. */
const MAX_WAITING = 262_144

const NOW: Promise<void> = Promise.resolve()

/**
 * Sends the notifications of one request. Whatever may not be sent is dropped, and logged once per
 * request and reason: a handler does not fail because nobody listens.
 *
 * @see MCP 2026-07-28, Progress and Logging: PROG-01 to PROG-05, LOG-01 to LOG-06
 */
export class Notifier {
  readonly #options: NotifierOptions
  readonly #complaints = new Set<string>()
  #sink: NotificationSink | undefined
  #isOpened = false
  #isClosed = false
  #last = Number.NEGATIVE_INFINITY
  #waiting = 0
  #drained: Promise<void> | undefined

  constructor(options: NotifierOptions) {
    this.#options = options
  }

  /** @returns when more may be sent */
  progress(progress: number, total?: number, message?: string): Promise<void> {
    const { progressToken } = this.#options
    if (progressToken === undefined || this.#isClosed) return NOW
    if (!isProgress(progress, total, message)) {
      return this.#drop('progress takes finite numbers, and a message that is a string')
    }
    if (progress <= this.#last) return this.#drop('progress that does not increase')
    this.#last = progress
    const told = message === undefined ? '' : `,"message":${JSON.stringify(message)}`
    const whole = total === undefined ? '' : `,"total":${total}`
    return this.#send(
      `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${encodeId(progressToken)},"progress":${progress}${whole}${told}}}`,
    )
  }

  /** @returns when more may be sent */
  message(level: LogLevel, data: unknown): Promise<void> {
    const { logLevel } = this.#options
    if (logLevel === undefined || this.#isClosed) return NOW
    const rank = LOG_LEVELS.indexOf(level)
    if (rank === -1) return this.#drop(`log takes one of ${LOG_LEVELS.join(', ')}`)
    if (rank < LOG_LEVELS.indexOf(logLevel)) return NOW
    const encoding = encodeJson(data)
    if (!encoding.ok) return this.#drop(`log data that is ${encoding.why}`)
    return this.#send(
      `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"${level}","data":${encoding.json}}}`,
    )
  }

  /** Nothing goes out after the answer. */
  close(): void {
    this.#isClosed = true
  }

  #send(message: string): Promise<void> {
    if (!this.#isOpened) {
      this.#isOpened = true
      this.#sink = this.#options.open(this.#options.progressToken)
    }
    if (this.#sink === undefined) return NOW
    if (this.#drained !== undefined && this.#waiting + message.length > MAX_WAITING) {
      this.#drop('more notifications than a client that reads slowly has taken')
      return this.#drained
    }
    const isTaken = this.#sink.send(message)
    if (this.#drained !== undefined) this.#waiting += message.length
    else if (!isTaken) this.#wait(this.#sink)
    return this.#drained ?? NOW
  }

  #wait(sink: NotificationSink): void {
    this.#drained = sink.drained().then(() => {
      this.#drained = undefined
      this.#waiting = 0
    })
  }

  #drop(why: string): Promise<void> {
    if (!this.#complaints.has(why)) {
      this.#complaints.add(why)
      logSafely(this.#options.log, 'warn', {}, `A notification was dropped: ${why}`)
    }
    return NOW
  }
}

function isProgress(progress: unknown, total: unknown, message: unknown): boolean {
  return (
    Number.isFinite(progress) &&
    (total === undefined || Number.isFinite(total)) &&
    (message === undefined || typeof message === 'string')
  )
}
