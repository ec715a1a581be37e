import { Router } from 'express';
import type { Identity } from '../identity';

/** Long enough to save requests, short enough that a rotation is seen before the new key signs. */
const FRESH_SECONDS = 300;

/** Serves the public keys that verify our tokens (RFC 7517), at /.well-known/jwks.json. */
export function publishedKeys({ accessTokens }: Identity): Router {
  const router = Router();
  const keys = JSON.stringify({ keys: accessTokens.published });
  router.get('/', (_req, res) => {
    res.set('Cache-Control', `public, max-age=${FRESH_SECONDS}`).type('application/jwk-set+json').send(keys);
  });
  return router;
}
