// SPDX-License-Identifier: Apache-2.0
import type { Engine } from '../protocol/engine.ts'
import { type Logger, logSafely } from '../protocol/logger.ts'
import { createFrameReader, type FrameReader } from './frames.ts'
import { createReceiver } from './receiver.ts'
import { Requests } from './requests.ts'
import type { ReadStdioOptions } from './stdio-options.ts'
import { createLineWriter, type LineWriter, type WriteText } from './writer.ts'

/** What one run is made of. */
export interface RunParts {
  readonly options: Omit<ReadStdioOptions, 'server' | 'ownsProcess'>
  readonly engine: Engine
  /** Ends every subscription, each with its result. */
  readonly closeServer: () => void
  readonly log: Logger
  /** Bytes of the longest line and of the largest frame. */
  readonly lineLimit: number
  readonly write: WriteText
}

/**
 * Bytes that are read ahead while no request has room: the end of input may stand right behind, and a
 * client that is gone is noticed by it alone.
 */
const MOST_AHEAD = 1_048_576

/**
 * Serves one pair of streams from its first byte until its end. Both are left as they are: paused,
 * with none of the run's listeners on them.
 *
 * @see docs/stdio.md, "How a run ends"
 */
export class Run {
  /** Settled when the run is over. */
  readonly ended: Promise<void>
  readonly #parts: RunParts
  readonly #writer: LineWriter
  readonly #frames: FrameReader
  readonly #requests: Requests
  #resolve: () => void = () => undefined
  #isHeld = false
  /** Whether messages are taken in. */
  #isReading = false
  /** Whether bytes are. */
  #isFlowing = false
  /** Nothing more is read; what was accepted is finished. */
  #isStopping = false
  #isOver = false
  #timer: NodeJS.Timeout | undefined

  constructor(parts: RunParts) {
    this.#parts = parts
    const { options, engine, log } = parts
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve
    })
    this.#writer = createLineWriter(options.output, parts.write, {
      onDrain: () => this.#goOn(),
      onGone: () => this.#cut('the output is gone'),
    })
    this.#requests = new Requests({
      maxConcurrency: options.maxConcurrency,
      canStart: () => !this.#writer.isFull && !this.#isOver,
      onAnswer: (text) => this.#writer.write(text),
      onChange: () => this.#look(),
    })
    const receiver = createReceiver({
      engine,
      log,
      principal: options.principal,
      requests: this.#requests,
      notifications: {
        send: (text) => {
          this.#writer.write(text)
          return !this.#writer.isFull
        },
        drained: this.#writer.drained,
      },
      onExit: () => this.stop(),
      hold: () => this.#setHeld(true),
      unhold: () => this.#setHeld(false),
    })
    this.#frames = createFrameReader(parts.lineLimit, {
      onMessage: receiver.takeMessage,
      onRefusal: receiver.takeRefusal,
      onEnd: () => this.stop(),
    })
    this.#frames.pause()
  }

  /** Begins to read. */
  start(): void {
    const { input, output, signal } = this.#parts.options
    input.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onEnd)
    input.on('error', this.#onInputError)
    signal?.addEventListener('abort', this.#onAbort)
    if (signal?.aborted === true) return this.#onAbort()
    if (output.destroyed || output.writableEnded) return this.#cut('the output is gone')
    this.#look()
    // Streams that were over before tell nobody of it.
    if (input.readableEnded || input.destroyed) this.#onEnd()
  }

  /** Reads no further; what was accepted has the drain timeout to be finished and written. */
  stop(): void {
    if (this.#isStopping || this.#isOver) return
    this.#isStopping = true
    this.#frames.pause()
    this.#releaseInput()
    this.#drain()
    this.#parts.closeServer()
    this.#look()
  }

  /** @param isFinal  whether the time is over at its end even where more was taken in meanwhile */
  #drain(isFinal = true): void {
    clearTimeout(this.#timer)
    const { held } = this.#frames
    this.#timer = setTimeout(() => {
      if (isFinal || this.#frames.held === held) this.#cut('the drain timeout has passed')
      else this.#drain(isFinal)
    }, this.#parts.options.drainTimeoutMs)
  }

  /**
   * Ends at once: what is not answered yet is cancelled, and nothing more is written but the ends of
   * subscriptions, where there are any.
   */
  abort(why: string): void {
    if (this.#isOver) return
    if (!this.#requests.hasLasting) return this.#cut(why)
    const before = this.#requests.count
    this.#requests.abort({ sparesLasting: true })
    this.#logEnd(why, before - this.#requests.count)
    this.stop()
    this.#look()
  }

  /** Ends at once, and writes nothing more. */
  #cut(why: string): void {
    if (this.#isOver) return
    const { count } = this.#requests
    this.#finish()
    this.#requests.abort()
    this.#logEnd(why, count)
  }

  #logEnd(why: string, requests: number): void {
    const level = requests === 0 ? 'debug' : 'warn'
    logSafely(this.#parts.log, level, { requests }, `The run ends: ${why}`)
  }

  readonly #onData = (chunk: unknown): void => {
    if (typeof chunk === 'string') this.#frames.push(Buffer.from(chunk))
    else if (chunk instanceof Uint8Array) this.#frames.push(asBuffer(chunk))
    else return this.abort('the input gave something that is no bytes')
    this.#flow()
  }

  readonly #onEnd = (): void => {
    this.#frames.end()
    // Some of it may have been read ahead, and have no room yet.
    if (!this.#isStopping && !this.#isOver) this.#drain(false)
  }

  readonly #onInputError = (): void => this.abort('the input failed')

  readonly #onAbort = (): void => this.abort('its signal was aborted')

  #setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld
    this.#look()
  }

  /** The output takes more again. */
  #goOn(): void {
    this.#requests.startWaiting()
    this.#look()
  }

  /** Reads on or pauses, by what there is room for; when all is done, ends. */
  #look(): void {
    if (this.#isOver) return
    if (!this.#isStopping) return this.#readWhile(this.#hasRoom())
    if (this.#requests.count > 0) return
    void this.#writer.flush().then(() => {
      if (this.#requests.count === 0) this.#finish()
    })
  }

  #hasRoom(): boolean {
    return !this.#isHeld && this.#requests.hasRoom && !this.#writer.isFull
  }

  #readWhile(isReading: boolean): void {
    if (isReading !== this.#isReading) {
      this.#isReading = isReading
      // What is left of the last chunk comes first, and may fill all the room again.
      if (isReading) this.#frames.resume()
      else this.#frames.pause()
    }
    this.#flow()
  }

  /** Lets the input flow or stops it, by what is read ahead. */
  #flow(): void {
    if (this.#isStopping || this.#isOver) return
    // An output that takes nothing tells by itself when the client is gone.
    const mayReadAhead = !this.#isHeld && !this.#writer.isFull && this.#frames.held < MOST_AHEAD
    const isFlowing = this.#isReading || mayReadAhead
    if (isFlowing === this.#isFlowing) return
    this.#isFlowing = isFlowing
    const { input } = this.#parts.options
    if (isFlowing) input.resume()
    else input.pause()
  }

  #releaseInput(): void {
    const { input } = this.#parts.options
    input.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd)
    input.off('error', this.#onInputError)
    input.pause()
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#frames.pause()
    this.#releaseInput()
    this.#parts.options.signal?.removeEventListener('abort', this.#onAbort)
    this.#writer.release()
    this.#parts.closeServer()
    this.#resolve()
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes)
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
