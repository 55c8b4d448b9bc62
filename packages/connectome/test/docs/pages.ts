// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'

/** A page of the documentation, by its name without `connectome` and the ending. */
export function page(name: '' | '-canonical' | '-diff' | '-observed' | '-reach'): string {
  return readFileSync(new URL(`../../../../docs/connectome${name}.md`, import.meta.url), 'utf8')
}

/** The code blocks of a language, in the order of the page. */
export function blocks(text: string, language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n([^]*?)\\n\`\`\`$`, 'gm')
  return [...text.matchAll(pattern)].map((found) => found[1] ?? '')
}

/** The text under a heading, up to the next one. */
export function section(text: string, heading: string): string {
  const parts = text.split(/^##+ /m)
  return parts.find((part) => part.startsWith(`${heading}\n`)) ?? ''
}

/** The cells of the table rows in a text, header and rule left out. */
export function rows(text: string): string[][] {
  const lines = text.split('\n').filter((line) => line.startsWith('| '))
  return lines
    .slice(2)
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')))
}

/** What stands between backquotes in a text. */
export function quoted(text: string): string[] {
  return [...text.matchAll(/`([^`]*)`/g)].map((found) => found[1] ?? '')
}
