import type { RequestHandler } from 'express';
import type { Limiter } from '../limits/limiter';
import { enforceLimit } from '../limits/rate-limit';
import { requestStateOf } from '../observe/request-state';
import type { CatalogueCache } from './catalogue-cache';
import { rememberResponse } from './cached-responses';
import { sendPage } from './send-page';

/**
 * Answers known URLs with their cached page, before routing. Such a URL was validated when it was first requested and
 * its page is public, so only the rate limit remains to be enforced.
 */
export function cachedPages(cache: CatalogueCache, limiter: Limiter): RequestHandler {
  return async (req, res, next) => {
    const isKnown = (req.method === 'GET' || req.method === 'HEAD') && cache.knows(req.originalUrl);
    const cached = isKnown ? await cache.cachedPage(req.originalUrl) : null;
    if (!cached) {
      next();
      return;
    }
    const { endpoint, page } = cached;
    requestStateOf(req).endpoint = endpoint;
    await enforceLimit(limiter, endpoint, req, res);
    sendPage(req, res, endpoint, page);
    rememberResponse(cache, req, res, page);
  };
}
