// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { ResolverFactory } from 'oxc-resolver'
import { type Declared, pairKey, type Verdict } from './compare.ts'
import { isModuleFile, moduleIdOf, type PackageRoot } from './loader/scope.ts'
import {
  childrenOf,
  isNode,
  nameOf,
  nodeAt,
  nodesAt,
  parseFile,
  type SyntaxNode,
  unwrap,
} from './loader/syntax.ts'
import { describeUnits, type Unit, type Units, unitKey } from './naming.ts'

const resolver = new ResolverFactory({
  conditionNames: ['node', 'import', 'require', 'default'],
  mainFields: ['module', 'main'],
  extensions: ['.js', '.cjs', '.mjs', '.json'],
  extensionAlias: { '.js': ['.js', '.ts'] },
})

/** A module that was read, and what each imported name stands for. */
interface ReadModule {
  readonly units: Units
  readonly calls: readonly SyntaxNode[]
  readonly imports: ReadonlyMap<
    string,
    { readonly file: string; readonly name: string | undefined }
  >
}

/**
 * What the least effort gives: names that a module imports, or declares itself, are followed when they
 * are called; every other call is listed.
 */
export function declareImportsOnly(
  entries: readonly string[],
  roots: readonly PackageRoot[],
): Declared {
  const modules = new Map<string, ReadModule>()
  const queue = [...entries]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    const id = modules.has(file) ? undefined : moduleIdOf(file, roots)
    if (id === undefined) continue
    const read = readModule(file, id)
    modules.set(file, read)
    for (const { file: next } of read.imports.values()) queue.push(next)
  }
  const targets = new Map<string, Unit>()
  const [functionEdges, moduleEdges] = [new Set<string>(), new Set<string>()]
  for (const { units, calls, imports } of modules.values()) {
    for (const call of calls) {
      const from = units.ofSite(call)
      const to = targetOf(call, units, imports, modules)
      if (to === undefined) continue
      targets.set(`${from.module} ${call.start} ${call.end}`, to)
      functionEdges.add(pairKey(unitKey(from), unitKey(to)))
      moduleEdges.add(pairKey(from.module, to.module))
    }
  }
  const verdict = (
    { module, start, end }: Parameters<Declared['verdictOf']>[0],
    nameOf: (to: Unit) => string,
  ): Verdict => {
    const target = targets.get(`${module} ${start} ${end}`)
    const calls = target === undefined ? [] : [nameOf(target)]
    return { isListed: target === undefined, calls, passes: [] }
  }
  return {
    functionEdges,
    moduleEdges,
    verdictOf: (site) => verdict(site, unitKey),
    moduleVerdictOf: (site) => verdict(site, ({ module }) => module),
  }
}

function readModule(file: string, id: string): ReadModule {
  const [source, isModule] = [readFileSync(file, 'utf8'), isModuleFile(file)]
  const imports = new Map<string, { file: string; name: string | undefined }>()
  const calls: SyntaxNode[] = []
  const add = (local: unknown, from: unknown, name: string | undefined): void => {
    const { path } = resolver.sync(dirname(file), nameOf(from) ?? '')
    if (path !== undefined) imports.set(nameOf(local) ?? String(from), { file: path, name })
  }
  const visit = (node: SyntaxNode): void => {
    if (/^(Call|New)Expression$/.test(node.type)) calls.push(node)
    if (/^(Import|ExportNamed|ExportAll)Declaration$/.test(node.type) && isNode(node['source'])) {
      if (node['specifiers'] === undefined) add(undefined, node['source'], undefined)
      for (const each of nodesAt(node, 'specifiers'))
        add(each['local'], node['source'], nameOf(each['imported']))
    }
    if (node.type === 'VariableDeclarator' && isNode(node['init'])) addRequired(node, add)
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseFile(file, source, isModule))
  return { units: describeUnits(file, id, source, isModule), calls, imports }
}

function addRequired(
  node: SyntaxNode,
  add: (local: unknown, from: unknown, name: string | undefined) => void,
): void {
  const [call, id] = [nodeAt(node, 'init'), nodeAt(node, 'id')]
  if (call.type !== 'CallExpression' || nameOf(call['callee']) !== 'require') return
  const from = nodesAt(call, 'arguments')[0]
  if (id.type === 'Identifier') add(id, from, undefined)
  for (const each of nodesAt(id, 'properties')) add(each['value'], from, nameOf(each['key']))
}

function targetOf(
  call: SyntaxNode,
  own: Units,
  imports: ReadModule['imports'],
  modules: ReadonlyMap<string, ReadModule>,
): Unit | undefined {
  const callee = calleeOf(call)
  const isMember = callee.type === 'MemberExpression'
  const local = nameOf(isMember ? callee['object'] : callee) ?? ''
  const found = imports.get(local)
  const units = found === undefined ? own : modules.get(found.file)?.units
  const name = isMember ? nameOf(callee['property']) : (found?.name ?? local)
  if (isMember && found === undefined) return undefined
  const names = call.type === 'NewExpression' ? [`${name}.constructor`, name] : [name]
  return units?.all.find((unit) => names.includes(unit.name))
}

/** What is called; compilers write `(0, module.name)(…)`. */
function calleeOf(call: SyntaxNode): SyntaxNode {
  const callee = unwrap(nodeAt(call, 'callee'))
  const last = nodesAt(callee, 'expressions').at(-1)
  return callee.type === 'SequenceExpression' && last !== undefined ? last : callee
}
