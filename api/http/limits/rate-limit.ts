import type { Request, Response } from 'express';
import type { Endpoint } from '../endpoint';
import { clientNetwork } from '../client-address/client-address';
import type { Limiter } from './limiter';
import type { LimitState } from '../observe/request-state';
import { burstTier, hourlyTier, type Limit } from './limits';
import { requestStateOf, type RequestState } from '../observe/request-state';

/** A client has used a limit up. */
export class TooManyRequests extends Error {
  constructor(readonly retryAfterSeconds: number) {
    super(`Too many requests. Try again in ${retryAfterSeconds} seconds.`);
  }
}

/** Enforces the burst tier. Its headers are sent only when it refuses. */
export async function enforceBurst(limiter: Limiter, req: Request, res: Response): Promise<void> {
  const requestState = requestStateOf(req);
  const state = requestState.counted?.burst ?? (await countBurst(limiter, requestState));
  if (state.allowed) return;
  setLimitHeaders(res, state);
  refuse(state);
}

/**
 * Enforces the endpoint's limit and sends its headers; throws `TooManyRequests` when it is used up.
 * Chosen: each endpoint counts for itself; the hourly tier counts all endpoints without a stated limit together.
 */
export async function enforceLimit(
  limiter: Limiter,
  endpoint: Endpoint,
  req: Request,
  res: Response,
): Promise<void> {
  const state = requestStateOf(req).counted?.stated ?? (await countStated(limiter, endpoint, req));
  setLimitHeaders(res, state);
  if (!state.allowed) refuse(state);
  const second = await countSecond(limiter, endpoint, req);
  if (!second) return;
  if (second.remaining < state.remaining || !second.allowed) setLimitHeaders(res, second);
  if (!second.allowed) refuse(second);
}

/** Counts the second limit of an endpoint: its own (`also`) or the hourly tier. */
async function countSecond(limiter: Limiter, endpoint: Endpoint, req: Request): Promise<LimitState | null> {
  const client = clientOf(requestStateOf(req));
  const { also, general } = endpoint.limit;
  if (also) return limiter.count(also, `also ${endpoint.method} ${endpoint.path}`, client);
  return general ? limiter.count(hourlyTier, 'hourly', client) : null;
}

/**
 * Counts a request without a token before the usual place, for answers from the cache. Null when a limit refuses it;
 * the usual place then finds the counts in the request state and returns the refusal.
 */
export async function countEarly(
  limiter: Limiter,
  endpoint: Endpoint,
  req: Request,
): Promise<LimitState | null> {
  const requestState = requestStateOf(req);
  const burst = await countBurst(limiter, requestState);
  requestState.counted = { burst };
  if (!burst.allowed) return null;
  const stated = await countStated(limiter, endpoint, req);
  requestState.counted = { burst, stated };
  return stated.allowed ? stated : null;
}

/** Counts one request of `client` within `scope` and sends the limit's headers; refuses when it is used up. */
export async function countOrRefuse(
  limiter: Limiter,
  limit: Limit,
  { scope, client }: { scope: string; client: string },
  res: Response,
): Promise<void> {
  const state = await limiter.count(limit, scope, client);
  setLimitHeaders(res, state);
  if (!state.allowed) refuse(state);
}

/** Refuses a client that has used `limit` up within `scope`, without counting this request. */
export async function refuseIfExhausted(
  limiter: Limiter,
  limit: Limit,
  { scope, client }: { scope: string; client: string },
  res: Response,
): Promise<void> {
  const state = await limiter.current(limit, scope, client);
  if (state.allowed) return;
  setLimitHeaders(res, state);
  refuse(state);
}

const countBurst = (limiter: Limiter, requestState: RequestState): Promise<LimitState> =>
  limiter.count(burstTier, 'burst', clientOf(requestState));

const countStated = (limiter: Limiter, endpoint: Endpoint, req: Request): Promise<LimitState> =>
  limiter.count(endpoint.limit, `${endpoint.method} ${endpoint.path}`, countedClient(endpoint, req));

function countedClient(endpoint: Endpoint, req: Request): string {
  // By network: a client that guesses passwords or codes must not get a fresh count with each account it holds.
  return endpoint.limit.shared && endpoint.auth === 'public'
    ? networkOf(requestStateOf(req))
    : clientOf(requestStateOf(req));
}

/** Names a client by its network only, even if it is signed in. */
export const networkOf = (requestState: RequestState): string =>
  `address:${clientNetwork(requestState.clientAddress)}`;

/** True if a client's name is only its network, not a user. */
export const isNetwork = (client: string): boolean => client.startsWith('address:');

/** Names a client: its user if it sent a valid token, else its network. */
export const clientOf = (requestState: RequestState): string =>
  requestState.authenticated ? `user:${requestState.authenticated.caller.id}` : networkOf(requestState);

function setLimitHeaders(res: Response, state: LimitState): void {
  for (const [name, value] of limitHeaders(state)) res.set(name, value);
}

/** The headers that show a client the state of a limit. */
export const limitHeaders = ({
  limit,
  remaining,
  resetAt,
  financial,
}: LimitState): readonly (readonly [name: string, value: string])[] => [
  ['X-RateLimit-Limit', String(limit)],
  ['X-RateLimit-Remaining', String(remaining)],
  ['X-RateLimit-Reset', String(Math.ceil(resetAt / 1000))],
  ...(financial ? [['X-RateLimit-Policy', 'financial'] as const] : []),
];

function refuse({ resetAt }: LimitState): never {
  throw new TooManyRequests(Math.max(1, Math.ceil((resetAt - Date.now()) / 1000)));
}
