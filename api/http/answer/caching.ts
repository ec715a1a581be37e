import type { Request, Response } from 'express';
import { createHash } from 'node:crypto';
import { bringsToken } from '../auth/access';
import type { Endpoint } from '../endpoint';

/**
 * Lets anyone keep an answer that is the same for everyone, if they ask each time whether it still holds. Whatever
 * depends on a token is nobody's to keep, which is how every answer starts out. `etag` is asked for if it is needed.
 */
export function allowKeeping(req: Request, res: Response, endpoint: Endpoint, etag: () => string): void {
  if (endpoint.method !== 'get' || res.statusCode !== 200) return;
  if (endpoint.auth !== 'public' && endpoint.auth !== 'optional') return;
  res.vary('Authorization, Cookie');
  if (bringsToken(req) || res.hasHeader('Set-Cookie')) return;
  res.set('Cache-Control', 'public, no-cache');
  res.set('ETag', etag());
}

/** Names this version of an answer. */
export const etagOf = (bytes: string): string =>
  `W/"${createHash('sha1').update(bytes).digest('base64url')}"`;
