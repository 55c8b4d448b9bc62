// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'

/** The value below which this share of the numbers lies. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN
}

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5)
}

/** The median with the middle half: `1.10 (1.08 to 1.13)`. */
export function spread(numbers: readonly number[], digits: number): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) =>
    format(quantile(numbers, share), digits),
  )
  return `${middle} (${low} to ${high})`
}

/** A number as the pages write it: `12,345.6`. */
export function format(value: number, digits: number): string {
  return value.toLocaleString('en-GB', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}

/** Where and with what a run was made. */
export function describeRun(versionsOf: readonly string[]): string {
  const versions = versionsOf.map((name) => `${name} ${versionOf(name)}`).join(', ')
  const date = new Date().toISOString().slice(0, 10)
  const model = cpus()[0]?.model.trim() ?? 'unknown processor'
  return `Node ${process.version}, ${versions}; ${availableParallelism()} cores (${model}); ${date}.`
}

function versionOf(name: string): string {
  const path = new URL(`../../../node_modules/${name}/package.json`, import.meta.url)
  return String((JSON.parse(readFileSync(path, 'utf8')) as { version: unknown }).version)
}
