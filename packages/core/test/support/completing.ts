// SPDX-License-Identifier: Apache-2.0
import {
  type CatalogParts,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  type JsonObject,
} from '@beam-mcp/core/server'
import { errorAnswer, resultAnswer } from './server.ts'

const CITIES: Readonly<Record<string, readonly string[]>> = {
  no: ['oslo', 'osen', 'bergen'],
  nl: ['oss', 'delft'],
}

export const ATLAS = defineResourceTemplate({
  uriTemplate: 'atlas://{country}/{+city}',
  name: 'city',
  read: () => 'unused',
  complete: {
    country: (value) => Object.keys(CITIES).filter((code) => code.startsWith(value)),
    city: (value, context) =>
      (CITIES[context.arguments['country'] ?? ''] ?? []).filter((city) => city.startsWith(value)),
  },
})

const TRIP = definePrompt({
  name: 'plan_trip',
  arguments: [
    { name: 'from', required: true, complete: (value) => [`${value}!`] },
    { name: 'to' },
    { name: '__proto__', complete: async () => ({ values: [], total: 0, hasMore: false }) },
  ],
  render: () => 'unused',
})

export const PARTS: CatalogParts = {
  resources: [defineResource({ uri: 'atlas://no/oslo', name: 'oslo', read: () => 'unused' })],
  resourceTemplates: [ATLAS],
  prompts: [TRIP],
}

export const PROMPT = { type: 'ref/prompt', name: 'plan_trip' }
export const TEMPLATE = { type: 'ref/resource', uri: 'atlas://{country}/{+city}' }
export const typed = (name: string, value = '') => ({ name, value })
export const completion = (members: JsonObject) => resultAnswer({ completion: members })
export const invalid = (why: string, data?: unknown) =>
  errorAnswer(-32602, `Invalid params: ${why}`, data)
