// SPDX-License-Identifier: Apache-2.0
import {
  type CatalogWithDispatch,
  createCatalog,
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
  notFound,
  toolError,
} from '@beam-mcp/core/server'
import { Type } from '@sinclair/typebox'
import { findStation, meanOf, STATIONS } from './climate.ts'

const getClimate = defineTool({
  name: 'get_climate',
  title: 'Climate of a city',
  description: 'Mean air temperature of a city in one month, in °C.',
  mode: 'read_only',
  inputSchema: Type.Object(
    {
      city: Type.String({ minLength: 1, maxLength: 80, description: 'For example Oslo' }),
      month: Type.Integer({ minimum: 1, maximum: 12, description: '1 is January' }),
    },
    { additionalProperties: false },
  ),
  outputSchema: Type.Object({ city: Type.String(), month: Type.Integer(), meanC: Type.Number() }),
  handler: ({ city, month }) => {
    const station = findStation(city)
    if (station === undefined) {
      const known = STATIONS.map((one) => one.city).join(', ')
      return toolError(`There is no station in that city; there are: ${known}.`)
    }
    return { city: station.city, month, meanC: meanOf(station, month) }
  },
})

const listCities = defineTool({
  name: 'list_cities',
  description: 'The cities with a station.',
  mode: 'read_only',
  handler: () => STATIONS.map((station) => station.city).join(', '),
})

const stations = defineResource({
  uri: 'weather://stations',
  name: 'stations',
  title: 'All stations',
  mimeType: 'application/json',
  read: () => JSON.stringify(STATIONS.map(({ id, city, latitude }) => ({ id, city, latitude }))),
})

const station = defineResourceTemplate({
  uriTemplate: 'weather://stations/{id}',
  name: 'station',
  title: 'One station, with its monthly means',
  mimeType: 'application/json',
  read: (uri) => {
    const found = STATIONS.find(({ id }) => uri === `weather://stations/${id}`)
    return found === undefined ? notFound('no station has this id') : JSON.stringify(found)
  },
})

const packFor = definePrompt({
  name: 'pack_for',
  title: 'What to pack',
  description: 'Asks for a packing list for a journey.',
  arguments: [
    { name: 'city', required: true, description: 'Where to' },
    { name: 'month', description: '1 to 12' },
  ],
  render: ({ city, month }) =>
    `I travel to ${city}${month === undefined ? '' : ` in month ${month}`}. ` +
    'Look the climate up with get_climate and tell me what to pack.',
})

/** Everything this server offers, whatever the transport. */
export const weather: CatalogWithDispatch = createCatalog({
  tools: [getClimate, listCities],
  resources: [stations],
  resourceTemplates: [station],
  prompts: [packFor],
})

/** What this server says of itself, whatever the transport. */
export const about = {
  serverInfo: { name: 'weather', version: '1.0.0', title: 'Weather' },
  instructions: 'Ask list_cities first: only those have a station.',
} as const
