import { firstRow, rows, type Db } from '../../sql/query';

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

/** The largest principal of a user's ACTIVE participations, and of those that wait for their payment, in each currency. */
export const largestOpenPrincipals = (
  db: Db,
  userId: string,
): Promise<{ currency: string; amountMinor: number }[]> =>
  rows(
    db,
    `SELECT currency, max(amount_minor - withdrawn_minor) AS amount_minor FROM participations
      WHERE user_id = $1 AND status IN ('ACTIVE', 'PENDING_PAYMENT') GROUP BY currency`,
    [userId],
  );
