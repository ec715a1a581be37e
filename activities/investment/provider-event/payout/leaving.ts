import type { LockedParticipation } from '../../../../db/investment/participation/participation.transitions';
import { principalMinor } from '../../participation/pay-out-participation';
import { minorOf } from '../event-forms';
import { Inapplicable, inWords } from '../../report/inapplicable';
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

const wordIs = (words: readonly string[], status: string | undefined): boolean =>
  words.includes(status?.toUpperCase() ?? '');

/** True for a status that says of the investment that it goes on. */
export const goesOn = (status: string | undefined): boolean => wordIs(['ACTIVE', 'PARTIAL'], status);

/** True for a status that says of the investment that it has ended. Other words may be about the payout. */
export const saysEnded = (status: string | undefined): boolean => wordIs(['WITHDRAWN', 'MATURED'], status);

/**
 * True where a part of a running participation is paid out: less than its principal, or than losses have left of it, whatever the
 * status says. Chosen: one that says that it has ended is no part: it waits for the loss that explains it.
 */
export function isPartOf(
  participation: LockedParticipation,
  { event: { data }, amountMinor, penaltyMinor }: Payout,
): boolean {
  const left = principalMinor(participation) + Math.min(0, participation.earnedMinor);
  return amountMinor + penaltyMinor < left && !saysEnded(data.status);
}
