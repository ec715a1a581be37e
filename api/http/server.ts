import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { refusal } from '../../workflows/errors';
import { bringsToken } from './auth/access';
import { answering, type AnsweringDeps } from './answering';
import { failed, send } from './answer/send';
import { ClientGone } from './body/body-memory';
import type { ServerDeps } from './deps';
import type { Endpoint } from './endpoint';
import { Limiter } from './limits/limiter';
import { requestLog } from './observe/log';
import { Origins } from './request/origins';
import { cachedPages } from './page-cache/cached-pages';
import { cachedResponses } from './page-cache/cached-responses';
import { enforceBurst } from './limits/rate-limit';
import { securityHeaders } from './answer/security-headers';
import { trustProxies } from './request/proxies';
import { isForReports } from './request/signed-report';
import { beginRequest, sendRequestId, requestStateOf, UNMATCHED, UNROUTED } from './observe/request-state';

const API = '/api/v1';

/** Builds the HTTP server: every endpoint of the list below /api/v1, and the extras at their paths. */
export function createServer(deps: ServerDeps): Express {
  const { config, db, extras = [], log, observe, cache, trace } = deps;
  const origins = new Origins(config);
  const limiter = new Limiter(db, config.RATE_LIMIT_SCALE);
  const app = express();
  app.disable('x-powered-by').set('etag', false);
  trustProxies(app, config.TRUST_PROXY);
  app.use(beginRequest);
  if (trace) app.use(trace);
  app.use(requestLog(log));
  if (observe) app.use(observe);
  if (cache) app.use(cachedResponses(cache, limiter));
  app.use(sendRequestId, securityHeaders, limitQuery);
  app.use(API, origins.headers(), identify(deps));
  app.use(enforceBurstTier(deps, limiter));
  for (const { path, handler, exact } of extras)
    if (exact) app.get(path, placed(path), handler);
    else app.use(path, placed(path), handler);
  if (cache) app.use(API, cachedPages(cache, limiter));
  app.use(API, endpointRouter({ ...deps, limiter, origins }));
  app.use(notFound, answerError);
  return app;
}

/** Authenticates requests that carry a token. An invalid token costs no query, so it cannot overload the database. */
function identify({ authenticate }: ServerDeps): RequestHandler {
  return async (req, _res, next) => {
    if (bringsToken(req)) requestStateOf(req).authenticated = await authenticate(req);
    next();
  };
}

/**
 * Enforces the burst tier for every client, before routing. Exempt are signed reports, whose senders are counted by
 * themselves once their signature is verified, and the uncounted paths of extras.
 */
function enforceBurstTier({ endpoints, extras = [] }: ServerDeps, limiter: Limiter): RequestHandler {
  const isReport = isForReports(endpoints, API);
  const uncounted = new Set(extras.flatMap((extra) => extra.uncounted ?? []));
  return async (req, res, next) => {
    if (!uncounted.has(req.path) && !isReport(req)) await enforceBurst(limiter, req, res);
    next();
  };
}

/**
 * Longer than any list of filters. A longer query would reappear in a `Link` header that clients and proxies refuse.
 */
const MOST_QUERY_BYTES = 4_096;

const limitQuery: RequestHandler = (req, _res, next) => {
  const at = req.originalUrl.indexOf('?');
  if (at !== -1 && req.originalUrl.length - at - 1 > MOST_QUERY_BYTES)
    throw refusal('URI_TOO_LONG', `The query can have at most ${MOST_QUERY_BYTES} bytes.`);
  next();
};

/**
 * Routes requests to endpoints. A literal segment wins over a parameter, and a path that matches answers every method,
 * those without an endpoint with METHOD_NOT_ALLOWED.
 */
function endpointRouter(deps: AnsweringDeps): RequestHandler {
  const router = express.Router({ caseSensitive: true });
  const byPath = new Map<string, [Endpoint, ...Endpoint[]]>();
  for (const endpoint of deps.endpoints) {
    const path = endpoint.path.replace(/:\w+/g, '\uffff');
    const siblings = byPath.get(path);
    if (siblings) siblings.push(endpoint);
    else byPath.set(path, [endpoint]);
  }
  for (const [, siblings] of [...byPath].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const endpoint of siblings) router[endpoint.method](endpoint.path, answering(endpoint, deps));
    router.all(siblings[0].path, methodNotAllowed(siblings));
  }
  return router;
}

/** Names the route of requests that have no endpoint. */
const placed =
  (path: string): RequestHandler =>
  (req, _res, next) => {
    requestStateOf(req).place = path;
    next();
  };

function methodNotAllowed(endpoints: readonly [Endpoint, ...Endpoint[]]): RequestHandler {
  const methods = endpoints.flatMap(({ method }) =>
    method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  );
  const allowed = methods.sort().join(', ');
  const [{ path }] = endpoints;
  return (req, res) => {
    requestStateOf(req).place = path;
    res.set('Allow', allowed);
    throw refusal('METHOD_NOT_ALLOWED', `Method ${req.method} is not allowed; use ${allowed}.`);
  };
}

const notFound: RequestHandler = (req) => {
  const requestState = requestStateOf(req);
  if (requestState.place === UNROUTED) requestState.place = UNMATCHED;
  throw refusal('NOT_FOUND', 'No such endpoint.');
};

const answerError: ErrorRequestHandler = (error: unknown, req, res, next) => {
  if (error instanceof ClientGone) return;
  if (res.headersSent) next(error);
  else send(req, res, failed(error, req));
};
