import type { RequestHandler } from 'express';
import type { Limiter } from '../limits/limiter';
import { holdLimit } from '../limits/rate-limit';
import { requestStateOf } from '../observe/visit';
import type { CataloguePages } from './catalogue-pages';
import { rememberAnswer } from './ready-pages';
import { sendPage } from './send-page';

/**
 * Answers what is kept, before endpoints are even looked for. An address was found valid when it was first asked for,
 * and what is kept is open to everyone, so nothing but the limit remains to be held.
 */
export function keptPages(pages: CataloguePages, limiter: Limiter): RequestHandler {
  return async (req, res, next) => {
    const asksForPage = (req.method === 'GET' || req.method === 'HEAD') && pages.knows(req.originalUrl);
    const kept = asksForPage ? await pages.kept(req.originalUrl) : null;
    if (!kept) {
      next();
      return;
    }
    const { endpoint, page } = kept;
    requestStateOf(req).endpoint = endpoint;
    await holdLimit(limiter, endpoint, req, res);
    sendPage(req, res, endpoint, page);
    rememberAnswer(pages, req, res, page);
  };
}
