import type { Request, Response } from 'express';
import type { Endpoint } from '../endpoint';
import { clientNetwork } from '../request/client-address';
import type { Limiter, Verdict } from './limiter';
import { burstTier, hourlyTier, type Limit } from './limits';
import { requestStateOf, type RequestState } from '../observe/visit';

/** A client asked more often than it may. */
export class TooManyRequests extends Error {
  constructor(readonly retryAfterSeconds: number) {
    super(`Too many requests. Try again in ${retryAfterSeconds} s.`);
  }
}

/** Holds a client to what anyone may ask in a second. Its headers are shown only when it is what refuses. */
export async function holdBurst(limiter: Limiter, req: Request, res: Response): Promise<void> {
  const visit = requestStateOf(req);
  const verdict = visit.counted?.burst ?? (await countBurst(limiter, visit));
  if (verdict.allowed) return;
  showVerdict(res, verdict);
  refuse(verdict);
}

/**
 * Holds a client to the endpoint's limit and tells it where it stands.
 * Chosen: each endpoint counts for itself; the hourly tier counts all endpoints without a stated limit together.
 */
export async function holdLimit(
  limiter: Limiter,
  endpoint: Endpoint,
  req: Request,
  res: Response,
): Promise<void> {
  const verdict = requestStateOf(req).counted?.stated ?? (await countStated(limiter, endpoint, req));
  showVerdict(res, verdict);
  if (!verdict.allowed) refuse(verdict);
  const second = await countSecond(limiter, endpoint, req);
  if (!second) return;
  if (second.remaining < verdict.remaining || !second.allowed) showVerdict(res, second);
  if (!second.allowed) refuse(second);
}

/** What is counted beside the stated limit: one of the endpoint's own, or the hourly tier. */
async function countSecond(limiter: Limiter, endpoint: Endpoint, req: Request): Promise<Verdict | null> {
  const client = clientOf(requestStateOf(req));
  const { also, general } = endpoint.limit;
  if (also) return limiter.count(also, `also ${endpoint.method} ${endpoint.path}`, client);
  return general ? limiter.count(hourlyTier, 'hourly', client) : null;
}

/**
 * Counts a request without a token before its turn comes. Answers where its client stands; null when it is refused,
 * which is then to be said where it usually is.
 */
export async function countAhead(
  limiter: Limiter,
  endpoint: Endpoint,
  req: Request,
): Promise<Verdict | null> {
  const visit = requestStateOf(req);
  const burst = await countBurst(limiter, visit);
  visit.counted = { burst };
  if (!burst.allowed) return null;
  const stated = await countStated(limiter, endpoint, req);
  visit.counted = { burst, stated };
  return stated.allowed ? stated : null;
}

/** Counts one request of `client` within `scope`, and tells it where it stands. */
export async function hold(
  limiter: Limiter,
  limit: Limit,
  { scope, client }: { scope: string; client: string },
  res: Response,
): Promise<void> {
  const verdict = await limiter.count(limit, scope, client);
  showVerdict(res, verdict);
  if (!verdict.allowed) refuse(verdict);
}

/** Refuses a client that has used `limit` up within `scope`, without counting this request. */
export async function refuseSpent(
  limiter: Limiter,
  limit: Limit,
  { scope, client }: { scope: string; client: string },
  res: Response,
): Promise<void> {
  const verdict = await limiter.standing(limit, scope, client);
  if (verdict.allowed) return;
  showVerdict(res, verdict);
  refuse(verdict);
}

const countBurst = (limiter: Limiter, visit: RequestState): Promise<Verdict> =>
  limiter.count(burstTier, 'burst', clientOf(visit));

const countStated = (limiter: Limiter, endpoint: Endpoint, req: Request): Promise<Verdict> =>
  limiter.count(endpoint.limit, `${endpoint.method} ${endpoint.path}`, countedBy(endpoint, req));

function countedBy(endpoint: Endpoint, req: Request): string {
  // Who guesses passwords or codes must not get a fresh count with every account they hold.
  return endpoint.limit.shared && endpoint.auth === 'public'
    ? networkOf(requestStateOf(req))
    : clientOf(requestStateOf(req));
}

/** A client by its address only, whoever is signed in there. */
export const networkOf = (visit: RequestState): string => `address:${clientNetwork(visit.clientAddress)}`;

/** Whether a client is known by nothing but its address. */
export const isNetwork = (client: string): boolean => client.startsWith('address:');

/** A client is a user where a good token is given, else an address. */
export const clientOf = (visit: RequestState): string =>
  visit.authenticated ? `user:${visit.authenticated.caller.id}` : networkOf(visit);

function showVerdict(res: Response, verdict: Verdict): void {
  for (const [name, value] of verdictHeaders(verdict)) res.set(name, value);
}

/** Tells a client where it stands. */
export const verdictHeaders = ({
  limit,
  remaining,
  resetAt,
  financial,
}: Verdict): readonly (readonly [name: string, value: string])[] => [
  ['X-RateLimit-Limit', String(limit)],
  ['X-RateLimit-Remaining', String(remaining)],
  ['X-RateLimit-Reset', String(Math.ceil(resetAt / 1000))],
  ...(financial ? [['X-RateLimit-Policy', 'financial'] as const] : []),
];

function refuse({ resetAt }: Verdict): never {
  throw new TooManyRequests(Math.max(1, Math.ceil((resetAt - Date.now()) / 1000)));
}
