import type { Attributes } from 'sequelize';
import { firstRow, rows, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { Participation } from '../participation/participation.model';
import { PAID_OUT } from '../participation/valued';
import { Provider } from '../provider/provider.model';
import { ProviderSignIn } from '../provider/provider-sign-in.model';
import { Strategy } from '../strategy/strategy.model';
import { InvestmentTransaction } from '../transaction/investment-transaction.model';
import { ANY_REGION } from '../../identity/user/user.reads';

/** The strategy that a provider names; null when there is none. */
export const strategyByCode = (
  tx: Tx,
  providerCode: string,
  strategyCode: string,
): Promise<Pick<Attributes<Strategy>, 'id' | 'currency'> | null> =>
  table(tx, Strategy).one(['id', 'currency'], { providerCode, strategyCode });

/** True for a user who invests, or has invested, at a provider, or was led to it to sign in there. */
export const isKnownToProvider = async (tx: Tx, providerCode: string, userId: string): Promise<boolean> =>
  (await table(tx, ProviderSignIn).count({ providerCode, userId })) > 0 ||
  (await table(tx, Participation).count({ providerCode, userId })) > 0;

/** True unless a provider is switched off. */
export const isProviderActive = async (tx: Tx, code: string): Promise<boolean> =>
  (await table(tx, Provider).count({ code, isActive: true })) > 0;

/** The participation that a provider names by its own id, and whose it is. */
export const participationByExternalId = (
  tx: Tx,
  providerCode: string,
  externalId: string,
): Promise<Pick<Attributes<Participation>, 'id' | 'userId'> | null> =>
  table(tx, Participation).one(['id', 'userId'], { providerCode, externalId });

/** True for a user who has or had an investment with a provider, or is about to pay for one. */
export const hasInvestedWith = async (tx: Tx, providerCode: string, userId: string): Promise<boolean> =>
  (await firstRow(
    tx,
    `SELECT 1 FROM participations WHERE user_id = $1 AND provider_code = $2 AND status <> 'CANCELLED' LIMIT 1`,
    [userId, providerCode],
  )) !== null;

/** The accounts with an email address, which is unique within a region only. At most two are answered. */
export const accountsByEmail = (tx: Tx, email: string): Promise<{ id: string }[]> =>
  rows(
    tx,
    `SELECT id FROM users WHERE region IN (${ANY_REGION}) AND email = $1 AND erased_at IS NULL LIMIT 2`,
    [email],
  );

/** The participation that ended by the report of a payout that a provider names by its own id, or was confirmed by it. */
export const participationByPayout = (
  tx: Tx,
  providerCode: string,
  payoutExternalId: string,
): Promise<Pick<Attributes<Participation>, 'id'> | null> =>
  table(tx, Participation).one(['id'], { providerCode, payoutExternalId });

/**
 * The sums that were paid out and kept here of an ended participation, in minor units, with the profits until `at` that went to
 * the wallet after the end: a payout of its provider at that time contains them. 0 where its provider ended it.
 */
export async function paidHere(
  tx: Tx,
  participationId: string,
  at: Date,
): Promise<{ amountMinor: number; penaltyMinor: number }> {
  const paid = await firstRow<{ amountMinor: number; penaltyMinor: number }>(
    tx,
    `SELECT coalesce(sum(t.amount_minor) FILTER (WHERE t.type = 'WITHDRAWAL' AND t.webhook_event_id IS NULL
         OR t.type = 'PROFIT' AND t.created_at > p.ended_at AND t.occurred_at <= $2), 0)::bigint AS amount_minor,
       coalesce(sum(t.amount_minor) FILTER (WHERE t.type = 'PENALTY' AND t.webhook_event_id IS NULL), 0)::bigint AS penalty_minor
     FROM participations p JOIN investment_transactions t ON t.participation_id = p.id WHERE p.id = $1`,
    [participationId, at],
  );
  return paid ?? { amountMinor: 0, penaltyMinor: 0 };
}

/** The transaction that a provider names by its own id. */
export const transactionByExternalId = (
  tx: Tx,
  of: Pick<Attributes<InvestmentTransaction>, 'providerCode' | 'type'> & { externalId: string },
): Promise<Pick<Attributes<InvestmentTransaction>, 'participationId' | 'amountMinor'> | null> =>
  table(tx, InvestmentTransaction).one(['participationId', 'amountMinor'], of);

/** The latest of the payouts that a provider has reported, and in minor units all that they have paid and kept. */
export interface ReportedPart {
  externalId: string;
  occurredAt: Date;
  amountMinor: number;
  penaltyMinor: number;
}

/** The latest part that was paid out of a running participation; null when there is none. */
export const latestPart = (tx: Tx, participationId: string): Promise<ReportedPart | null> =>
  firstRow<ReportedPart>(
    tx,
    `SELECT external_id, occurred_at,
       coalesce(sum(sum(amount_minor) FILTER (WHERE type = 'WITHDRAWAL')) OVER (), 0)::bigint AS amount_minor,
       coalesce(sum(sum(amount_minor) FILTER (WHERE type = 'PENALTY')) OVER (), 0)::bigint AS penalty_minor
     FROM investment_transactions WHERE participation_id = $1 AND type IN ('WITHDRAWAL', 'PENALTY')
     GROUP BY external_id, occurred_at ORDER BY occurred_at DESC, external_id LIMIT 1`,
    [participationId],
  );

/** The payout by which a provider ended a participation, in minor units, and what all payouts have left of it. */
export interface ReportedEnd {
  amountMinor: number;
  penaltyMinor: number;
  /** Principal and returns beyond all that was paid and kept; below zero: more was paid than was reported as earned. */
  leftMinor: number;
  /** Null for a payout of nothing, which has no transaction. */
  receivedAt: Date | null;
}

/** The end that a provider has reported; null where there is none. */
export const reportedEnd = (tx: Tx, participationId: string): Promise<ReportedEnd | null> =>
  firstRow<ReportedEnd>(
    tx,
    `SELECT coalesce(sum(t.amount_minor) FILTER (WHERE t.type = 'WITHDRAWAL'), 0)::bigint AS amount_minor,
       coalesce(sum(t.amount_minor) FILTER (WHERE t.type = 'PENALTY'), 0)::bigint AS penalty_minor,
       (p.amount_minor + p.earned_minor - ${PAID_OUT})::bigint AS left_minor, min(w.received_at) AS received_at
     FROM participations p
       LEFT JOIN investment_transactions t ON t.participation_id = p.id AND t.external_id = p.payout_external_id
         AND t.type IN ('WITHDRAWAL', 'PENALTY')
       LEFT JOIN webhook_events w ON w.id = t.webhook_event_id
     WHERE p.id = $1 AND p.payout_reported_at IS NOT NULL GROUP BY p.id`,
    [participationId],
  );
