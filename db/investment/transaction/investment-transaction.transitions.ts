import type { Attributes } from 'sequelize';
import { execute, firstRow, type Tx } from '../../sql/query';
import type { InvestmentTransaction } from './investment-transaction.model';

export type NewTransaction = Omit<
  Attributes<InvestmentTransaction>,
  'createdAt' | 'externalId' | 'webhookEventId' | 'period'
> &
  Partial<Pick<Attributes<InvestmentTransaction>, 'externalId' | 'webhookEventId' | 'period'>>;

/**
 * Records a movement of a locked participation; false when it is recorded already: a second DEPOSIT, or one with an id of
 * the provider that is known for this type.
 */
export async function recordTransaction(
  tx: Tx,
  {
    id,
    participationId,
    userId,
    type,
    amountMinor,
    currency,
    providerCode,
    externalId = null,
    webhookEventId = null,
    period = null,
    occurredAt,
  }: NewTransaction,
  at: Date,
): Promise<boolean> {
  const written = await execute(
    tx,
    `INSERT INTO investment_transactions (id, participation_id, user_id, type, amount_minor, currency, provider_code,
       external_id, webhook_event_id, period, occurred_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING`,
    [
      id,
      participationId,
      userId,
      type,
      amountMinor,
      currency,
      providerCode,
      externalId,
      webhookEventId,
      period,
      occurredAt,
      at,
    ],
  );
  return written === 1;
}

/**
 * The time of the end of a locked participation: `at`, or just after its last movement. The clock of a process may be behind
 * that of a report which came first, and what is recorded after the end counts as not contained in it.
 */
export async function endTime(tx: Tx, participationId: string, at: Date): Promise<Date> {
  const found = await firstRow<{ last: Date | null }>(
    tx,
    'SELECT max(created_at) AS last FROM investment_transactions WHERE participation_id = $1',
    [participationId],
  );
  const last = found?.last ?? null;
  return last === null || last < at ? at : new Date(last.getTime() + 1);
}
