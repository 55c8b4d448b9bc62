// SPDX-License-Identifier: Apache-2.0

import { isJsonObject } from '../protocol/plain.ts'
import { refuseOption, refuseUnknown } from '../protocol/refuse-option.ts'
import { runUnawaited } from '../protocol/settle.ts'
import { readErrorCallback } from './error-callback.ts'
import { type ChangeEvent, createMemoryBus, type EventBus } from './event-bus.ts'

/** Tells the clients that listen what has changed. It never throws: a change is not undone by it. */
export interface ChangeNotifier {
  readonly toolsChanged: () => void
  readonly promptsChanged: () => void
  /** The list of resources, or of templates. */
  readonly resourcesChanged: () => void
  /** The contents of one resource, by the uri that clients listen for. */
  readonly resourceUpdated: (uri: string) => void
  /** Where it announces. */
  readonly bus: EventBus
}

/** What {@link createNotifier} takes. */
export interface ChangeNotifierOptions {
  /** @default a bus within this process */
  readonly bus?: EventBus
  /** Told of a bus that failed to announce. @default a process warning */
  onError?(error: unknown): void
}

/**
 * Makes a notifier to hand to the plugin and to `runStdio`, and to whatever learns of changes.
 *
 * @throws BEAM_ERR_OPT_INVALID
 * @see docs/subscriptions.md
 */
export function createNotifier(options: ChangeNotifierOptions = {}): ChangeNotifier {
  const given: unknown = options
  if (!isJsonObject(given)) return refuseOption('createNotifier', 'takes an object, or nothing')
  refuseUnknown(given, ['bus', 'onError'], 'createNotifier: ')
  const bus = options.bus ?? createMemoryBus()
  if (!isBus(bus)) return refuseOption('bus', 'must have the functions publish and subscribe')
  const onError = readErrorCallback(options.onError)
  const announce = (event: ChangeEvent): void => runUnawaited(() => bus.publish(event), onError)
  return Object.freeze({
    toolsChanged: () => announce({ kind: 'tools' }),
    promptsChanged: () => announce({ kind: 'prompts' }),
    resourcesChanged: () => announce({ kind: 'resources' }),
    resourceUpdated: (uri: string) => announce({ kind: 'resource', uri }),
    bus,
  })
}

/** Whether something has the functions of a bus. */
export function isBus(bus: unknown): bus is EventBus {
  const { publish, subscribe } = isJsonObject(bus) ? bus : {}
  return typeof publish === 'function' && typeof subscribe === 'function'
}
