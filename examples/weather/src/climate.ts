// SPDX-License-Identifier: Apache-2.0

/** One place where the weather is known: monthly means of the air temperature, in °C. */
export interface Station {
  readonly id: string
  readonly city: string
  readonly latitude: number
  readonly monthlyMeanC: readonly number[]
}

/** Climate means as they are commonly published, rounded to half a degree. */
export const STATIONS: readonly Station[] = [
  {
    id: 'osl',
    city: 'Oslo',
    latitude: 59.9,
    monthlyMeanC: [-3, -3, 0.5, 5.5, 11.5, 15.5, 17.5, 16.5, 12, 6.5, 1.5, -2.5],
  },
  {
    id: 'zrh',
    city: 'Zürich',
    latitude: 47.4,
    monthlyMeanC: [1, 2, 6, 10, 14, 17.5, 19.5, 19, 14.5, 10.5, 5, 2],
  },
  {
    id: 'nbo',
    city: 'Nairobi',
    latitude: -1.3,
    monthlyMeanC: [20, 20.5, 21, 20.5, 19.5, 18, 17.5, 18, 19.5, 20.5, 19.5, 19.5],
  },
]

/** The station of a city, whatever the case of its name. */
export function findStation(city: string): Station | undefined {
  const wanted = city.toLocaleLowerCase('en')
  return STATIONS.find((station) => station.city.toLocaleLowerCase('en') === wanted)
}

/** The mean of one month, 1 to 12, in °C. */
export function meanOf(station: Station, month: number): number {
  const mean = station.monthlyMeanC[month - 1]
  if (mean === undefined) throw new RangeError(`there is no month ${month}`)
  return mean
}
