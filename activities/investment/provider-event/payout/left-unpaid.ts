import type { LockedParticipation } from '../../../../db/investment/participation/participation.transitions';
import { reportedEnd } from '../../../../db/investment/provider-event/reported.reads';
import type { Tx } from '../../../../db/sql/query';
import {
  penaltyOfTerms,
  penaltyTime,
} from '../../../../workflows/investment/participation/report-bounds.rules';
import { principalMinor } from '../../participation/pay-out-participation';
import { inWords } from '../../report/inapplicable';
import type { Applying } from './bounds';

/** The decision about a payout that ended an investment and left a part of its returns unpaid, whichever was reported first. */
export const unpaidWords = (
  { externalId, currency }: Pick<LockedParticipation, 'externalId' | 'currency'>,
  { paidMinor, heldMinor }: { paidMinor: number; heldMinor: number },
): string =>
  `The investment ${externalId} was paid out with ${inWords(paidMinor, currency)}, less than the ${inWords(heldMinor, currency)} that it holds.`;

/**
 * The decision that a person has to make about a profit, just recorded, of a participation that its provider ended later than it
 * made the profit: null as far as the payout contained it. The rest is not credited, as it is not where the profit is reported
 * before the payout: a loss may have yet to be reported. A penalty that the terms ask for and the report does not name is allowed.
 */
export async function unpaidByEnd(
  tx: Tx,
  participation: LockedParticipation,
  { policy, confirmed }: Applying,
): Promise<string | null> {
  const { id, payoutReportedAt } = participation;
  const end = await reportedEnd(tx, id);
  if (confirmed || end === null || payoutReportedAt === null) return null;
  const { amountMinor, penaltyMinor, leftMinor } = end;
  const reported = { occurredAt: payoutReportedAt, receivedAt: end.receivedAt ?? payoutReportedAt };
  const termsAt = penaltyTime(reported, policy.eventPatienceDays);
  const allowed = penaltyOfTerms(participation, principalMinor(participation), termsAt);
  const missing = leftMinor - Math.max(0, allowed - penaltyMinor);
  if (missing <= 0) return null;
  return unpaidWords(participation, { paidMinor: amountMinor, heldMinor: amountMinor + missing });
}
