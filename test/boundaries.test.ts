// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest'
import { listFiles, readText } from './workspace.ts'

/** Code without its comments. */
const codeOf = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

const sources = listFiles()
  .filter((path) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path))
  .map((path) => ({ path, code: codeOf(readText(path)) }))

/** The published sources that hold a pattern, those of some folders left out. */
function filesWith(pattern: RegExp, except = /^$/): string[] {
  return sources
    .filter(({ path, code }) => pattern.test(code) && !except.test(path))
    .map(({ path }) => path)
}

const SIGNER = /^packages\/signer-ed25519\//

describe('the published sources', () => {
  test('are found', () => {
    expect(sources.length).toBeGreaterThan(150)
    expect(filesWith(/\bprivateKey\b|\bsign\(/, /^packages\/(?!signer-ed25519)/)).not.toEqual([])
  })

  test('write no sign but unset', () => {
    const written = /\bsign\s*[:=]\s*'(?!unset')\w*'/
    expect(filesWith(written)).toEqual([])
    expect(filesWith(/\bsign: 'unset'/)).not.toEqual([])
  })

  test('call no primitive of signing outside of the signer', () => {
    const primitives =
      /\b(createSign|createVerify|createHmac|generateKey\w*|createPrivateKey|createSecretKey|subtle|diffieHellman|scrypt|pbkdf2)\b/
    expect(filesWith(primitives, SIGNER)).toEqual([])
  })

  test('encrypt nowhere but in the state sealer, with a key that the host hands over', () => {
    const ciphers = /\b(createCipheriv|createDecipheriv|hkdf(Sync)?|publicEncrypt|privateEncrypt)\(/
    expect(filesWith(ciphers, /^packages\/core\/src\/state\/state-sealer\.ts$/)).toEqual([])
  })

  test('hold no key', () => {
    expect(
      filesWith(/BEGIN [A-Z ]*KEY|\b(privateKey|secretKey|apiKey|passphrase)\b/, SIGNER),
    ).toEqual([])
  })

  test('open no connection', () => {
    const modules = /'node:(tls|dgram|dns|dns\/promises|https|cluster)'/
    expect(filesWith(modules)).toEqual([])
    expect(filesWith(/\b(fetch|WebSocket|EventSource|XMLHttpRequest)\(/)).toEqual([])
    expect(filesWith(/\b(http2?|net|https)\.(request|get|connect|createConnection)\(/)).toEqual([])
    const named = filesWith(/\b(createConnection|connectToMainThread|isIPv6)\b/)
    expect(named.filter((path) => !path.startsWith('packages/core/src/http/hosts.ts'))).toEqual([])
  })

  test('do nothing with OAuth: the authorization header is read nowhere', () => {
    expect(filesWith(/\bheaders\.authorization\b|\['authorization'\]|bearer /i)).toEqual([])
  })

  test('serve no catalog of their own: no tool is defined in the connectome', () => {
    const own = filesWith(/\b(defineTool|createCatalog)\(/, /^packages\/(core|signer-ed25519)\//)
    expect(own).toEqual([])
  })
})
