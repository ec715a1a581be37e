import { lockUserStanding } from '../../../db/kyc/standing/user-standing.writes';
import {
  lockParticipation,
  type LockedParticipation,
} from '../../../db/investment/participation/participation.transitions';
import {
  participationByExternalId,
  transactionByExternalId,
} from '../../../db/investment/provider-event/reported.reads';
import {
  recordTransaction,
  type NewTransaction,
} from '../../../db/investment/transaction/investment-transaction.transitions';
import type { Tx } from '../../../db/sql/query';
import { Inapplicable, inWords } from '../report/inapplicable';

/** The effect of a report. `waitsFor`: the provider's id of the participation that it needs, if it needs one. */
export type Effect =
  | { outcome: 'WAITING'; reason: string; waitsFor: string | null }
  | {
      outcome: 'APPLIED' | 'WITHOUT_EFFECT';
      /** The participation whose process has to look at it again. */
      moved: Pick<LockedParticipation, 'id' | 'userId'> | null;
      /** The decision that a person has to make about it, though it is recorded; left out or null: none. */
      toDecide?: string | null;
    };

export const NOTHING: Effect = { outcome: 'WITHOUT_EFFECT', moved: null };

/** The participation that a provider names by its own id, locked; null when it is not known (yet). */
export async function lockReported(
  tx: Tx,
  provider: string,
  externalId: string,
): Promise<LockedParticipation | null> {
  const known = await participationByExternalId(tx, provider, externalId);
  return known && lockParticipation(tx, known.id);
}

/** Locks it after the row of its owner: for reports that may bring money to the wallet. */
export async function lockWithOwner(
  tx: Tx,
  provider: string,
  externalId: string,
): Promise<LockedParticipation | null> {
  const known = await participationByExternalId(tx, provider, externalId);
  if (!known) return null;
  await lockUserStanding(tx, known.userId);
  return lockParticipation(tx, known.id);
}

/** The effect of a report about a participation that is not known (yet). */
export const unknownParticipation = (externalId: string): Effect => ({
  outcome: 'WAITING',
  reason: `It is about the investment ${externalId}, which its provider has not reported.`,
  waitsFor: externalId,
});

/**
 * True if the movement that a provider calls by this id is recorded for this participation. Throws Inapplicable where it
 * was recorded for another one, or with another amount; null: any amount.
 */
export async function isRecorded(
  tx: Tx,
  participation: LockedParticipation,
  movement: { type: 'PROFIT' | 'WITHDRAWAL' | 'PENALTY'; externalId: string; amountMinor: number | null },
): Promise<boolean> {
  const { type, externalId, amountMinor } = movement;
  const { providerCode, currency } = participation;
  const recorded = await transactionByExternalId(tx, { providerCode, type, externalId });
  if (!recorded) return false;
  if (recorded.participationId !== participation.id)
    throw new Inapplicable(
      `Its externalId ${externalId} is already that of another investment, participation ${recorded.participationId}.`,
    );
  if (amountMinor !== null && recorded.amountMinor !== amountMinor)
    throw otherAmount(externalId, inWords(recorded.amountMinor, currency), inWords(amountMinor, currency));
  return true;
}

/** The refusal of an id that comes again with another amount. */
export const otherAmount = (externalId: string, before: string, now: string): Inapplicable =>
  new Inapplicable(
    `Its externalId ${externalId} was already reported with another amount: ${before}, and now ${now}.`,
  );

/**
 * Records a movement that `isRecorded` does not know. Throws, so that the step is tried again, where another report has
 * recorded its externalId meanwhile: the next try finds it.
 */
export async function recordMovement(tx: Tx, movement: NewTransaction, at: Date): Promise<void> {
  if (!(await recordTransaction(tx, movement, at)))
    throw new Error(`Another report of ${movement.providerCode} has just recorded this externalId.`);
}

/** True if a participation was ended by a report of something that happened at or after this time, and so includes it. */
export const isIncludedInEnd = (
  { payoutReportedAt }: Pick<LockedParticipation, 'payoutReportedAt'>,
  occurredAt: Date,
): boolean => payoutReportedAt !== null && occurredAt <= payoutReportedAt;
