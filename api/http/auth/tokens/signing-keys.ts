import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { SigningJwk } from '../config';

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
  private readonly verifying: Readonly<Record<string, KeyObject>>;

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
    this.verifying = Object.fromEntries(jwks.map((jwk) => [jwk.kid, publicPart(jwk)]));
  }

  /** The public key of this name, else null; a name like `constructor` is no key. */
  publicKey(kid: string): KeyObject | null {
    return Object.hasOwn(this.verifying, kid) ? (this.verifying[kid] ?? null) : null;
  }
}

/** Read once: to read a key takes longer than to verify a signature with it. */
const publicPart = (jwk: SigningJwk): KeyObject =>
  createPublicKey(createPrivateKey({ key: { ...jwk }, format: 'jwk' }));
