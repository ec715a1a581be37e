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
import { bookSettledOfStatement } from '../../../db/commerce/refund/reported/settled-by-name.transitions';
import type { Policy } from '../../../db/policy/config';
import { inLongTransaction } from '../../../db/sql/long-transaction';
import { inTransaction } from '../../../db/sql/transaction';
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

/**
 * Books the fees of a day that was read, compares it and completes its run, in one transaction. Returns the number of open
 * differences with the provider; also to a repeat, whose reading is compared already. Null, at once, and nothing compared, while
 * another day of the provider is compared, which may take long.
 */
export async function compareDay(deps: CompareDeps, day: DayToCompare): Promise<number | null> {
  await inTransaction(deps.db, (tx) => bookSettled(tx, day));
  return inLongTransaction(
    deps.db,
    deps.signal,
    async (tx) => ((await claimComparisons(tx, day.provider)) ? compare(tx, deps, day) : null),
    { readsCommitted: true },
  );
}

/** In a transaction of its own, since it locks the orders that were paid for, and a comparison may take long. */
async function bookSettled(tx: Tx, { provider, day, ...reading }: DayToCompare): Promise<void> {
  if ((await lockReading(tx, reading)) !== 'LOCKED') return;
  await forgetUnread(tx, reading);
  await bookSettledOfStatement(tx, { provider, day });
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
  const feesBooked = await bookFees(tx, { provider, day, bookedAt: new Date(endsAt.getTime() - 1) });
  signal.throwIfAborted();
  const keptFrom = dayOf(at, policy.reconciliationDays);
  await compareWithProvider(tx, { runId: reading.runId, provider, day, startsAt, endsAt, keptFrom, at });
  signal.throwIfAborted();
  await completeRun(tx, reading, { at, feesBooked });
  return openDifferences(tx, provider);
}
