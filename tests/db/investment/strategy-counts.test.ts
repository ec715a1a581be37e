import { countBegun } from '../../../db/investment/strategy/strategy-capacity.transitions';
import { execute, firstRow, type Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { make } from '../../support/builders/make';
import type { Participation } from '../../support/builders/make/participation/options';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();

/** Lets a participation run and counts it, with `meanwhile` before its transaction ends. */
const begins = (participation: Participation, meanwhile?: () => Promise<void>): Promise<void> =>
  inTransaction(own.db, async (tx: Tx) => {
    await execute(
      tx,
      `UPDATE participations SET status = 'ACTIVE', payment_status = 'PAID', paid_at = now(), started_at = now(),
         matures_at = now() + interval '90 days' WHERE id = $1`,
      [participation.id],
    );
    await countBegun(tx, participation);
    await meanwhile?.();
  });

/** Waits until a statement waits for a lock. */
async function lockAwaited(): Promise<void> {
  for (;;) {
    const found = await firstRow<{ n: number }>(
      own.owner,
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (found!.n > 0) return;
  }
}

test('one person whose two payments for one strategy settle at once is one participant', async () => {
  const [{ id: strategyId }, { id: userId }] = [await make.strategy(own.db), await make.user(own.db)];
  const first = await make.participation(own.db, { strategyId, userId });
  const second = await make.participation(own.db, { strategyId, userId });
  let other: Promise<void> | undefined;
  await begins(first, () => {
    other = begins(second);
    return lockAwaited();
  });
  await other;
  expect(
    await firstRow(
      own.db,
      'SELECT total_participants, active_participations FROM investment_strategies WHERE id = $1',
      [strategyId],
    ),
  ).toEqual({ totalParticipants: 1, activeParticipations: 2 });
});
