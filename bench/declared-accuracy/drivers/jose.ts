// SPDX-License-Identifier: Apache-2.0
// ECMAScript modules by hand: functions, a few classes, deep barrels.
import * as jose from 'jose'

export async function drive(): Promise<void> {
  const secret = new TextEncoder().encode('a secret of thirty-two bytes, ok')
  const { publicKey, privateKey } = await jose.generateKeyPair('ES256', { extractable: true })
  await tokens(secret, publicKey, privateKey)
  await unencoded(secret)
  await encryption(secret)
  await keys(publicKey, privateKey)
  await refusals(secret)
  await setters(secret)
  await sets(publicKey, privateKey)
}

async function tokens(
  secret: Uint8Array,
  publicKey: jose.CryptoKey,
  privateKey: jose.CryptoKey,
): Promise<void> {
  const claims = { scope: 'read' }
  const token = await new jose.SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuedAt()
    .setIssuer('issuer')
    .setAudience(['audience'])
    .setSubject('subject')
    .setJti('id')
    .setNotBefore('0s')
    .setExpirationTime('2h')
    .sign(privateKey)
  await jose.jwtVerify(token, publicKey, {
    issuer: 'issuer',
    audience: 'audience',
    maxTokenAge: '1h',
    subject: 'subject',
  })
  jose.decodeJwt(token)
  jose.decodeProtectedHeader(token)
  const keySet = jose.createLocalJWKSet({
    keys: [{ ...(await jose.exportJWK(publicKey)), kid: 'one', alg: 'ES256' }],
  })
  await jose.jwtVerify(token, keySet)
  const plain = new jose.UnsecuredJWT(claims).setIssuedAt().encode()
  jose.UnsecuredJWT.decode(plain)
  const payload = new TextEncoder().encode('payload')
  const flat = await new jose.FlattenedSign(payload)
    .setProtectedHeader({ alg: 'HS256' })
    .sign(secret)
  await jose.flattenedVerify(flat, secret)
  const general = new jose.GeneralSign(payload)
  general.addSignature(secret).setProtectedHeader({ alg: 'HS256' })
  await jose.generalVerify(await general.sign(), secret)
  const compact = await new jose.CompactSign(payload)
    .setProtectedHeader({ alg: 'HS256' })
    .sign(secret)
  await jose.compactVerify(compact, secret)
}

/** A compact token whose payload is not encoded. */
async function unencoded(secret: Uint8Array): Promise<void> {
  const flat = await new jose.FlattenedSign(new TextEncoder().encode('payload'))
    .setProtectedHeader({ alg: 'HS256', b64: false, crit: ['b64'] })
    .sign(secret)
  await jose.compactVerify(`${flat.protected}.payload.${flat.signature}`, secret)
}

async function encryption(secret: Uint8Array): Promise<void> {
  const payload = new TextEncoder().encode('payload')
  const header = { alg: 'dir', enc: 'A256GCM' }
  const token = await new jose.EncryptJWT({ a: 1 })
    .setProtectedHeader(header)
    .setExpirationTime('1h')
    .encrypt(secret)
  await jose.jwtDecrypt(token, secret)
  for (const alg of ['A256KW', 'A256GCMKW', 'PBES2-HS256+A128KW']) {
    const compact = await new jose.CompactEncrypt(payload)
      .setProtectedHeader({ alg, enc: 'A128CBC-HS256' })
      .encrypt(secret)
    await jose.compactDecrypt(compact, secret, { keyManagementAlgorithms: [alg] })
  }
  for (const alg of ['ECDH-ES', 'RSA-OAEP-256']) {
    const pair = await jose.generateKeyPair(alg, { extractable: true })
    const flat = await new jose.FlattenedEncrypt(payload)
      .setProtectedHeader({ alg, enc: 'A256GCM' })
      .encrypt(pair.publicKey)
    await jose.flattenedDecrypt(flat, pair.privateKey)
  }
  const general = new jose.GeneralEncrypt(payload).setProtectedHeader({ enc: 'A256GCM' })
  general.addRecipient(secret).setUnprotectedHeader({ alg: 'A256KW' })
  await jose.generalDecrypt(await general.encrypt(), secret)
}

async function keys(publicKey: jose.CryptoKey, privateKey: jose.CryptoKey): Promise<void> {
  const jwk = await jose.exportJWK(publicKey)
  await jose.importJWK(jwk, 'ES256')
  await jose.calculateJwkThumbprint(jwk)
  await jose.calculateJwkThumbprintUri(jwk)
  await jose.importSPKI(await jose.exportSPKI(publicKey), 'ES256')
  await jose.importPKCS8(await jose.exportPKCS8(privateKey), 'ES256')
  await jose.generateSecret('HS256')
  await jose.EmbeddedJWK({ alg: 'ES256', jwk }, undefined as never)
  jose.base64url.decode(jose.base64url.encode('text'))
}

async function refusals(secret: Uint8Array): Promise<void> {
  const token = await new jose.SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(1)
    .sign(secret)
  await jose.jwtVerify(token, secret).catch(() => {})
  await jose.jwtVerify('nonsense', secret).catch(() => {})
  await jose.jwtVerify(`${token.slice(0, -2)}xx`, secret).catch(() => {})
  await jose.importJWK({ kty: 'none' } as never, 'ES256').catch(() => {})
}

async function setters(secret: Uint8Array): Promise<void> {
  const payload = new TextEncoder().encode('payload')
  const iv = new Uint8Array(12)
  const jwt = new jose.EncryptJWT({ iss: 'a', sub: 'b', aud: 'c' })
    .setProtectedHeader({ alg: 'A256KW', enc: 'A256GCM', zip: 'DEF' })
    .setContentEncryptionKey(secret)
    .setInitializationVector(iv)
    .replicateIssuerAsHeader()
    .replicateSubjectAsHeader()
    .replicateAudienceAsHeader()
  await jwt
    .encrypt(secret)
    .then((token) => jose.jwtDecrypt(token, secret))
    .catch(() => {})
  const flat = await new jose.FlattenedEncrypt(payload)
    .setProtectedHeader({ enc: 'A256GCM' })
    .setSharedUnprotectedHeader({ alg: 'A256KW' })
    .setUnprotectedHeader({ kid: 'one' })
    .setAdditionalAuthenticatedData(payload)
    .setContentEncryptionKey(secret)
    .setInitializationVector(iv)
    .encrypt(secret)
  await jose.flattenedDecrypt(flat, secret)
  const compact = new jose.CompactEncrypt(payload).setProtectedHeader({
    alg: 'PBES2-HS256+A128KW',
    enc: 'A256GCM',
  })
  await compact
    .setKeyManagementParameters({ p2c: 1_000, p2s: iv })
    .encrypt(secret)
    .catch(() => {})
  const general = new jose.GeneralEncrypt(payload)
    .setProtectedHeader({ enc: 'A256GCM' })
    .setSharedUnprotectedHeader({ jku: 'https://a.example' })
    .setAdditionalAuthenticatedData(payload)
  general
    .addRecipient(secret)
    .setUnprotectedHeader({ alg: 'A256KW' })
    .addRecipient(secret)
    .setUnprotectedHeader({ alg: 'A256GCMKW' })
    .done()
  await general.encrypt().catch(() => {})
  const signed = new jose.GeneralSign(payload)
  signed
    .addSignature(secret)
    .setProtectedHeader({ alg: 'HS256', b64: false, crit: ['b64'] })
    .setUnprotectedHeader({ kid: 'x' })
    .done()
  await signed
    .sign()
    .then((jws) => jose.generalVerify(jws, secret))
    .catch(() => {})
}

async function sets(publicKey: jose.CryptoKey, privateKey: jose.CryptoKey): Promise<void> {
  const jwk = await jose.exportJWK(publicKey)
  const token = await new jose.SignJWT({}).setProtectedHeader({ alg: 'ES256' }).sign(privateKey)
  const several = jose.createLocalJWKSet({
    keys: [
      { ...jwk, kid: 'a' },
      { ...jwk, kid: 'b' },
    ],
  })
  await jose.jwtVerify(token, several).catch(async (error: unknown) => {
    if (!(error instanceof jose.errors.JWKSMultipleMatchingKeys)) return
    for await (const key of error) await jose.jwtVerify(token, key)
  })
  const none = jose.createLocalJWKSet({ keys: [] })
  await jose.jwtVerify(token, none).catch(() => {})
  const remote = jose.createRemoteJWKSet(new URL('https://keys.example/set'), {
    [jose.customFetch]: () => Promise.resolve(Response.json({ keys: [jwk] })),
  })
  await jose.jwtVerify(token, remote)
  for (const options of [
    { typ: 'JWT' },
    { issuer: 'x' },
    { audience: 'x' },
    { maxTokenAge: 'x' },
    { crit: { b64: true } },
  ]) {
    await jose.jwtVerify(token, publicKey, options).catch(() => {})
  }
  await jose.jwtVerify(token, jwk).catch(() => {})
  await jose.jwtVerify(token, 'text' as never).catch(() => {})
  await jose
    .importX509('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', 'ES256')
    .catch(() => {})
  await new jose.SignJWT({})
    .setProtectedHeader({ alg: 'none' })
    .sign(privateKey)
    .catch(() => {})
}
