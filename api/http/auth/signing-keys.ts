import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { SigningJwk } from './config';

/** One key as others may see it (RFC 7517). */
export interface PublicJwk {
  kty: 'EC';
  crv: 'P-256';
  kid: string;
  x: string;
  y: string;
  alg: 'ES256';
  use: 'sig';
}

/** The keys behind access tokens: the first signs, every one verifies. */
export class SigningKeys {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly published: readonly PublicJwk[];
  private readonly verifying: Readonly<Record<string, string>>;

  /** Throws when a key is no point on the curve, or there is none. */
  constructor(jwks: readonly SigningJwk[]) {
    const [first] = jwks;
    if (!first) throw new Error('JWT_KEYS holds no key.');
    this.kid = first.kid;
    this.privateKey = createPrivateKey({ key: { ...first }, format: 'jwk' });
    this.published = jwks.map(({ kty, crv, kid, x, y }) => ({
      kty,
      crv,
      kid,
      x,
      y,
      alg: 'ES256',
      use: 'sig',
    }));
    this.verifying = Object.fromEntries(jwks.map((jwk) => [jwk.kid, publicPem(jwk)]));
  }

  /** The PEM of the public key of this name, else null; a name like `constructor` is no key. */
  publicKey(kid: string): string | null {
    return Object.hasOwn(this.verifying, kid) ? (this.verifying[kid] ?? null) : null;
  }
}

function publicPem(jwk: SigningJwk): string {
  const key = createPublicKey(createPrivateKey({ key: { ...jwk }, format: 'jwk' }));
  return key.export({ type: 'spki', format: 'pem' }).toString();
}
