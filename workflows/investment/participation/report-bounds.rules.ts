import { MAX_AMOUNT_MINOR } from '../../commerce/money.rules';
import { shareMinor } from './participation.rules';
import { DAY_MS } from '../../kit/values/durations.rules';

/**
 * The most that one participation earns, or is paid, in minor units: small enough that sums over many of them can still be
 * shown. Nobody can allow more.
 */
export const MOST_OF_ONE_MINOR = Math.floor(MAX_AMOUNT_MINOR / 1_000);

/** The most that one report may say of as a profit or loss, in minor units. */
export const mostReportedMinor = (amountMinor: number, percent: number): number =>
  shareMinor(amountMinor, percent * 100);

/** The most that a provider may say that a participation is worth without a person's word, in minor units. */
export const mostValueMinor = (
  { amountMinor, earnedMinor }: Pick<Payable, 'amountMinor' | 'earnedMinor'>,
  percent: number,
): number => amountMinor + Math.max(0, earnedMinor) + mostReportedMinor(amountMinor, percent);

/** The term of an owner: the first day at which the money was bound, and its days. */
export interface Term {
  from: Date;
  durationDays: number;
}

/**
 * The term of a participation, from its start, or from when it was paid where a provider has reported a later start; `paidAt`
 * null: from when it was made.
 */
export const termFrom = (
  { startedAt, paidAt, createdAt }: { startedAt: Date; paidAt: Date | null; createdAt: Date },
  durationDays: number,
): Term => {
  const paid = paidAt ?? createdAt;
  return { from: startedAt < paid ? startedAt : paid, durationDays };
};

/**
 * True for a maturity that is further beyond the term than a provider may move it. The term is that of the owner's terms,
 * whatever was reported since, so that many reports move it no further than one.
 */
export const isBeyondTerm = ({ from, durationDays }: Term, maturesAt: Date, extensionDays: number): boolean =>
  maturesAt.getTime() > from.getTime() + (durationDays + extensionDays) * DAY_MS;

/**
 * The time whose terms say what penalty a provider may keep: the time that it reports, unless the report came later than
 * reports may wait. Else it could date a payout back into the lock period.
 */
export const penaltyTime = (
  { occurredAt, receivedAt }: { occurredAt: Date; receivedAt: Date },
  patienceDays: number,
): Date => (receivedAt.getTime() - occurredAt.getTime() > patienceDays * DAY_MS ? receivedAt : occurredAt);

/** A participation as the amount of its last payout depends on it. */
export interface Payable {
  amountMinor: number;
  withdrawnMinor: number;
  earnedMinor: number;
  earlyWithdrawalPenaltyBp: number | null;
  lockDays: number;
  startedAt: Date | null;
  maturesAt: Date | null;
}

/**
 * The penalty of its terms for a principal that is paid out at a time, in minor units. The lock ends at maturity at the latest;
 * without days of lock there is none, also for a payout that its provider dates before the start.
 */
export function penaltyOfTerms(
  { earlyWithdrawalPenaltyBp, lockDays, startedAt, maturesAt }: Payable,
  principalMinor: number,
  at: Date,
): number {
  const isLocked =
    startedAt !== null &&
    lockDays > 0 &&
    at.getTime() < startedAt.getTime() + lockDays * DAY_MS &&
    (maturesAt === null || at < maturesAt);
  return isLocked ? shareMinor(principalMinor, earlyWithdrawalPenaltyBp ?? 0) : 0;
}

/** The least and the most that a provider may pay to end a participation without a person's word, in minor units. */
export function payoutBounds(
  participation: Payable,
  percent: number,
  at: Date,
): { leastMinor: number; mostMinor: number } {
  const { amountMinor, withdrawnMinor, earnedMinor } = participation;
  const principalMinor = amountMinor - withdrawnMinor;
  const grossMinor = Math.max(0, principalMinor + earnedMinor);
  return {
    leastMinor: grossMinor - penaltyOfTerms(participation, principalMinor, at),
    mostMinor: grossMinor + mostReportedMinor(amountMinor, percent),
  };
}
