import type { Attributes } from 'sequelize';
import { rows, type Db } from '../../sql/query';
import type { InvestmentTransaction } from './investment-transaction.model';

export type TransactionRow = Pick<
  Attributes<InvestmentTransaction>,
  'id' | 'participationId' | 'type' | 'amountMinor' | 'currency' | 'period' | 'occurredAt'
> & {
  /** True for a payout whose transfer has not ended. */
  isOnItsWay: boolean;
  /** True for a payout made here that the provider has confirmed. */
  isConfirmed: boolean;
};

/** The newest transactions of each of these participations, newest first; `limit` null: all. */
export const transactionsOf = (
  db: Db,
  participationIds: readonly string[],
  limit: number | null,
): Promise<TransactionRow[]> =>
  rows<TransactionRow>(
    db,
    `SELECT t.id, t.participation_id, t.type, t.amount_minor, t.currency, t.period, t.occurred_at,
            coalesce(t.type = 'WITHDRAWAL' AND w.status = 'PROCESSING' AND t.created_at >= w.created_at, false)
              AS is_on_its_way,
            t.type = 'WITHDRAWAL' AND t.webhook_event_id IS NULL AND t.external_id IS NOT NULL AS is_confirmed
       FROM unnest($1::uuid[]) AS chosen (id)
       CROSS JOIN LATERAL (SELECT * FROM investment_transactions one WHERE one.participation_id = chosen.id
         ORDER BY one.occurred_at DESC, one.id DESC LIMIT $2) t
       LEFT JOIN investment_withdrawals w ON w.participation_id = t.participation_id
       ORDER BY t.occurred_at DESC, t.id DESC`,
    [participationIds, limit],
  );
