// SPDX-License-Identifier: Apache-2.0
import { Session } from 'node:inspector/promises'

/** What V8 counted: for each file in scope, the offset in the code at which each function that ran ends. */
export type Coverage = Readonly<Record<string, readonly number[]>>

/** Starts V8's exact count of calls; the answer stops it and reads it. */
export async function startCoverage(
  isInScope: (file: string) => boolean,
): Promise<() => Promise<Coverage>> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage')
    await session.post('Profiler.stopPreciseCoverage')
    session.disconnect()
    const ran: Record<string, number[]> = {}
    for (const { url, functions } of result) {
      if (!isInScope(url)) continue
      const ends = functions
        .map(({ ranges }) => ranges[0])
        .filter((range) => (range?.count ?? 0) > 0)
      ran[url] = [...(ran[url] ?? []), ...ends.map((range) => range?.endOffset ?? -1)]
    }
    return ran
  }
}
