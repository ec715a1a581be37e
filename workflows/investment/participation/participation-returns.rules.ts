import { DAY_MS } from '../../kit/values/durations.rules';
import { simpleInterestMinor } from './participation.rules';
import type { ParticipationStatus } from './participation.states';

/** A participation, as its returns depend on it. */
export interface Earning {
  status: ParticipationStatus;
  amountMinor: number;
  /** Principal that its provider has paid out while it runs. */
  withdrawnMinor: number;
  earnedMinor: number;
  returnExpectedBp: number;
  durationDays: number;
  startedAt: Date | null;
  maturesAt: Date | null;
}

export interface Returns {
  /** The distributed profits less losses. */
  earnedMinor: number;
  /** The interest accrued until now at the expected rate that is not distributed yet; 0 unless it runs. */
  pendingMinor: number;
  /** The interest at the expected rate from start to maturity. */
  projectedMinor: number;
}

/** The returns of a participation, on the principal in force: without what its provider has paid out of it. */
export function returnsOf(participation: Earning, now: Date): Returns {
  const { amountMinor, withdrawnMinor, earnedMinor, returnExpectedBp, startedAt } = participation;
  const principalMinor = amountMinor - withdrawnMinor;
  const interest = (days: number) => simpleInterestMinor(principalMinor, returnExpectedBp, days);
  const days = termDays(participation);
  const accruedMinor = startedAt === null ? 0 : interest(Math.min(days, wholeDays(startedAt, now)));
  return {
    earnedMinor,
    pendingMinor: participation.status === 'ACTIVE' ? Math.max(0, accruedMinor - earnedMinor) : 0,
    projectedMinor: interest(days),
  };
}

/** A provider may move the maturity; before it runs, the duration that was requested counts. */
const termDays = ({ startedAt, maturesAt, durationDays }: Earning): number =>
  startedAt === null || maturesAt === null ? durationDays : wholeDays(startedAt, maturesAt);

const wholeDays = (from: Date, to: Date): number =>
  Math.max(0, Math.floor((to.getTime() - from.getTime()) / DAY_MS));
