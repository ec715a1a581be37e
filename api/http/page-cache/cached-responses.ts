import type { Request, RequestHandler, Response } from 'express';
import type { Limiter } from '../limits/limiter';
import { countEarly, limitHeaders } from '../limits/rate-limit';
import { requestStateOf } from '../observe/request-state';
import type { CatalogueCache } from './catalogue-cache';
import type { PreparedPage } from './page-store';

/** Headers that may change the answer; a request with one of them does not take the fast path. */
const SIGNIFICANT_HEADERS = ['authorization', 'cookie', 'if-none-match', 'origin'] as const;

/** Headers that belong to one request and are not cached. */
const OWN_HEADERS = /^(x-request-id|x-ratelimit-.*|connection)$/;

const isPlain = (req: Request): boolean =>
  req.method === 'GET' && SIGNIFICANT_HEADERS.every((name) => req.headers[name] === undefined);

/**
 * The fast path for the most frequent requests: a cached page for a caller without a token. It sends the headers that
 * the normal path sent for this URL; only the request id and the limits are the request's own. A request that a limit
 * refuses continues on the normal path with its counts.
 */
export function cachedResponses(cache: CatalogueCache, limiter: Limiter): RequestHandler {
  return async (req, res, next) => {
    const cached = isPlain(req) ? cache.cachedResponse(req.originalUrl) : null;
    const limitState = cached && (await countEarly(limiter, cached.endpoint, req));
    if (!limitState) {
      next();
      return;
    }
    const requestState = requestStateOf(req);
    requestState.endpoint = cached.endpoint;
    const own = limitHeaders(limitState).flat();
    res.writeHead(200, [...cached.headers, 'X-Request-Id', requestState.requestId, ...own]);
    res.end(cached.page.bytes);
  };
}

/** Caches the response of the normal path for the fast one, if the answer depends on the URL only. */
export function rememberResponse(
  cache: CatalogueCache,
  req: Request,
  res: Response,
  page: PreparedPage,
): void {
  if (!isPlain(req) || res.statusCode !== 200) return;
  const headers = Object.entries(res.getHeaders()).filter(([name]) => !OWN_HEADERS.test(name));
  cache.cacheResponse(
    req.originalUrl,
    page,
    headers.flatMap(([name, value]) => [name, String(value)]),
  );
}
