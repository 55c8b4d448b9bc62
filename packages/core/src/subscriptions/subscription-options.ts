// SPDX-License-Identifier: Apache-2.0
import { readCount, readFlag, readFunction } from '../protocol/option-readers.ts'
import { isJsonObject } from '../protocol/plain.ts'
import { refuseOption, refuseUnknown } from '../protocol/refuse-option.ts'
import { type ChangeNotifier, createNotifier, isBus } from './change-notifier.ts'

/** What clients may listen for. Everything that is not switched off is on. */
export interface SubscriptionOptions<Principal = unknown> {
  /** Announces the changes. @default one of the endpoint's own */
  readonly notifier?: ChangeNotifier
  /** Changes of the list of tools. @default true */
  readonly tools?: boolean
  /** Changes of the list of prompts. @default true */
  readonly prompts?: boolean
  /** Changes of the lists of resources and templates. @default true */
  readonly resources?: boolean
  /** Changes of single resources. @default true */
  readonly resourceUpdates?: boolean
  /** Listeners in all, from 1. @default 1024 */
  readonly maxListeners?: number
  /** Listeners of one principal, from 1. @default as many as in all */
  readonly maxListenersPerPrincipal?: number
  /** Uris that one listener may name, from 1. @default 100 */
  readonly maxUris?: number
  /** Tells principals apart, for their cap; answers at once. @default the principal itself */
  principalKey?(principal: Principal): unknown
}

/** The same, checked and with every default filled in. */
export interface ReadSubscriptionOptions {
  readonly notifier: ChangeNotifier
  readonly tools: boolean
  readonly prompts: boolean
  readonly resources: boolean
  readonly resourceUpdates: boolean
  readonly maxListeners: number
  readonly maxListenersPerPrincipal: number
  readonly maxUris: number
  readonly principalKey: (principal: unknown) => unknown
}

const NAMES = [
  'notifier',
  'tools',
  'prompts',
  'resources',
  'resourceUpdates',
  'maxListeners',
  'maxListenersPerPrincipal',
  'maxUris',
  'principalKey',
]
const DEFAULT_LISTENERS = 1024
const DEFAULT_URIS = 100

/** @throws BEAM_ERR_OPT_INVALID naming the option and the fix */
export function readSubscriptionOptions(given: unknown): ReadSubscriptionOptions | undefined {
  if (given === undefined || given === false) return undefined
  const options: unknown = given === true ? {} : given
  if (!isJsonObject(options)) return refuseOption('subscriptions', 'must be true, or an object')
  refuseUnknown(options, NAMES, 'subscriptions.')
  const flag = (name: string): boolean => readFlag(`subscriptions.${name}`, options[name], true)
  const cap = (name: string, fallback: number): number =>
    readCount(`subscriptions.${name}`, options[name], fallback)
  const maxListeners = cap('maxListeners', DEFAULT_LISTENERS)
  return {
    notifier: readNotifier(options['notifier']),
    tools: flag('tools'),
    prompts: flag('prompts'),
    resources: flag('resources'),
    resourceUpdates: flag('resourceUpdates'),
    maxListeners,
    maxListenersPerPrincipal: cap('maxListenersPerPrincipal', maxListeners),
    maxUris: cap('maxUris', DEFAULT_URIS),
    principalKey:
      readFunction('subscriptions.principalKey', options['principalKey']) ?? ((key) => key),
  }
}

function readNotifier(given: unknown): ChangeNotifier {
  if (given === undefined) return createNotifier()
  return isJsonObject(given) && isBus(given['bus'])
    ? (given as unknown as ChangeNotifier)
    : refuseOption('subscriptions.notifier', 'must be what createNotifier answers, or left out')
}
