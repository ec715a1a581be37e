import { rows, type Db } from '../../sql/query';

/** A participation or a withdrawal that its process should have moved on. */
export interface OverdueInvestment {
  /** The row's. */
  id: string;
  /** Null: it is a participation. */
  withdrawalId: string | null;
  participationId: string;
  userId: string;
  number: string;
  /** The principal, or what is paid out. */
  amountMinor: number;
  currency: string;
  /** When its process should have moved it on; of a withdrawal, its request. */
  due: Date;
}

/**
 * Participations that are mature or past their payment window, and withdrawals on their way, since before a moment, in the
 * order of these and after a position.
 */
export const overdueInvestments = (
  db: Db,
  {
    before,
    after,
    limit,
  }: { before: Date; after: Pick<OverdueInvestment, 'due' | 'id'> | null; limit: number },
): Promise<OverdueInvestment[]> => {
  const participations = (status: 'ACTIVE' | 'PENDING_PAYMENT', due: string) =>
    `(SELECT id, NULL::uuid AS withdrawal_id, id AS participation_id, user_id, number, amount_minor, currency, ${due} AS due
      FROM participations WHERE status = '${status}' AND ${due} < $1 AND (${due}, id) > ($2, $3)
      ORDER BY ${due}, id LIMIT $4)`;
  return rows<OverdueInvestment>(
    db,
    `SELECT * FROM (
       ${participations('ACTIVE', 'matures_at')}
       UNION ALL ${participations('PENDING_PAYMENT', 'payment_expires_at')}
       UNION ALL
       (SELECT w.id, w.id, w.participation_id, w.user_id, p.number, w.net_minor, w.currency, w.created_at
        FROM investment_withdrawals w JOIN participations p ON p.id = w.participation_id
        WHERE w.status = 'PROCESSING' AND w.created_at < $1 AND (w.created_at, w.id) > ($2, $3)
        ORDER BY w.created_at, w.id LIMIT $4)
     ) AS overdue ORDER BY due, id LIMIT $4`,
    [before, after?.due ?? '-infinity', after?.id ?? '00000000-0000-0000-0000-000000000000', limit],
  );
};
