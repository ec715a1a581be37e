import { createHash } from 'node:crypto';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { Db } from '../../../db/sql/query';
import type { Limit } from './limits';

/** Where a client stands against one limit after one more request. */
export interface Verdict {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Milliseconds since 1970 at which counting begins anew. */
  resetAt: number;
  financial: boolean;
}

/** Counting was impossible and the limit is one that then stays closed. */
export class CountingImpossible extends Error {}

/**
 * Counts requests against limits. General limits are counted in this process; those that guard secrets or money in
 * the database, so that any number of API processes hold them together. When the database is away the former are
 * counted here, the latter throw `CountingImpossible`.
 */
export class Limiter {
  private readonly counters = new Map<string, RateLimiterAbstract>();

  constructor(
    private readonly db: Db,
    private readonly scale: number,
  ) {}

  /** Counts one request of `client` in the scope (a tier, an endpoint) that the limit belongs to. */
  async count(limit: Limit, scope: string, client: string): Promise<Verdict> {
    const points = this.pointsOf(limit);
    const { consumedPoints, msBeforeNext } = await this.consume(limit, points, keyOf(limit, scope, client));
    return verdictOf(limit, { points, consumedPoints, msBeforeNext });
  }

  /** Where `client` stands in that scope without one more request; `allowed` tells whether one more would be. */
  async standing(limit: Limit, scope: string, client: string): Promise<Verdict> {
    const points = this.pointsOf(limit);
    const state = await this.read(limit, points, keyOf(limit, scope, client));
    const { consumedPoints = 0, msBeforeNext = 0 } = state ?? {};
    return {
      ...verdictOf(limit, { points, consumedPoints, msBeforeNext }),
      allowed: consumedPoints < points,
    };
  }

  private pointsOf(limit: Limit): number {
    return Math.max(1, Math.floor(limit.requests * this.scale));
  }

  private async read(limit: Limit, points: number, key: string): Promise<RateLimiterRes | null> {
    try {
      return await this.counter(limit, points).get(key);
    } catch (cause) {
      throw new CountingImpossible('Requests cannot be counted now.', { cause });
    }
  }

  private async consume(limit: Limit, points: number, key: string): Promise<RateLimiterRes> {
    try {
      return await this.counter(limit, points).consume(key);
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return refused;
      throw new CountingImpossible('Requests cannot be counted now.', { cause: refused });
    }
  }

  private counter(limit: Limit, points: number): RateLimiterAbstract {
    const kind = limit.financial ? 'financial' : limit.shared ? 'shared' : 'own';
    const name = `${kind} ${points}/${limit.perSeconds}`;
    const known = this.counters.get(name) ?? this.newCounter(kind, points, limit.perSeconds);
    this.counters.set(name, known);
    return known;
  }

  private newCounter(
    kind: 'financial' | 'shared' | 'own',
    points: number,
    duration: number,
  ): RateLimiterAbstract {
    const options = { points, duration, keyPrefix: '' };
    if (kind === 'own') return new RateLimiterMemory(options);
    return new RateLimiterPostgres({
      ...options,
      storeClient: this.db.sequelize,
      storeType: 'sequelize',
      tableName: 'rate_limits',
      tableCreated: true,
      ...(kind === 'shared' && { insuranceLimiter: new RateLimiterMemory(options) }),
    });
  }
}

const keyOf = (limit: Limit, scope: string, client: string): string =>
  isOwn(limit) ? `${scope} ${client}` : hashed(`${scope} ${client}`);

const verdictOf = (
  limit: Limit,
  {
    points,
    consumedPoints,
    msBeforeNext,
  }: { points: number } & Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>,
): Verdict => ({
  allowed: consumedPoints <= points,
  limit: points,
  remaining: Math.max(0, points - consumedPoints),
  resetAt: Date.now() + Math.max(0, msBeforeNext),
  financial: limit.financial === true,
});

/** Counted in this process alone. */
const isOwn = ({ financial, shared }: Limit): boolean => !financial && !shared;

/** Counters' keys are seen by whoever sees the table; addresses and ids are none of their business. */
const hashed = (key: string): string => createHash('sha256').update(key).digest('base64url');
