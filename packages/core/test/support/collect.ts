// SPDX-License-Identifier: Apache-2.0

/** What a stream has said so far. */
export interface Collected {
  readonly text: () => string
  /** Resolves once the text is as wanted; rejects where the stream ends before. */
  readonly until: (holds: (text: string) => boolean) => Promise<void>
  /** The next line that was not taken yet, decoded. */
  readonly next: () => Promise<Message>
  /** So many lines, decoded. */
  readonly take: (count: number) => Promise<Message[]>
}

/** A decoded line. */
export type Message = Record<string, unknown>

/** Reads a stream of text as it comes. */
export function collect(stream: NodeJS.ReadableStream | null): Collected {
  let text = ''
  let isOver = stream === null
  let wake = (): void => undefined
  let at = 0
  const onOver = (): void => {
    isOver = true
    wake()
  }
  stream?.setEncoding('utf8')
  stream?.on('data', (part: string) => {
    text += part
    wake()
  })
  stream?.on('end', onOver).on('close', onOver)
  const until = async (holds: (text: string) => boolean): Promise<void> => {
    while (!holds(text)) {
      if (isOver) throw new Error(`the stream ended with ${JSON.stringify(text.slice(-500))}`)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  const next = async (): Promise<Message> => {
    await until((said) => said.includes('\n', at))
    const end = text.indexOf('\n', at)
    const line = text.slice(at, end)
    at = end + 1
    return JSON.parse(line)
  }
  const take = async (count: number): Promise<Message[]> => {
    const lines: Message[] = []
    while (lines.length < count) lines.push(await next())
    return lines
  }
  return { text: () => text, until, next, take }
}
