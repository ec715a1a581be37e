import { firstRow, type Db } from '../../sql/query';

/** Tells whether money is in a strategy, or on its way: ACTIVE participations, and those that wait for their payment. */
export async function hasOpenParticipations(db: Db, strategyId: string): Promise<boolean> {
  const open = await firstRow(
    db,
    `SELECT 1 AS one FROM participations
      WHERE strategy_id = $1 AND status IN ('ACTIVE', 'PENDING_PAYMENT') LIMIT 1`,
    [strategyId],
  );
  return open !== null;
}
