import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { SigningJwk } from '../config';

/** The public part of a key (RFC 7517). */
export interface PublicJwk {
  kty: 'EC';
  crv: 'P-256';
  kid: string;
  x: string;
  y: string;
  alg: 'ES256';
  use: 'sig';
}

/** The keys of access tokens: the first signs, all verify. */
export class SigningKeys {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly published: readonly PublicJwk[];
  private readonly verifying: Readonly<Record<string, KeyObject>>;

  /** Throws if a key is not a point on the curve, or if there is no key. */
  constructor(jwks: readonly SigningJwk[]) {
    const [first] = jwks;
    if (!first) throw new Error('JWT_KEYS contains no key.');
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

  /** The public key with this id, else null; an id like `constructor` is no key. */
  publicKey(kid: string): KeyObject | null {
    return Object.hasOwn(this.verifying, kid) ? (this.verifying[kid] ?? null) : null;
  }
}

/** The public key of a JWK. Parsed once, since that takes longer than verifying a signature. */
const publicPart = (jwk: SigningJwk): KeyObject =>
  createPublicKey(createPrivateKey({ key: { ...jwk }, format: 'jwk' }));
