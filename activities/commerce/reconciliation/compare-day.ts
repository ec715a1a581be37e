import { setTimeout } from 'node:timers/promises';
import { ApplicationFailure } from '@temporalio/common';
import {
  compareWithProvider,
  openDifferences,
} from '../../../db/commerce/reconciliation/difference.transitions';
import { bookFees } from '../../../db/commerce/reconciliation/fee.transitions';
import {
  claimComparisons,
  completeRun,
  forgetUnread,
  lockReading,
} from '../../../db/commerce/reconciliation/reading.transitions';
import type { Policy } from '../../../db/policy/config';
import { inLongTransaction } from '../../../db/sql/long-transaction';
import type { Db, Tx } from '../../../db/sql/query';
import type { Reading } from '../../../workflows/commerce/reconciliation/reconciliation.contract';
import { dayOf, type UtcDay } from '../../../workflows/commerce/reconciliation/reconciliation.rules';

interface DayToCompare extends Reading, UtcDay {
  provider: string;
  day: string;
  at: Date;
}

interface CompareDeps {
  /** A pool for long work. */
  db: Db;
  signal: AbortSignal;
  policy: Pick<Policy, 'reconciliationDays'>;
}

/** The wait for another comparison of the provider, which may take long: outside a transaction, so that no connection waits. */
const BUSY_MS = 1_000;

/**
 * Books the fees of a day that was read, compares it and completes its run, in one transaction. Answers the open differences
 * with the provider; also to a repeat, whose reading is compared already.
 */
export async function compareDay(deps: CompareDeps, day: DayToCompare): Promise<number> {
  const { db, signal } = deps;
  for (;;) {
    const differences = await inLongTransaction(
      db,
      signal,
      async (tx) => ((await claimComparisons(tx, day.provider)) ? compare(tx, deps, day) : null),
      { readsCommitted: true },
    );
    if (differences !== null) return differences;
    await setTimeout(BUSY_MS, undefined, { signal });
  }
}

async function compare(
  tx: Tx,
  { signal, policy }: Omit<CompareDeps, 'db'>,
  { provider, day, startsAt, endsAt, at, ...reading }: DayToCompare,
): Promise<number> {
  const outcome = await lockReading(tx, reading);
  if (outcome === 'SUPERSEDED')
    throw ApplicationFailure.nonRetryable('Another reading of this day has begun.', 'ReadAgain');
  if (outcome === 'COMPARED') return openDifferences(tx, provider);
  await forgetUnread(tx, reading);
  const feesBooked = await bookFees(tx, { provider, day, bookedAt: new Date(endsAt.getTime() - 1) });
  signal.throwIfAborted();
  const keptFrom = dayOf(at, policy.reconciliationDays);
  await compareWithProvider(tx, { runId: reading.runId, provider, day, startsAt, endsAt, keptFrom, at });
  signal.throwIfAborted();
  await completeRun(tx, reading, { at, feesBooked });
  return openDifferences(tx, provider);
}
