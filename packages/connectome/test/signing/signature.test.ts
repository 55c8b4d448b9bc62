// SPDX-License-Identifier: Apache-2.0
import {
  encode,
  type GraphInput,
  noSigner,
  type SignatureOptions,
  type Signer,
  type SignerAnswer,
  signature,
} from '@beam-mcp/connectome'
import { describe, expect, test } from 'vitest'
import { refusalOf, wrong } from '../refusal.ts'

const graph: GraphInput = { nodes: [{ id: 'a', kind: 'tool', level: 'server' }], edges: [] }
const UNSIGNED = 'BEAM_ERR_CANON_UNSIGNED'

function answering<Answer>(answer: Answer): Signer<Answer> & { calls: unknown[] } {
  const calls: unknown[] = []
  return {
    calls,
    name: 'test',
    sign: (bytes, options) => {
      calls.push({ bytes, options })
      return answer
    },
  }
}

const made = Uint8Array.of(1, 2, 3)

describe('signature', () => {
  test('hands the signer exactly the bytes, and the options as given', () => {
    const signer = answering<SignerAnswer>({ ok: true, signature: made })
    const options = {
      schemaVersion: 3,
      algorithm: 'sha384',
      scheme: 'x',
      keyId: 'k',
      own: 1,
    } as const
    expect(signature(graph, signer, options)).toEqual({
      algorithm: 'sha384',
      signature: made,
      signer: 'test',
      scheme: 'x',
      keyId: 'k',
    })
    const bytes = encode(graph, { schemaVersion: 3, algorithm: 'sha384' })
    expect(signer.calls).toEqual([{ bytes, options }])
    expect((signer.calls[0] as { options: unknown }).options).toBe(options)
  })

  test('takes bytes as an answer, and notes null for what it is not told', () => {
    const signer: Signer<SignerAnswer> = { sign: () => made }
    const noted = signature(graph, signer)
    expect(noted).toEqual({
      algorithm: 'sha256',
      signature: made,
      signer: null,
      scheme: null,
      keyId: null,
    })
    expect(Object.isFrozen(noted)).toBe(true)
  })

  test('waits for a signer that answers later', async () => {
    const later = answering<Promise<SignerAnswer>>(Promise.resolve({ ok: true, signature: made }))
    await expect(signature(graph, later)).resolves.toMatchObject({ signature: made })
    const never = answering<Promise<SignerAnswer>>(Promise.resolve({ ok: false, reason: 'busy' }))
    await expect(signature(graph, never)).rejects.toMatchObject({
      code: UNSIGNED,
      reason: ['signer', 'busy'],
    })
  })

  test.each<[string, unknown, unknown]>([
    ['its own reason', { ok: false, reason: ['hsm', 7] }, ['hsm', 7]],
    ['a signature that is text', 'abc', ['not_a_signature', 'abc']],
    ['ok without bytes', { ok: true }, ['not_a_signature', undefined]],
    ['nothing', undefined, ['not_a_signature', undefined]],
    ['null', null, ['not_a_signature', null]],
  ])('refuses a signer that answers %s', (_name, answer, reason) => {
    const signer = answering<SignerAnswer>(wrong(answer))
    expect(refusalOf(() => signature(graph, signer))).toEqual({
      code: UNSIGNED,
      reason: ['signer', reason],
    })
  })

  test('refuses what is no signer, after the graph', () => {
    const signer = wrong<Signer<SignerAnswer>>({ sign: 7 })
    expect(refusalOf(() => signature(graph, signer)).reason).toEqual([
      'signer',
      ['not_a_signer', signer],
    ])
    expect(refusalOf(() => signature(wrong(7), signer)).code).toBe('BEAM_ERR_CANON_REFUSED')
  })

  test.each<[unknown, readonly unknown[]]>([
    [7, ['invalid', 'options', 7]],
    [{ algorithm: 'sha384' }, ['invalid', 'algorithm', 'sha384']],
    [{ schemaVersion: 1 }, ['invalid', 'schema_version', 1]],
  ])('refuses the options %j and asks no signer', (options, reason) => {
    const signer = answering<SignerAnswer>(made)
    const call = (): unknown => signature(graph, signer, wrong<SignatureOptions>(options))
    expect(refusalOf(call)).toEqual({ code: 'BEAM_ERR_CANON_REFUSED', reason })
    expect(signer.calls).toEqual([])
  })

  test('lets a signer that throws, throw', () => {
    const signer: Signer<SignerAnswer> = {
      sign: () => {
        throw new TypeError('no card')
      },
    }
    expect(() => signature(graph, signer)).toThrow(TypeError)
  })

  test('has no key of its own: the built-in signer answers no_signer', () => {
    expect(refusalOf(() => signature(graph, noSigner)).reason).toEqual(['signer', 'no_signer'])
  })
})
