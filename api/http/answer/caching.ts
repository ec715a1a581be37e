import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { bringsToken } from '../auth/access';
import type { Endpoint } from '../endpoint';

/**
 * Lets caches store an answer that is the same for everyone, provided that they revalidate it each time. An answer to
 * a request with a token, or with a cookie, keeps `no-store`. `etag` is called only if it is needed.
 */
export function allowCaching(req: Request, res: Response, endpoint: Endpoint, etag: () => string): void {
  if (endpoint.method !== 'get' || res.statusCode !== 200) return;
  if (endpoint.auth !== 'public' && endpoint.auth !== 'optional') return;
  res.vary('Authorization, Cookie');
  if (bringsToken(req) || res.hasHeader('Set-Cookie')) return;
  res.set('Cache-Control', 'public, no-cache');
  res.set('ETag', etag());
}

/** The ETag of a body: the same for the same bytes. */
export const etagOf = (bytes: string): string =>
  `W/"${createHash('sha1').update(bytes).digest('base64url')}"`;
