// SPDX-License-Identifier: Apache-2.0
import Module from 'node:module'
import { instrument } from './instrument.ts'
import { isModuleFile, moduleIdOf, type PackageRoot } from './scope.ts'

/** The step of Node's CommonJS loader that compiles a text; absent from its types. */
interface Compiling {
  _compile: (this: unknown, content: string, filename: string, ...rest: unknown[]) => unknown
}

/** Instruments the CommonJS modules of the scope as they are compiled. */
export function hookCommonJs(roots: readonly PackageRoot[]): void {
  const prototype = Module.prototype as unknown as Compiling
  const compile = prototype._compile
  prototype._compile = function (content, filename, ...rest) {
    const module = moduleIdOf(filename, roots)
    if (module === undefined || isModuleFile(filename))
      return compile.call(this, content, filename, ...rest)
    return compile.call(this, instrument(filename, module, content, false).code, filename, ...rest)
  }
}
