// SPDX-License-Identifier: Apache-2.0
import { readFileSync, writeFileSync } from 'node:fs'

const DOCS = new URL('../../../../docs/', import.meta.url)

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Prints a part of a page and, with `--write`, puts it between its markers. */
export function publish(name: string, text: string, file = 'performance.md'): void {
  console.log(text)
  if (!process.argv.includes('--write')) return
  const [open, close] = [`<!-- written by bench:${name} -->`, `<!-- end of bench:${name} -->`]
  const place = new URL(file, DOCS)
  const page = readFileSync(place, 'utf8')
  const [from, to] = [page.indexOf(open), page.indexOf(close)]
  if (from < 0 || to < from) throw new Error(`docs/${file} has no place for bench:${name}`)
  writeFileSync(place, `${page.slice(0, from)}${open}\n\n${text}\n\n${page.slice(to)}`)
}
