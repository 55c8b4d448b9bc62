// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'

/** A Node on this machine. */
export interface NodeProgram {
  readonly path: string
  /** With its `v`. */
  readonly version: string
}

const THIS: NodeProgram = { path: process.execPath, version: process.version }

/** The suite's bundle needs a function that Node 20 does not have. */
const SUITE_MAJOR = 22

/** The Node that runs the suite: this one where it can load it. */
export function findSuiteNode(): NodeProgram {
  return majorOf(THIS.version) >= SUITE_MAJOR ? THIS : findNode(SUITE_MAJOR)
}

/**
 * Finds a Node of one major, this one or one that npx installs from the registry.
 *
 * @throws Error where there is none of it for this platform
 */
export function findNode(major: number): NodeProgram {
  if (majorOf(THIS.version) === major) return THIS
  // The first package copies its binary in an install script; the second needs none.
  const platform = process.platform === 'win32' ? 'win' : process.platform
  for (const name of ['node', `node-${platform}-${process.arch}`]) {
    const found = install(`${name}@${major}`)
    // Without a binary of its own, npx falls back to the Node on the path unseen.
    if (found !== undefined && majorOf(found.version) === major) return found
  }
  throw new Error(`npx brings no Node ${major} for ${process.platform}-${process.arch}`)
}

function install(spec: string): NodeProgram | undefined {
  const isWindows = process.platform === 'win32'
  try {
    // In an empty place: a `node` in a node_modules on the way up would win.
    const options = { cwd: tmpdir(), shell: isWindows, encoding: 'utf8' } as const
    const args = ['--yes', '-p', spec, 'node', '-p', 'process.execPath']
    const path = execFileSync('npx', args, options).trim()
    return {
      path,
      version: execFileSync(path, ['-p', 'process.version'], { encoding: 'utf8' }).trim(),
    }
  } catch (error) {
    console.error(`${spec}: ${(error as Error).message}`)
    return undefined
  }
}

function majorOf(version: string): number {
  return Number(/^v(\d+)\./.exec(version)?.[1])
}
