// SPDX-License-Identifier: Apache-2.0

import { UNKNOWN } from '../facts/module-facts.ts'
import type { Call } from './calls.ts'
import {
  callMemberOf,
  callMemberOfFlag,
  callUnknown,
  callValue,
  type Flow,
  handValue,
  pass,
  receiverAt,
} from './calls.ts'
import { giveMember, inheritFrom, lookUpAt } from './heap.ts'
import { nameAt } from './heap-store.ts'
import { storeInto, storeOfFlag } from './members.ts'
import { addCopy, addFlag, addUnknown, IS_PLAIN, IS_UNKNOWN } from './network.ts'
import type { Value } from './values.ts'
import { WATCHED } from './watched.ts'
import type { Listener } from './watcher.ts'

/** What follows from each value and each flag of a variable that is watched. */
export function createListener(flow: Flow): Listener {
  const { heap } = flow
  const valueAt = (id: number): Value => heap.values[id] as Value // every id is a place there
  const callAt = (id: number): Call => flow.calls[id] as Call // so is every call's number
  return {
    value(kind, a, b, c, value) {
      switch (kind) {
        case WATCHED.loaded:
          return addCopy(heap.net, lookUpAt(heap, value, b), a)
        case WATCHED.stored:
          return storeInto(flow, value, b, a, c === 1)
        case WATCHED.inherited:
          return inheritFrom(heap, valueAt(a), b, c, value)
        case WATCHED.given:
          return giveMember(heap, valueAt(a), b, value)
        case WATCHED.member:
          return callMemberOf(flow, a, b, value)
        case WATCHED.called:
        case WATCHED.calledMember:
          return callValue(flow, callAt(a), value, receiverAt(flow, b))
        case WATCHED.handed:
          return handValue(flow, callAt(a), b < 0 ? undefined : nameAt(heap, b), value)
        default:
          heap.watchers[a]?.value(value)
      }
    },
    flag(kind, a, b, c, flag) {
      switch (kind) {
        case WATCHED.loaded:
          return passRead(a, flag)
        case WATCHED.stored:
          return storeOfFlag(flow, b, a, flag)
        case WATCHED.inherited:
          if (flag === IS_UNKNOWN) addUnknown(heap.net, c)
          return
        case WATCHED.given:
          return
        case WATCHED.member:
          return callMemberOfFlag(flow, callAt(a), nameAt(heap, b), flag)
        case WATCHED.called:
        case WATCHED.calledMember:
          if (flag !== IS_UNKNOWN) return
          if (kind === WATCHED.calledMember) callAt(a).site.isReplaced = true
          return callUnknown(flow, callAt(a))
        case WATCHED.handed:
          if (flag === IS_UNKNOWN) pass(flow, UNKNOWN, callAt(a).result)
          return
        default:
          heap.watchers[a]?.flag(flag)
      }
    },
  }

  function passRead(to: number, flag: number): void {
    if (flag === IS_UNKNOWN) addUnknown(heap.net, to)
    else if (flag === IS_PLAIN) addFlag(heap.net, to, IS_PLAIN)
  }
}
