import type { Request, RequestHandler, Response } from 'express';
import { v7 } from 'uuid';
import type { Authenticated } from '../auth/access';
import { clientAddress } from '../client-address/client-address';
import type { ErrorCode } from '../../../workflows/errors';
import type { Endpoint } from '../endpoint';

/** The state of one client under one limit. */
export interface LimitState {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** The end of the counting window, in milliseconds since 1970. */
  resetAt: number;
  financial: boolean;
}

/** The facts about one request while it is being answered; read by the log, the metrics and the answer. */
export interface RequestState {
  readonly requestId: string;
  readonly clientAddress: string;
  authenticated: Authenticated | null;
  endpoint: Endpoint | null;
  /** The names of query parameters and body fields that the contract does not know. */
  ignored: readonly string[];
  /** The route of a request that has no endpoint: the path of an extra, or why there is none. */
  place: string;
  /** The error code of the answer; null while there is none. */
  code: ErrorCode | null;
  /** True if the answer is the stored one of an earlier request. */
  replayed: boolean;
  readonly workflowIds: Set<string>;
  /** The trace that the request belongs to; null while traces are not collected. */
  traceId: string | null;
  /** The result of counting the request early, on the fast path of the cache; it is not counted a second time. */
  counted: { burst: LimitState; stated?: LimitState } | null;
  /** Return what was reserved for this request, once it is handled. Calling one of them twice is harmless. */
  readonly releases: (() => void)[];
}

/** A client's request id is used if it is short and cannot break a log line or a header. */
const VALID_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/;

/** The route of a request that was refused before routing: by the burst tier or for its query. */
export const UNROUTED = 'unrouted';
/** The route of a request that no path matches. */
export const UNMATCHED = 'unmatched';

const requestStates = new WeakMap<object, RequestState>();

/** The state that `beginRequest` created for this request. Throws when it did not run. */
export function requestStateOf(req: Request): RequestState {
  const requestState = requestStates.get(req);
  if (!requestState) throw new Error('beginRequest did not run for this request.');
  return requestState;
}

/** Creates the request's state and names the request. Must be the first middleware. */
export const beginRequest: RequestHandler = (req, _res, next) => {
  const sent = req.get('x-request-id');
  const requestId = sent !== undefined && VALID_ID.test(sent) ? sent : v7();
  requestStates.set(req, {
    requestId,
    clientAddress: clientAddress(req),
    authenticated: null,
    endpoint: null,
    ignored: [],
    place: UNROUTED,
    code: null,
    replayed: false,
    workflowIds: new Set(),
    traceId: null,
    counted: null,
    releases: [],
  });
  next();
};

/** Runs a handler, then returns everything that was reserved for the request, also after a failure. */
export const releasing =
  (handler: (req: Request, res: Response) => Promise<void>): RequestHandler =>
  async (req, res) => {
    try {
      await handler(req, res);
    } finally {
      for (const release of requestStateOf(req).releases) release();
    }
  };

/** Sends the request's id to the caller and forbids caching, which `allowCaching` later permits for some answers. */
export const sendRequestId: RequestHandler = (req, res, next) => {
  res.set('X-Request-Id', requestStateOf(req).requestId);
  res.set('Cache-Control', 'no-store');
  next();
};
