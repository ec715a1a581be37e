import { v7 } from 'uuid';
import type { LockedParticipation } from '../../../../db/investment/participation/participation.transitions';
import type { Tx } from '../../../../db/sql/query';
import { recordMovement } from '../effect';
import type { ProviderEvent } from '../event-forms';
import type { Applying } from './bounds';

export type Withdrawn = ProviderEvent<'investment.withdrawn'>;

/** A payout as its provider reports it, in minor units: what it pays, and what it keeps. */
export interface Payout extends Applying, Pick<Withdrawn, 'occurredAt'> {
  event: Withdrawn;
  /** The id of its transaction: of what it pays, or else of what it keeps. */
  transactionId: string;
  amountMinor: number;
  penaltyMinor: number;
  /** The time whose terms say what penalty may be kept. */
  termsAt: Date;
}

/** Records the transactions of a payout: of what is paid, and of what its provider keeps. */
export async function recordPayout(
  tx: Tx,
  { id: participationId, userId, currency, providerCode }: LockedParticipation,
  { event, transactionId, amountMinor, penaltyMinor, at }: Payout,
): Promise<void> {
  const { occurredAt, id: webhookEventId } = event;
  const common = { participationId, userId, currency, providerCode, webhookEventId, occurredAt };
  const { externalId } = event.data;
  if (amountMinor > 0) {
    const paid = { ...common, id: transactionId, type: 'WITHDRAWAL', amountMinor, externalId } as const;
    await recordMovement(tx, paid, at);
  }
  if (penaltyMinor > 0) {
    const id = amountMinor > 0 ? v7() : transactionId;
    const kept = { ...common, id, type: 'PENALTY', amountMinor: penaltyMinor, externalId } as const;
    await recordMovement(tx, kept, at);
  }
}
