// SPDX-License-Identifier: Apache-2.0
// The only file that names the resolver.
import { isBuiltin } from 'node:module'
import { refuse } from '../refuse.ts'

/** Where a name leads: a file, a module of the platform, or nowhere. */
export type Found =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'builtin'; readonly name: string }
  | { readonly kind: 'missing' }

export type ResolveModule = (folder: string, specifier: string, isRequire: boolean) => Found

const SOURCES = {
  '.js': ['.js', '.ts', '.tsx', '.jsx'],
  '.jsx': ['.jsx', '.tsx'],
  '.mjs': ['.mjs', '.mts'],
  '.cjs': ['.cjs', '.cts'],
}
const EXTENSIONS = ['.js', '.json', '.node', '.ts', '.tsx', '.mjs', '.cjs', '.mts', '.cts', '.jsx']
const NAME = 'oxc-resolver'

/** Loads the resolver. @throws ConnectomeError `['unavailable', 'oxc-resolver']` where it is not installed */
export async function loadResolver(): Promise<ResolveModule> {
  const { ResolverFactory } = await import('oxc-resolver').catch(() => refuse('unavailable', NAME))
  const shared = { extensions: EXTENSIONS, extensionAlias: SOURCES, nodePath: false }
  const forImport = new ResolverFactory({
    ...shared,
    conditionNames: ['node', 'import', 'default'],
  })
  const forRequire = forImport.cloneWithOptions({
    ...shared,
    conditionNames: ['node', 'require', 'default'],
  })
  return (folder, specifier, isRequire) => {
    if (isBuiltin(specifier)) return { kind: 'builtin', name: specifier.replace(/^node:/, '') }
    const { path } = (isRequire ? forRequire : forImport).sync(folder, specifier)
    return path === undefined ? { kind: 'missing' } : { kind: 'file', path }
  }
}
