// SPDX-License-Identifier: Apache-2.0
// Writes what the two programs tell of themselves to the file that OBSERVATIONS names.
import { writeFileSync } from 'node:fs'

export async function drive() {
  const told = []
  for (const file of ['sloppy.cjs', 'strict.mjs']) {
    const { default: seen } = await import(`./behaviour/${file}`)
    told.push(...(await seen))
  }
  writeFileSync(process.env['OBSERVATIONS'], JSON.stringify(told, null, 1))
}
