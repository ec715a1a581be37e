import { createHash } from 'node:crypto';
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import type { Db } from '../../../db/sql/query';
import type { LimitState } from '../observe/request-state';
import type { Limit } from './limits';

/** The database is unavailable and the limit is one that then refuses every request. */
export class CounterUnavailable extends Error {}

/**
 * Counts requests against limits: general limits in this process, shared and financial ones in the database, for all
 * API processes together. While the database is unavailable, shared limits are counted in this process and financial
 * ones throw `CounterUnavailable`.
 */
export class Limiter {
  private readonly counters = new Map<string, RateLimiterAbstract>();

  constructor(
    private readonly db: Db,
    private readonly scale: number,
  ) {}

  /** Counts one request of `client` in the scope (a tier, an endpoint) that the limit belongs to. */
  async count(limit: Limit, scope: string, client: string): Promise<LimitState> {
    const points = this.pointsOf(limit);
    const { consumedPoints, msBeforeNext } = await this.consume(limit, points, keyOf(limit, scope, client));
    return limitStateOf(limit, { points, consumedPoints, msBeforeNext });
  }

  /** The state of `client` in the scope without counting a request; `allowed`: whether one more request would be. */
  async current(limit: Limit, scope: string, client: string): Promise<LimitState> {
    const points = this.pointsOf(limit);
    const counted = await this.read(limit, points, keyOf(limit, scope, client));
    const { consumedPoints = 0, msBeforeNext = 0 } = counted ?? {};
    return {
      ...limitStateOf(limit, { points, consumedPoints, msBeforeNext }),
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
      throw new CounterUnavailable('Requests cannot be counted now.', { cause });
    }
  }

  private async consume(limit: Limit, points: number, key: string): Promise<RateLimiterRes> {
    try {
      return await this.counter(limit, points).consume(key);
    } catch (rejected) {
      if (rejected instanceof RateLimiterRes) return rejected;
      throw new CounterUnavailable('Requests cannot be counted now.', { cause: rejected });
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

const limitStateOf = (
  limit: Limit,
  {
    points,
    consumedPoints,
    msBeforeNext,
  }: { points: number } & Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>,
): LimitState => ({
  allowed: consumedPoints <= points,
  limit: points,
  remaining: Math.max(0, points - consumedPoints),
  resetAt: Date.now() + Math.max(0, msBeforeNext),
  financial: limit.financial === true,
});

/** True if the limit is counted in this process only. */
const isOwn = ({ financial, shared }: Limit): boolean => !financial && !shared;

/** Hides addresses and user ids from readers of the counter table. */
const hashed = (key: string): string => createHash('sha256').update(key).digest('base64url');
