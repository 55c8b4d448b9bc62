// SPDX-License-Identifier: Apache-2.0
import { isObject, type Json } from './json.ts'

/** References followed to say what stands behind them. */
const MAX_HOPS = 4

/** Follows the references of a lowered schema to the schema that they lead to. */
export type FollowReference = (schema: Json | undefined) => Json | undefined

/** Follows references within a lowered document, a few at most. */
export function createFollow(lowered: Json): FollowReference {
  const definitions = isObject(lowered) ? lowered['$defs'] : undefined
  return (schema) => {
    let here = schema
    for (let hop = 0; hop < MAX_HOPS && isObject(here); hop++) {
      const { $ref: reference } = here
      if (typeof reference !== 'string') break
      const name = reference.slice('#/$defs/'.length)
      here = reference === '#' ? lowered : isObject(definitions) ? definitions[name] : undefined
    }
    return here
  }
}
