import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { refusal } from '../../workflows/errors';
import { bringsToken } from './access';
import { answering, failed, send, type AnsweringDeps } from './answering';
import type { ServerDeps } from './deps';
import { Limiter } from './limiter';
import { requestLog } from './log';
import { Origins } from './origins';
import { keptPages } from './pages/kept-pages';
import { readyPages } from './pages/ready-pages';
import { holdBurst } from './rate-limit';
import { securityHeaders } from './security-headers';
import { beginVisit, tellVisit, visitOf } from './visit';

const API = '/api/v1';

/** The whole HTTP side, ready to listen: every endpoint of the list under /api/v1, and the extras where they say. */
export function createServer(deps: ServerDeps): Express {
  const { config, db, extras = [], log, observe, pages, trace } = deps;
  const origins = new Origins(config);
  const limiter = new Limiter(db, config.RATE_LIMIT_SCALE);
  const app = express();
  app.disable('x-powered-by').set('etag', false).set('trust proxy', config.TRUST_PROXY);
  app.use(beginVisit);
  if (trace) app.use(trace);
  app.use(requestLog(log));
  if (observe) app.use(observe);
  if (pages) app.use(readyPages(pages, limiter));
  app.use(tellVisit, securityHeaders);
  for (const { path, handler } of extras) app.use(path, handler);
  app.use(origins.headers());
  app.use(API, identify(deps, limiter));
  if (pages) app.use(API, keptPages(pages, limiter));
  app.use(API, endpointRouter({ ...deps, limiter, origins }));
  app.use(nothingHere, answerError);
  return app;
}

/**
 * Finds out who is asking, if a token says so, and holds them to the burst tier, before anything is looked for.
 * A token that is no good costs no query, so this cannot be used to wear the database out.
 */
function identify(deps: ServerDeps, limiter: Limiter): RequestHandler {
  return async (req, res, next) => {
    if (bringsToken(req)) visitOf(req).authenticated = await deps.authenticate(req);
    await holdBurst(limiter, req, res);
    next();
  };
}

function endpointRouter(deps: AnsweringDeps): RequestHandler {
  const router = express.Router({ caseSensitive: true });
  for (const endpoint of deps.endpoints) router[endpoint.method](endpoint.path, answering(endpoint, deps));
  // Whoever comes as far as here asked with a method that no endpoint of this path has; there may be several such paths.
  const allowed = new WeakMap<object, Set<string>>();
  for (const { path, method } of deps.endpoints) {
    router.all(path, (req, _res, next) => {
      const methods = method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];
      allowed.set(req, new Set([...(allowed.get(req) ?? []), ...methods]));
      next();
    });
  }
  router.use((req, res, next) => {
    const methods = allowed.get(req);
    if (!methods) {
      next();
      return;
    }
    res.set('Allow', [...methods].sort().join(', '));
    throw refusal('METHOD_NOT_ALLOWED', `${req.method} is not possible here.`);
  });
  return router;
}

const nothingHere: RequestHandler = () => {
  throw refusal('NOT_FOUND', 'There is nothing at this address.');
};

const answerError: ErrorRequestHandler = (error: unknown, req, res, next) => {
  if (res.headersSent) next(error);
  else send(req, res, failed(error, req));
};
