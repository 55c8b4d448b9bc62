// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes an empty folder outside the workspace; it goes when this process ends. */
export function makeTempFolder(name) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `beam-mcp-${name}-`)))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
