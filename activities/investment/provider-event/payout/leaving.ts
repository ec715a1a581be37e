import type { LockedParticipation } from '../../../../db/investment/participation/participation.transitions';
import { principalMinor } from '../../participation/pay-out-participation';
import { minorOf } from '../event-forms';
import { Inapplicable, inWords } from '../inapplicable';
import type { Payout, Withdrawn } from './record-payout';

/** The amounts of a report in minor units: its `amount` leaves the participation, and the penalty is a part of that. */
export function paidAndKept(
  data: Withdrawn['data'],
  currency: string,
): Pick<Payout, 'amountMinor' | 'penaltyMinor'> {
  const leavingMinor = minorOf('amount', data.amount, currency);
  const penaltyMinor = minorOf('penalty', data.penalty ?? 0, currency);
  if (penaltyMinor > leavingMinor)
    throw new Inapplicable(
      `Its penalty of ${inWords(penaltyMinor, currency)} is more than the ${inWords(leavingMinor, currency)} of which it is a part.`,
    );
  return { amountMinor: leavingMinor - penaltyMinor, penaltyMinor };
}

/** True for a status by which the rest of the participation goes on. */
export const goesOn = (status: string | undefined): boolean =>
  ['ACTIVE', 'PARTIAL'].includes(status?.toUpperCase() ?? '');

/**
 * True where a part of a running participation is paid out: by a report without a status, less than its principal, or than
 * losses have left of it; by one whose status says that it goes on, anything but all that it holds.
 */
export function isPartOf(
  participation: LockedParticipation,
  { event: { data }, amountMinor, penaltyMinor }: Payout,
): boolean {
  const { earnedMinor } = participation;
  const principal = principalMinor(participation);
  const leavingMinor = amountMinor + penaltyMinor;
  if (data.status === undefined) return leavingMinor < principal + Math.min(0, earnedMinor);
  return goesOn(data.status) && (earnedMinor > 0 || leavingMinor !== principal);
}
