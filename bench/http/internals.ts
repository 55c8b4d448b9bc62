// SPDX-License-Identifier: Apache-2.0

/**
 * Loads a module of the built package that its entries do not export: what is timed is the file
 * that serves.
 *
 * @typeParam Module  `typeof import(…)` of the same file
 * @param path  below `dist`
 */
export async function loadBuilt<Module>(path: string): Promise<Module> {
  const url = new URL(`../../../../packages/core/dist/${path}`, import.meta.url)
  return (await import(url.href)) as Module
}
