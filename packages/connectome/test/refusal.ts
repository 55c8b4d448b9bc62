// SPDX-License-Identifier: Apache-2.0
import { ConnectomeError, type Reason } from '@beam-mcp/connectome'

/** What a call refuses with: the code and the reason. A call that answers, or fails otherwise, throws. */
export function refusalOf(call: () => unknown): { code: string; reason: Reason } {
  let answer: unknown
  try {
    answer = call()
  } catch (error) {
    if (!(error instanceof ConnectomeError)) throw error
    return { code: error.code, reason: error.reason }
  }
  throw new Error(`not refused: ${String(answer)}`)
}

/** A value of a type a program could not pass without going around the compiler. */
export function wrong<Type>(value: unknown): Type {
  return value as Type // tests hand over what no type allows
}
