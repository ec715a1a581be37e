import type { Request, RequestHandler, Response } from 'express';
import type { Limiter } from '../limits/limiter';
import { countAhead, verdictHeaders } from '../limits/rate-limit';
import { requestStateOf } from '../observe/visit';
import type { CataloguePages } from './catalogue-pages';
import type { PreparedPage } from './page-store';

/** With one of these, a request may be answered otherwise than its address says. */
const TELLING_HEADERS = ['authorization', 'cookie', 'if-none-match', 'origin'] as const;

/** Headers that belong to one answer and not to what was asked. */
const OWN_HEADERS = /^(x-request-id|x-ratelimit-.*|connection)$/;

const isPlain = (req: Request): boolean =>
  req.method === 'GET' && TELLING_HEADERS.every((name) => req.headers[name] === undefined);

/**
 * The short way for what is asked most: a page that is kept, asked for as nobody in particular. Its answer is that of
 * the long way, remembered header by header; only name and limits are the request's own. A request that is refused
 * goes the long way, with what was counted.
 */
export function readyPages(pages: CataloguePages, limiter: Limiter): RequestHandler {
  return async (req, res, next) => {
    const ready = isPlain(req) ? pages.ready(req.originalUrl) : null;
    const verdict = ready && (await countAhead(limiter, ready.endpoint, req));
    if (!verdict) {
      next();
      return;
    }
    const visit = requestStateOf(req);
    visit.endpoint = ready.endpoint;
    const own = verdictHeaders(verdict).flat();
    res.writeHead(200, [...ready.headers, 'X-Request-Id', visit.requestId, ...own]);
    res.end(ready.page.bytes);
  };
}

/** After the long way: remembers the answer for the short one, if the request told nothing but its address. */
export function rememberAnswer(pages: CataloguePages, req: Request, res: Response, page: PreparedPage): void {
  if (!isPlain(req) || res.statusCode !== 200) return;
  const headers = Object.entries(res.getHeaders()).filter(([name]) => !OWN_HEADERS.test(name));
  pages.makeReady(
    req.originalUrl,
    page,
    headers.flatMap(([name, value]) => [name, String(value)]),
  );
}
