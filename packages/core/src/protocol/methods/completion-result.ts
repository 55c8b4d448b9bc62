// SPDX-License-Identifier: Apache-2.0
import { BEAM_ERR_CONTRACT } from '../../errors.ts'
import { isJsonObject } from '../plain.ts'

/** Values that one answer may carry. @see COMP-03 */
const MOST_VALUES = 100

/**
 * Writes what a completer answered. Values beyond the hundredth are cut, with `hasMore`, and counted
 * where the completer gave no total.
 *
 * @throws BEAM_ERR_CONTRACT for an answer off its contract; the message holds no value of it
 * @see MCP 2026-07-28, Completion: COMP-03
 */
export function encodeCompletion(answer: unknown): string {
  const { values, total, hasMore } = readAnswer(answer)
  const isCut = values.length > MOST_VALUES
  const completion = {
    values: isCut ? values.slice(0, MOST_VALUES) : values,
    total: isCut ? (total ?? values.length) : total,
    hasMore: isCut ? true : hasMore,
  }
  return `"completion":${JSON.stringify(completion)}`
}

interface Completion {
  readonly values: readonly string[]
  readonly total: number | undefined
  readonly hasMore: boolean | undefined
}

function readAnswer(answer: unknown): Completion {
  const { values: given, total, hasMore } = isJsonObject(answer) ? answer : { values: answer }
  const values = copyStrings(given)
  if (values === undefined) {
    return breaksContract('answered something that is no list of strings and holds none as values')
  }
  if (total !== undefined && !isTotal(total, values.length)) {
    return breaksContract('answered a total that is no whole number from the count of its values')
  }
  if (hasMore !== undefined && typeof hasMore !== 'boolean') {
    return breaksContract('answered a hasMore that is neither true nor false')
  }
  return { values, total, hasMore }
}

/** The strings of a list of nothing else: what is judged is what is sent, and a hole would be null. */
function copyStrings(given: unknown): readonly string[] | undefined {
  if (!Array.isArray(given)) return undefined
  const strings: string[] = []
  for (const value of given as readonly unknown[]) {
    if (typeof value !== 'string') return undefined
    strings.push(value)
  }
  return strings
}

function isTotal(total: unknown, count: number): total is number {
  return typeof total === 'number' && Number.isSafeInteger(total) && total >= count
}

function breaksContract(what: string): never {
  throw new BEAM_ERR_CONTRACT('complete', what)
}
