// SPDX-License-Identifier: Apache-2.0
import { isJsonObject, type JsonObject } from '../protocol/plain.ts'
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
  /** Tells principals apart, for their cap. @default the principal itself */
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

const KINDS = ['tools', 'prompts', 'resources', 'resourceUpdates'] as const
const CAPS = ['maxListeners', 'maxListenersPerPrincipal', 'maxUris'] as const
const DEFAULT_LISTENERS = 1024
const DEFAULT_URIS = 100

/** @throws BEAM_ERR_OPT_INVALID naming the option and the fix */
export function readSubscriptionOptions(given: unknown): ReadSubscriptionOptions | undefined {
  if (given === undefined || given === false) return undefined
  const options: unknown = given === true ? {} : given
  if (!isJsonObject(options)) return refuseOption('subscriptions', 'must be true, or an object')
  refuseUnknown(options, [...KINDS, ...CAPS, 'notifier', 'principalKey'], 'subscriptions.')
  const flags = Object.fromEntries(KINDS.map((kind) => [kind, readFlag(options, kind)]))
  const { tools = true, prompts = true, resources = true, resourceUpdates = true } = flags
  const maxListeners = readCap(options, 'maxListeners', DEFAULT_LISTENERS)
  return {
    notifier: readNotifier(options['notifier']),
    tools,
    prompts,
    resources,
    resourceUpdates,
    maxListeners,
    maxListenersPerPrincipal: readCap(options, 'maxListenersPerPrincipal', maxListeners),
    maxUris: readCap(options, 'maxUris', DEFAULT_URIS),
    principalKey: readKey(options['principalKey']),
  }
}

function readFlag(options: JsonObject, name: string): boolean {
  const { [name]: flag = true } = options
  return typeof flag === 'boolean'
    ? flag
    : refuseOption(`subscriptions.${name}`, 'must be true or false, or left out')
}

function readCap(options: JsonObject, name: string, fallback: number): number {
  const { [name]: cap = fallback } = options
  return Number.isSafeInteger(cap) && Number(cap) > 0
    ? Number(cap)
    : refuseOption(`subscriptions.${name}`, 'must be a whole number above 0')
}

function readNotifier(given: unknown): ChangeNotifier {
  if (given === undefined) return createNotifier()
  return isJsonObject(given) && isBus(given['bus'])
    ? (given as unknown as ChangeNotifier)
    : refuseOption('subscriptions.notifier', 'must be what createNotifier answers, or left out')
}

function readKey(given: unknown): (principal: unknown) => unknown {
  if (given === undefined) return (principal) => principal
  return typeof given === 'function'
    ? (given as (principal: unknown) => unknown)
    : refuseOption('subscriptions.principalKey', 'must be a function, or left out')
}
