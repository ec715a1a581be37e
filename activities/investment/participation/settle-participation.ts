import { v7 } from 'uuid';
import { announce } from '../../../db/administration/domain-event/domain-event.writes';
import { bookPrincipalPaid } from '../../../db/investment/participation/participation-ledger.transitions';
import {
  moveParticipation,
  type LockedParticipation,
} from '../../../db/investment/participation/participation.transitions';
import { countBegun } from '../../../db/investment/strategy/strategy-capacity.transitions';
import { recordTransaction } from '../../../db/investment/transaction/investment-transaction.transitions';
import type { Tx } from '../../../db/sql/query';
import { participationStartedLetter } from '../../../workflows/investment/participation/participation.letters';
import type { ParticipationMethod } from '../../../workflows/investment/participation/participation.rules';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';
import { queueParticipationMail, withdrawTransferMail } from './queue-participation-mail';

/** The payment of a participation; `provider`: the payment provider or bank that brought the money, null for BALANCE. */
export interface ParticipationPaid {
  method: ParticipationMethod;
  provider: string | null;
  /** ISO 8601. */
  at: string;
}

/**
 * Carries out all that the payment of a locked participation means, in the caller's transaction: it runs from now on.
 * Throws InsufficientBalance, after which the transaction can only be rolled back, when the wallet does not cover it.
 */
export async function settleParticipation(
  tx: Tx,
  participation: LockedParticipation,
  { method, provider, at }: ParticipationPaid,
): Promise<void> {
  const { durationDays } = participation;
  const now = new Date(at);
  const paid = { paymentStatus: 'PAID', paymentMethod: method, paidAt: now } as const;
  await moveParticipation(
    tx,
    participation,
    'ACTIVE',
    { ...paid, startedAt: now, maturesAt: daysAfter(now, durationDays) },
    now,
  );
  await begin(tx, participation, now);
  await bookPrincipalPaid(tx, participation, provider === null ? 'WALLET' : { provider }, now);
  await withdrawTransferMail(tx, participation.id);
  await queueParticipationMail(tx, participation.id, 'started', participationStartedLetter);
}

type Begun = Pick<
  LockedParticipation,
  'id' | 'userId' | 'amountMinor' | 'currency' | 'providerCode' | 'strategyId'
>;

/** The report of a provider that says of money put into a participation, with its own time. */
export interface DepositReport {
  externalId: string;
  webhookEventId: string;
  occurredAt: Date;
}

/** Records the deposit of a participation that begins to run, and announces it. Its row is ACTIVE already. */
export async function begin(
  tx: Tx,
  participation: Begun,
  at: Date,
  report: DepositReport | { occurredAt: Date } = { occurredAt: at },
): Promise<void> {
  const { id: participationId, userId, amountMinor, currency, providerCode, strategyId } = participation;
  const transactionId = v7();
  const deposit = { participationId, userId, amountMinor, currency };
  const isNew = await recordTransaction(
    tx,
    { id: transactionId, type: 'DEPOSIT', providerCode, ...deposit, ...report },
    at,
  );
  if (!isNew) throw new Error(`Participation ${participationId} has a deposit already.`);
  await countBegun(tx, { id: participationId, strategyId, userId, amountMinor });
  await announce(tx, { type: 'investment.created', transactionId, ...deposit }, at.toISOString());
}

/** The same time of day so many days later, in UTC. */
export const daysAfter = (moment: Date, days: number): Date => new Date(moment.getTime() + days * DAY_MS);
