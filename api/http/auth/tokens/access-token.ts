import { decodeProtectedHeader, SignJWT } from 'jose';
import type { KeyObject } from 'node:crypto';
import { v7 } from 'uuid';
import { z } from 'zod';
import type { AuthConfig } from '../config';
import { SigningKeys, type PublicJwk } from './signing-keys';

/** Distinguishes access tokens from all other tokens that we sign (RFC 9068). */
const TYPE = 'at+jwt';

/** The only accepted header: no key of the sender (jwk, x5c), no address of one (jku, x5u), no crit. */
const Header = z.strictObject({ alg: z.literal('ES256'), typ: z.literal(TYPE), kid: z.string() });

const Claims = z.object({ sub: z.uuid(), sid: z.uuid(), exp: z.number() });

export type Claims = z.output<typeof Claims>;

/** Signs access tokens, and returns the key that verifies one. */
export class AccessTokens {
  readonly lifetimeSeconds: number;
  readonly issuer: string;
  readonly audience: string;
  private readonly keys: SigningKeys;

  constructor(config: Pick<AuthConfig, 'JWT_KEYS' | 'JWT_ISSUER' | 'JWT_AUDIENCE' | 'ACCESS_TOKEN_SECONDS'>) {
    this.keys = new SigningKeys(config.JWT_KEYS);
    this.issuer = config.JWT_ISSUER;
    this.audience = config.JWT_AUDIENCE;
    this.lifetimeSeconds = config.ACCESS_TOKEN_SECONDS;
  }

  /** A token to act as this user while the session lives, for at most `lifetimeSeconds`. */
  async issue(userId: string, sessionId: string): Promise<string> {
    const issuedAt = Math.floor(Date.now() / 1000);
    return new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: 'ES256', typ: TYPE, kid: this.keys.kid })
      .setSubject(userId)
      .setIssuer(this.issuer)
      .setAudience(this.audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + this.lifetimeSeconds)
      .setJti(v7())
      .sign(this.keys.privateKey);
  }

  /** The public key that verifies the token; null for a token that we did not sign. */
  verifyingKey(token: string): KeyObject | null {
    const header = Header.safeParse(headerOf(token));
    return header.success ? this.keys.publicKey(header.data.kid) : null;
  }

  /** The claims of a verified token; null if it is no access token. */
  claims(payload: unknown): Claims | null {
    return Claims.safeParse(payload).data ?? null;
  }

  /** The public keys, for /.well-known/jwks.json. */
  get published(): readonly PublicJwk[] {
    return this.keys.published;
  }
}

function headerOf(token: string): unknown {
  try {
    return decodeProtectedHeader(token);
  } catch {
    return null;
  }
}
