import { Router } from 'express';
import type { Identity } from '../identity';

/** Long enough to spare us questions, short enough for a rotation to be seen before the new key signs. */
const FRESH_SECONDS = 300;

/** The keys by which others may verify our tokens (RFC 7517), to be served at /.well-known/jwks.json. */
export function publishedKeys({ accessTokens }: Identity): Router {
  const router = Router();
  const keys = JSON.stringify({ keys: accessTokens.published });
  router.get('/', (_req, res) => {
    res.set('Cache-Control', `public, max-age=${FRESH_SECONDS}`).type('application/jwk-set+json').send(keys);
  });
  return router;
}
