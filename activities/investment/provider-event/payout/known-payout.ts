import type { LockedParticipation } from '../../../../db/investment/participation/participation.transitions';
import { participationByPayout } from '../../../../db/investment/provider-event/reported.reads';
import type { Tx } from '../../../../db/sql/query';
import { isRecorded, otherAmount } from '../effect';
import { Inapplicable, inWords } from '../../report/inapplicable';

/**
 * True for a repeat. The amount of our own payout that a provider has confirmed is left to the reconciliation. Throws
 * Inapplicable where its externalId was reported with another amount or penalty.
 */
export async function isKnownPayout(
  tx: Tx,
  participation: LockedParticipation,
  {
    externalId,
    amountMinor,
    penaltyMinor,
  }: { externalId: string; amountMinor: number; penaltyMinor: number },
): Promise<boolean> {
  const { currency } = participation;
  const isOurs = participation.status !== 'ACTIVE' && participation.payoutReportedAt === null;
  const paid = { type: 'WITHDRAWAL', externalId, amountMinor: isOurs ? null : amountMinor } as const;
  const isPaid = await isRecorded(tx, participation, paid);
  if (isPaid && isOurs) return true;
  const kept = { type: 'PENALTY', externalId, amountMinor: penaltyMinor } as const;
  const isKept = await isRecorded(tx, participation, kept);
  if (isPaid || isKept) {
    if (isPaid !== amountMinor > 0 || isKept !== penaltyMinor > 0)
      throw new Inapplicable(
        `Its externalId ${externalId} was already reported with another amount or penalty than ${inWords(amountMinor, currency)} and ${inWords(penaltyMinor, currency)}.`,
      );
    return true;
  }
  return isKnownEnd(tx, participation, { externalId, isOurs, totalMinor: amountMinor + penaltyMinor });
}

/** True for the report of an end that has left nothing, and so no transaction. */
async function isKnownEnd(
  tx: Tx,
  { id, providerCode, currency }: LockedParticipation,
  { externalId, isOurs, totalMinor }: { externalId: string; isOurs: boolean; totalMinor: number },
): Promise<boolean> {
  const ended = await participationByPayout(tx, providerCode, externalId);
  if (!ended) return false;
  if (ended.id !== id)
    throw new Inapplicable(
      `Its externalId ${externalId} is already that of another investment, participation ${ended.id}.`,
    );
  if (!isOurs && totalMinor !== 0)
    throw otherAmount(externalId, inWords(0, currency), inWords(totalMinor, currency));
  return true;
}
