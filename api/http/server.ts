import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { refusal } from '../../workflows/errors';
import { bringsToken } from './auth/access';
import { answering, failed, send, type AnsweringDeps } from './answering';
import { ClientGone } from './body/body-room';
import type { ServerDeps } from './deps';
import type { Endpoint } from './endpoint';
import { Limiter } from './limits/limiter';
import { requestLog } from './observe/log';
import { Origins } from './request/origins';
import { keptPages } from './page-cache/kept-pages';
import { readyPages } from './page-cache/ready-pages';
import { holdBurst } from './limits/rate-limit';
import { securityHeaders } from './answer/security-headers';
import { isForReports } from './request/signed-report';
import { beginRequest, sendRequestId, requestStateOf } from './observe/visit';

const API = '/api/v1';

/** The whole HTTP side, ready to listen: every endpoint of the list under /api/v1, and the extras where they say. */
export function createServer(deps: ServerDeps): Express {
  const { config, db, extras = [], log, observe, pages, trace } = deps;
  const origins = new Origins(config);
  const limiter = new Limiter(db, config.RATE_LIMIT_SCALE);
  const app = express();
  app.disable('x-powered-by').set('etag', false).set('trust proxy', config.TRUST_PROXY);
  app.use(beginRequest);
  if (trace) app.use(trace);
  app.use(requestLog(log));
  if (observe) app.use(observe);
  if (pages) app.use(readyPages(pages, limiter));
  app.use(sendRequestId, securityHeaders, boundQuery);
  app.use(API, origins.headers(), identify(deps));
  app.use(holdTier(deps, limiter));
  for (const { path, handler } of extras) app.use(path, handler);
  if (pages) app.use(API, keptPages(pages, limiter));
  app.use(API, endpointRouter({ ...deps, limiter, origins }));
  app.use(nothingHere, answerError);
  return app;
}

/**
 * Finds out who is asking, if a token says so. A token that is no good costs no query, so this cannot be used to wear
 * the database out.
 */
function identify({ authenticate }: ServerDeps): RequestHandler {
  return async (req, _res, next) => {
    if (bringsToken(req)) requestStateOf(req).authenticated = await authenticate(req);
    next();
  };
}

/**
 * Holds everyone to the burst tier, whatever they ask for and before it is looked for. Signed reports are exempt: their
 * senders are counted for themselves, once it is known that they are who they say. So are the addresses that an extra
 * names as uncounted.
 */
function holdTier({ endpoints, extras = [] }: ServerDeps, limiter: Limiter): RequestHandler {
  const isReport = isForReports(endpoints, API);
  const uncounted = new Set(extras.flatMap((extra) => extra.uncounted ?? []));
  return async (req, res, next) => {
    if (!uncounted.has(req.path) && !isReport(req)) await holdBurst(limiter, req, res);
    next();
  };
}

/** Longer than any list of filters; what is longer would come back in headers that clients and proxies refuse. */
const MOST_QUERY_BYTES = 4_096;

const boundQuery: RequestHandler = (req, _res, next) => {
  const at = req.originalUrl.indexOf('?');
  if (at !== -1 && req.originalUrl.length - at - 1 > MOST_QUERY_BYTES)
    throw refusal('URI_TOO_LONG', `The query may have at most ${MOST_QUERY_BYTES} bytes.`);
  next();
};

/**
 * One address is one thing: a literal segment is looked for before a parameter, and an address that is found is not
 * looked for any further, whatever the method.
 */
function endpointRouter(deps: AnsweringDeps): RequestHandler {
  const router = express.Router({ caseSensitive: true });
  const byAddress = new Map<string, [Endpoint, ...Endpoint[]]>();
  for (const endpoint of deps.endpoints) {
    const address = endpoint.path.replace(/:\w+/g, '\uffff');
    const here = byAddress.get(address);
    if (here) here.push(endpoint);
    else byAddress.set(address, [endpoint]);
  }
  for (const [, here] of [...byAddress].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const endpoint of here) router[endpoint.method](endpoint.path, answering(endpoint, deps));
    router.all(here[0].path, otherMethod(here));
  }
  return router;
}

function otherMethod(here: readonly Endpoint[]): RequestHandler {
  const methods = here.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
  return (req, res) => {
    res.set('Allow', methods.sort().join(', '));
    throw refusal('METHOD_NOT_ALLOWED', `${req.method} is not possible here.`);
  };
}

const nothingHere: RequestHandler = () => {
  throw refusal('NOT_FOUND', 'There is nothing at this address.');
};

const answerError: ErrorRequestHandler = (error: unknown, req, res, next) => {
  if (error instanceof ClientGone) return;
  if (res.headersSent) next(error);
  else send(req, res, failed(error, req));
};
