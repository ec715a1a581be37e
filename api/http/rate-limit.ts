import type { Request, Response } from 'express';
import type { Endpoint } from './endpoint';
import { clientNetwork } from './client-address';
import type { Limiter, Verdict } from './limiter';
import { burstTier, hourlyTier } from './limits';
import { visitOf, type Visit } from './visit';

/** A client asked more often than it may. */
export class TooManyRequests extends Error {
  constructor(readonly retryAfterSeconds: number) {
    super(`Too many requests. Try again in ${retryAfterSeconds} s.`);
  }
}

/** Holds a client to what anyone may ask in a second. Its headers are shown only when it is what refuses. */
export async function holdBurst(limiter: Limiter, req: Request, res: Response): Promise<void> {
  const verdict = await limiter.count(burstTier, 'burst', clientOf(visitOf(req)));
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
  const verdict = await limiter.count(
    endpoint.limit,
    `${endpoint.method} ${endpoint.path}`,
    countedBy(endpoint, req),
  );
  showVerdict(res, verdict);
  if (!verdict.allowed) refuse(verdict);
  if (!endpoint.limit.general) return;
  const hour = await limiter.count(hourlyTier, 'hourly', clientOf(visitOf(req)));
  if (hour.remaining < verdict.remaining || !hour.allowed) showVerdict(res, hour);
  if (!hour.allowed) refuse(hour);
}

function countedBy(endpoint: Endpoint, req: Request): string {
  const { perParameter, shared } = endpoint.limit;
  if (perParameter !== undefined) return `${perParameter}:${String(req.params[perParameter])}`;
  // Who guesses passwords or codes must not get a fresh count with every account they hold.
  return shared && endpoint.auth === 'public' ? networkOf(visitOf(req)) : clientOf(visitOf(req));
}

const networkOf = (visit: Visit): string => `address:${clientNetwork(visit.clientAddress)}`;

/** A client is a user where a good token is given, else an address. */
export const clientOf = (visit: Visit): string =>
  visit.authenticated ? `user:${visit.authenticated.caller.id}` : networkOf(visit);

function showVerdict(res: Response, { limit, remaining, resetAt, financial }: Verdict): void {
  res.set('X-RateLimit-Limit', String(limit));
  res.set('X-RateLimit-Remaining', String(remaining));
  res.set('X-RateLimit-Reset', String(Math.ceil(resetAt / 1000)));
  if (financial) res.set('X-RateLimit-Policy', 'financial');
}

function refuse({ resetAt }: Verdict): never {
  throw new TooManyRequests(Math.max(1, Math.ceil((resetAt - Date.now()) / 1000)));
}
