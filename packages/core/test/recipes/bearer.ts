// SPDX-License-Identifier: Apache-2.0
import { createBeam, type Decision } from '@beam-mcp/core'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'

export interface Caller {
  readonly subject: string
  readonly scopes: ReadonlySet<string>
}

export interface BearerConfig {
  /** The endpoint as clients reach it, whatever stands in front. Never read from a request. */
  readonly publicUrl: string
  /** The authorization server: the `iss` of its tokens. */
  readonly issuer: string
  /** `createRemoteJWKSet(new URL('https://login.example/jwks'))`, say. */
  readonly keys: JWTVerifyGetKey
  /** The scopes that basic use needs. */
  readonly scopes: string
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource'
/** What is wrong with a token; anything else jose throws is wrong with the keys: 500. */
const TOKEN_FAULT = /^ERR_(?:JWT|JWS|JOSE_ALG|JOSE_NOT|JWKS_NO)_/

export function createBearer({ publicUrl, issuer, keys, scopes }: BearerConfig) {
  const { origin, pathname } = new URL(publicUrl)
  const metadataPath = pathname === '/' ? WELL_KNOWN : WELL_KNOWN + pathname

  const challenge = (error?: string, scope = scopes): string =>
    [
      ...(error === undefined ? [] : [`error="${error}"`]),
      `scope="${scope}"`,
      `resource_metadata="${origin}${metadataPath}"`,
    ].join(', ')

  const refuse = (error?: string, reason?: string): Decision<Caller> => ({
    ok: false,
    status: 401,
    challenge: `Bearer ${challenge(error)}`,
    ...(reason !== undefined && { reason }),
  })

  const authorize = async ({ headers }: FastifyRequest): Promise<Decision<Caller>> => {
    const [, token] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? []
    if (token === undefined) return refuse()
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience: publicUrl,
        algorithms: ['ES256', 'EdDSA', 'RS256'],
        requiredClaims: ['exp', 'sub'],
      })
      const granted = typeof payload['scope'] === 'string' ? payload['scope'].split(' ') : []
      return { ok: true, principal: { subject: String(payload.sub), scopes: new Set(granted) } }
    } catch (error) {
      if (!(error instanceof errors.JOSEError) || !TOKEN_FAULT.test(error.code)) throw error
      return refuse('invalid_token', error.code)
    }
  }

  /** Serves the metadata (RFC 9728) that a client asks for without a token. */
  const addMetadata = (app: FastifyInstance): void => {
    const metadata = {
      resource: publicUrl,
      authorization_servers: [issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: scopes.split(' '),
    }
    for (const path of new Set([metadataPath, WELL_KNOWN])) app.get(path, () => metadata)
  }

  return { authorize, addMetadata, challenge }
}

/** @param prefix  where the application has the endpoint; a proxy may show it elsewhere */
export async function createApp(config: BearerConfig, prefix = ''): Promise<FastifyInstance> {
  const bearer = createBearer(config)
  const beam = createBeam<Caller>()
  const whoami = beam.defineTool({
    name: 'whoami',
    handler: (_args, { principal }) => ({ subject: principal.subject }),
  })
  const app = Fastify()
  bearer.addMetadata(app)
  await app.register(beam.plugin, {
    ...beam.createCatalog({ tools: [whoami] }),
    prefix,
    allowedOrigins: [],
    authorize: bearer.authorize,
  })
  return app
}
