import type { Db } from '../../db/sql/query';
import type { PaymentProvider } from './payments/port';
import type { PayoutProvider } from './payouts/port';
import type { ProviderStatement } from './statements/port';
import type { ProviderVariables } from './variables';

/**
 * A system outside of the platform that workers call; `drivers.ts` lists them. `Config`: the variables that workers read for
 * it, and those of theirs that it needs.
 */
export interface Driver<Config> {
  /**
   * Its name in our rows, its queues, its webhook address and the variables of its limits: small letters, digits and hyphens.
   * It never changes.
   */
  readonly code: string;
  readonly variables: ProviderVariables;
  /** The calls that all workers together begin in a second, unless its variable says otherwise; null: any number. */
  readonly callsPerSecond: number | null;
  /** The same for look-ups, which have a queue of their own; null: nothing is ever requested from it, and has no such queue. */
  readonly lookUpsPerSecond: number | null;
  /** Takes payments; null when it is not configured. Left out: it never does. */
  readonly payments?: (config: Config, db: Db) => PaymentProvider | null;
  /** Sends money out. */
  readonly payouts?: (config: Config, db: Db) => PayoutProvider | null;
  /** Its own record of the money on our account with it. */
  readonly statement?: (config: Config, db: Db) => ProviderStatement | null;
}

/** Those that are there, by code. */
export const byCode = <One extends { readonly code: string }>(
  found: readonly (One | null | undefined)[],
): ReadonlyMap<string, One> =>
  new Map(found.flatMap((one): [string, One][] => (one ? [[one.code, one]] : [])));
