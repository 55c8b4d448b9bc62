// SPDX-License-Identifier: Apache-2.0
import type { ValueKind } from './values.ts'

/** Names every module finds without declaring them. */
export const GLOBALS: ReadonlySet<string> = new Set([
  ...['Object', 'Function', 'Array', 'String', 'Number', 'Boolean', 'Symbol', 'BigInt', 'Math'],
  ...['JSON', 'Date', 'RegExp', 'Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Promise', 'Proxy'],
  ...['Reflect', 'Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError'],
  ...['URIError', 'AggregateError', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView', 'Atomics'],
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array'],
  ...['Uint32Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array', 'Intl'],
  ...['FinalizationRegistry', 'WebAssembly', 'parseInt', 'parseFloat', 'isNaN', 'isFinite'],
  ...['encodeURIComponent', 'decodeURIComponent', 'encodeURI', 'decodeURI', 'escape', 'unescape'],
  ...['NaN', 'Infinity', 'console', 'process', 'Buffer', 'URL', 'URLSearchParams', 'TextEncoder'],
  ...['TextDecoder', 'AbortController', 'AbortSignal', 'Event', 'EventTarget', 'fetch', 'Headers'],
  ...['Request', 'Response', 'FormData', 'Blob', 'File', 'ReadableStream', 'WritableStream'],
  ...['TransformStream', 'CompressionStream', 'DecompressionStream', 'performance', 'crypto'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'Iterator'],
  ...['clearImmediate', 'queueMicrotask', 'structuredClone', 'atob', 'btoa', 'require', 'window'],
  ...['MessageChannel', 'MessagePort', 'BroadcastChannel', 'Worker', 'WebSocket', 'navigator'],
  ...['document', 'DOMException', 'DisposableStack', 'AsyncDisposableStack', 'SuppressedError'],
  ...['__dirname', '__filename', 'Crypto', 'CryptoKey', 'SubtleCrypto', 'MessageEvent'],
  ...['CustomEvent', 'Deno', 'Bun', 'self', 'postMessage', 'location', 'localStorage'],
])

const OF_OBJECTS: ReadonlySet<string> = new Set([
  ...['hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable', 'toString', 'toLocaleString'],
  ...['valueOf', '__defineGetter__', '__defineSetter__'],
])
const OF_FUNCTIONS: ReadonlySet<string> = new Set(['call', 'apply', 'bind'])
const OF_LISTS: ReadonlySet<string> = new Set([
  ...['at', 'concat', 'copyWithin', 'entries', 'every', 'fill', 'filter', 'find', 'findIndex'],
  ...['findLast', 'findLastIndex', 'flat', 'flatMap', 'forEach', 'includes', 'indexOf', 'join'],
  ...['keys', 'lastIndexOf', 'map', 'pop', 'push', 'reduce', 'reduceRight', 'reverse', 'shift'],
  ...['slice', 'some', 'sort', 'splice', 'toReversed', 'toSorted', 'toSpliced', 'unshift'],
  ...['values', 'with', 'get', 'set', 'add', 'has', 'delete', 'clear', 'next', 'return', 'throw'],
  ...['take', 'drop', 'toArray', 'deref'],
])
const OF_PROMISES: ReadonlySet<string> = new Set(['then', 'catch', 'finally'])

const OF_TEXTS: ReadonlySet<string> = new Set([
  ...['charAt', 'charCodeAt', 'codePointAt', 'endsWith', 'exec', 'localeCompare', 'match'],
  ...['matchAll', 'normalize', 'padEnd', 'padStart', 'repeat', 'replace', 'replaceAll', 'search'],
  ...['split', 'startsWith', 'substr', 'substring', 'test', 'toFixed', 'toISOString', 'getTime'],
  ...['toLowerCase', 'toUpperCase', 'trim', 'trimEnd', 'trimStart', 'toJSON'],
])

/** Of lists and collections those that take no function, and have no model of their own. */
const OF_DATA: ReadonlySet<string> = new Set([
  ...['includes', 'indexOf', 'lastIndexOf', 'join', 'copyWithin', 'has', 'delete', 'clear'],
  ...['return', 'throw', 'subarray', 'getMonth', 'getFullYear', 'setTime', 'equals', 'compare'],
  ...['encode', 'encodeInto', 'decode'],
])

/** Whether a method `#name` of a builtin value calls no argument, whatever that is. */
export function callsNothing(path: string): boolean {
  const name = path.slice(1)
  return OF_DATA.has(name) || OF_TEXTS.has(name) || OF_OBJECTS.has(name)
}

/** Whether a name is one of the platform's own, which nobody sets under a computed name. */
export function isPlatformName(name: string): boolean {
  return PLATFORM_NAMES.has(name)
}

const PLATFORM_NAMES: ReadonlySet<string> = new Set([
  ...[...OF_OBJECTS, ...OF_LISTS, ...OF_PROMISES, ...OF_FUNCTIONS, ...OF_TEXTS],
])

/** The builtin that objects of a kind inherit under a name: `#map` for `map` of a list. */
export function inheritedMember(kind: ValueKind, name: string): string | undefined {
  if (OF_OBJECTS.has(name)) return `#${name}`
  const own =
    kind === 'function' || kind === 'class'
      ? OF_FUNCTIONS
      : kind === 'list'
        ? OF_LISTS
        : kind === 'promise'
          ? OF_PROMISES
          : undefined
  return own?.has(name) ? `#${name}` : undefined
}

const MOST_PARTS = 4
const ANSWER = '()'

/**
 * The path of a member; a long one stays as it is. What a call answered is known by that call and one
 * name, however far it is read.
 */
export function memberPath(path: string, name: string): string {
  if (path.startsWith('#')) return path
  const answer = path.indexOf(ANSWER)
  if (answer >= 0) {
    const called = path.slice(0, answer + ANSWER.length)
    return name === ANSWER ? called : `${called}.${name}`
  }
  return isLong(path) ? path : `${path}.${name}`
}

function isLong(path: string): boolean {
  let parts = 1
  for (let at = path.indexOf('.'); at >= 0; at = path.indexOf('.', at + 1)) parts++
  return parts > MOST_PARTS
}

/** The same for a value of a package: the package's name, a space, the path within it. */
export function externalMember(path: string, name: string): string {
  const space = path.indexOf(' ')
  if (space < 0) return `${path} ${name}`
  const inner = path.slice(space + 1)
  return `${path.slice(0, space)} ${memberPath(inner, name)}`
}

export function packageOf(path: string): string {
  const end = path.indexOf(' ')
  return end < 0 ? path : path.slice(0, end)
}
