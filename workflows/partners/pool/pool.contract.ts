import { defineProcess } from '../../kit/process';
import { poolKey, type PoolKind } from './pool-period.rules';

export interface PoolInput {
  kind: PoolKind;
  /** 2026-W47 or 2026-11. */
  period: string;
}

/** The wait of a pool, as its next history takes it over. */
export interface PoolWait {
  /** Since when it waits (ISO 8601). */
  since: string;
  /** An operator has decided not to wait for the commission engine. */
  withoutUncounted: boolean;
}

/** ABANDONED: an operator gave it up; it can be started again. */
export interface PoolResult {
  status: 'COMPLETED' | 'ABANDONED';
  participants: number;
}

/**
 * The leadership pool of one period: counted once, and each share paid once, however often it is started. Started
 * again after its end it finds the run and completes it.
 */
export const poolProcess = defineProcess<PoolInput & { wait?: PoolWait }, PoolResult>({
  type: 'pool',
  queue: 'batch',
  area: 'partners',
  id: (pool) => `pool:${poolKey(pool)}`,
  entityId: (pool) => poolKey(pool),
  resource: 'pool',
  summary: ({ kind, period }) => `Leadership pool ${period} · ${kind}`,
  repeatable: true,
  parks: true,
  ownMatter: 'a leadership pool while you take part in them',
  drives: {
    table: 'pool_runs',
    key: { kind: 'kind', period: 'period' },
    column: 'status',
    open: ['PAYING'],
    since: 'counted_at',
    settledSince: 'completed_at',
    // One that is completed may be started again, and finds nothing to do.
    rowIsFirst: true,
    // It waits until every sale of its period is counted.
    rowMayWait: true,
  },
});

/** The run of a pool, whose figures are fixed. */
export interface CountedPool {
  runId: string;
  participants: number;
}

export interface PoolActivities {
  /**
   * Returns the time (ISO 8601) from which the pool of a period can be counted. Fails for good when there is no such
   * period, or it has not ended yet.
   */
  poolCountableFrom: (pool: PoolInput & { at: string }) => Promise<{ from: string }>;
}

export interface PoolCountActivities {
  /**
   * Counts a period and records its run and shares, in one transaction. Returns null, and records nothing, while a sale of it
   * waits for the commission engine, unless `withoutUncounted`, or another pool of the kind is being counted.
   */
  countPool: (pool: PoolInput & Pick<PoolWait, 'withoutUncounted'>) => Promise<CountedPool | null>;
  /** Pays the shares that are not paid, batch by batch, each in one transaction, and completes the run. */
  payPool: (run: { runId: string }) => Promise<void>;
}
