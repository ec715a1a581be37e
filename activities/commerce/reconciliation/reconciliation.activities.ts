import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { beginReading } from '../../../db/commerce/reconciliation/reading.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  StatementActivities,
  ComparisonActivities,
  ReconciliationActivities,
} from '../../../workflows/commerce/reconciliation/reconciliation.contract';
import {
  utcDay,
  comparableDays,
  whyNotComparable,
  type UtcDay,
} from '../../../workflows/commerce/reconciliation/reconciliation.rules';
import type { ProviderStatement } from '../../providers/statements/port';
import { withHeartbeat } from '../../heartbeat';
import { compareDay } from './compare-day';
import { readStatement } from './read-statement';

interface ReconciliationDeps {
  db: Db;
  /** A pool for long work. */
  longDb: Db;
  statements: ReadonlyMap<string, ProviderStatement>;
  policy: Pick<Policy, 'reconciliationDays' | 'sandboxDays'>;
}

/** The comparison of providers' statements with ours. */
export const reconciliationActivities = ({
  db,
  longDb,
  statements,
  policy,
}: ReconciliationDeps): ReconciliationActivities & StatementActivities & ComparisonActivities => ({
  beginReading({ provider, day, at: moment }) {
    const at = new Date(moment);
    const why = whyNotComparable(day, comparableDays(provider, policy), at);
    if (why !== null) throw ApplicationFailure.nonRetryable(`The day ${day} ${why}.`, 'NotComparable');
    return inTransaction(db, (tx) => beginReading(tx, { provider, day, at }));
  },

  readStatement({ runId, reading, provider, day, cursor: from }) {
    const statement = statements.get(provider);
    // Not final: a worker that is set up for it may get the next try.
    if (!statement)
      throw new Error(`The statement of ${provider} cannot be read: the worker is not set up for it.`);
    let cursor = lastCursor() ?? from;
    return withHeartbeat(
      async (signal) => ({
        cursor: await readStatement(
          { db, statement, signal },
          { reading: { runId, reading }, day: dayNamed(day), cursor },
          (next) => (cursor = next ?? cursor),
        ),
      }),
      () => cursor,
    );
  },

  compareDay: ({ runId, reading, provider, day, at }) =>
    withHeartbeat(async (signal) => ({
      differences: await compareDay(
        { db: longDb, signal, policy },
        { runId, reading, provider, day, at: new Date(at), ...dayNamed(day) },
      ),
    })),
});

/** The cursor behind the last page that an earlier try of this activity recorded; null: none. */
function lastCursor(): string | null {
  const details: unknown = Context.current().info.heartbeatDetails;
  return typeof details === 'string' ? details : null;
}

function dayNamed(day: string): UtcDay {
  const found = utcDay(day);
  if (!found) throw ApplicationFailure.nonRetryable(`There is no day ${day}.`, 'NotComparable');
  return found;
}
