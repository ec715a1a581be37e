import type { Request, RequestHandler, Response } from 'express';
import { v7 } from 'uuid';
import type { Authenticated } from '../auth/access';
import { clientAddress } from '../request/client-address';
import type { Endpoint } from '../endpoint';
import type { Verdict } from '../limits/limiter';

/** What is known of one request while it is being answered; the log, the metrics and the answer read it. */
export interface RequestState {
  readonly requestId: string;
  readonly clientAddress: string;
  authenticated: Authenticated | null;
  endpoint: Endpoint | null;
  readonly workflowIds: Set<string>;
  /** The trace that the request belongs to, while traces are taken. */
  traceId: string | null;
  /** What the limits said, if the request was counted before its turn; it is not counted again. */
  counted: { burst: Verdict; stated?: Verdict } | null;
  /** Gives back what was taken for this request, once it has been handled; each may be called more than once. */
  readonly releases: (() => void)[];
}

/** Others' ids are taken over if they look like ids: short, and nothing that could break a log line or a header. */
const SANE_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;

const visits = new WeakMap<object, RequestState>();

/** The visit that `beginRequest` began for this request. */
export function requestStateOf(req: Request): RequestState {
  const visit = visits.get(req);
  if (!visit) throw new Error('The request was not begun.');
  return visit;
}

/** First of all: names the request. */
export const beginRequest: RequestHandler = (req, _res, next) => {
  const given = req.get('x-request-id');
  const requestId = given !== undefined && SANE_ID.test(given) ? given : v7();
  visits.set(req, {
    requestId,
    clientAddress: clientAddress(req),
    authenticated: null,
    endpoint: null,
    workflowIds: new Set(),
    traceId: null,
    counted: null,
    releases: [],
  });
  next();
};

/** Handles a request, and gives back what was taken for it however that ended. */
export const releasing =
  (handler: (req: Request, res: Response) => Promise<void>): RequestHandler =>
  async (req, res) => {
    try {
      await handler(req, res);
    } finally {
      for (const release of requestStateOf(req).releases) release();
    }
  };

/** Tells the caller the request's name. Until something else is known of an answer, it is nobody's to keep. */
export const sendRequestId: RequestHandler = (req, res, next) => {
  res.set('X-Request-Id', requestStateOf(req).requestId);
  res.set('Cache-Control', 'no-store');
  next();
};
