import type { Request, Response } from 'express';
import { z } from 'zod';
import { ERROR_CODES } from '../../../workflows/error-codes';
import { Busy } from '../limits/gate';
import { idsOf } from '../observe/log';
import { requestStateOf } from '../observe/request-state';
import { allowCaching, etagOf } from './caching';
import { failure, type Answer } from './envelope';
import { explain } from './errors';

/** The part of a refused request's body that the log and the metrics name; stored answers have it too. */
const FailureBody = z.object({ error: z.object({ code: z.enum(ERROR_CODES) }) });

/** The answer to a request that failed. Logs our own failures and outages; refusals are not logged. */
export function failed(error: unknown, req: Request): Answer {
  const reason = explain(error, requestStateOf(req).endpoint);
  // Overload sheds requests in floods, and each has its request line already.
  if (reason.status >= 500 && !(error instanceof Busy))
    req.log.error({ err: error, code: reason.code, ...idsOf(req) }, 'a request failed');
  return failure(reason);
}

/** Sends an answer as JSON with the headers of its status. */
export function send(req: Request, res: Response, { status, body, retryAfterSeconds }: Answer): void {
  const requestState = requestStateOf(req);
  const { endpoint } = requestState;
  if (status >= 400) requestState.code = FailureBody.safeParse(body).data?.error.code ?? null;
  const bytes = JSON.stringify(body);
  res.status(status).type('json');
  if (retryAfterSeconds !== undefined) res.set('Retry-After', String(retryAfterSeconds));
  if (status === 401) res.set('WWW-Authenticate', 'Bearer');
  if (endpoint) allowCaching(req, res, endpoint, () => etagOf(bytes));
  res.send(bytes);
}
