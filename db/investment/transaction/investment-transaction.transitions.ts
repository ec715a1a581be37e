import type { Attributes } from 'sequelize';
import { execute, type Tx } from '../../sql/query';
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
