// SPDX-License-Identifier: Apache-2.0
import type { Heap } from './heap-store.ts'
import { TO_ALL_FLAGS, watch } from './network.ts'
import type { Watcher } from './watcher.ts'

/** What a variable is watched for, and what the three numbers of each are. */
export const WATCHED = {
  /** By an object: its place among the heap's watchers. */
  object: TO_ALL_FLAGS,
  /** For a member to read: the variable it goes to, its name. */
  loaded: 1,
  /** For a member to set: the variable it comes from, its name, whether it is the object's own. */
  stored: 2,
  /** As a prototype, for a member of an object: the object, its name, the variable it goes to. */
  inherited: 3,
  /** As a member of an object that code outside has: the object, its name. */
  given: 4,
  /** For a member to call: the call, its name. */
  member: 5,
  /** To be called: the call, its receiver. */
  called: 6,
  /** To be called as a member that may have been replaced: the call, its receiver. */
  calledMember: 7,
  /** As an argument for code outside: the call, the package's name or -1. */
  handed: 8,
} as const

/** Watches a variable by an object: for what there are few of. */
export function watchBy(heap: Heap, variable: number, watcher: Watcher): void {
  watch(heap.net, variable, WATCHED.object, heap.watchers.push(watcher) - 1, 0, 0)
}
