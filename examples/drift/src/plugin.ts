// SPDX-License-Identifier: Apache-2.0
import { extname } from 'node:path'

/** What runs after a price was asked for. */
export interface Plugin {
  readonly afterwards: (article: string) => void
}

/** A module of this folder, whether it is built or source. */
export function moduleUrl(name: string): string {
  return new URL(`./${name}${extname(import.meta.url)}`, import.meta.url).href
}

/** The plugin that the deployment names: no source says which. */
export async function loadPlugin(): Promise<Plugin> {
  return await import(moduleUrl(process.env['SHOP_PLUGIN'] ?? 'partner'))
}
