import { shareMinor } from '../participation/participation.rules';
import type { ParticipationStatus } from '../participation/participation.states';
import { DAY_MS } from '../../kit/values/durations.rules';

/** A participation as its withdrawal depends on it: the terms in force for it, and what it holds. */
export interface WithdrawableParticipation {
  status: ParticipationStatus;
  amountMinor: number;
  /** Principal that its provider has already paid out. */
  withdrawnMinor: number;
  earnedMinor: number;
  earlyWithdrawalAllowed: boolean;
  /** Of the principal in force; null: no withdrawal within the lock period. */
  earlyWithdrawalPenaltyBp: number | null;
  lockDays: number;
  startedAt: Date | null;
  maturesAt: Date | null;
}

export type WithdrawalRefusal =
  'ALREADY_WITHDRAWN' | 'ALREADY_MATURED' | 'WITHDRAWAL_NOT_ALLOWED' | 'LOCK_PERIOD_ACTIVE';

/** The terms of a withdrawal at one time. The amounts are 0 where it is refused. */
export interface WithdrawalTerms {
  allowed: boolean;
  /** Why not; null if it is allowed. Verification and the acceptance of the penalty are not looked at. */
  refusal: WithdrawalRefusal | null;
  /** The principal in force. */
  principalMinor: number;
  /** The penalty that applies now, in basis points of the principal in force; null: none applies. */
  penaltyBp: number | null;
  penaltyMinor: number;
  /** Principal and earned returns less the penalty; never below zero. */
  netMinor: number;
  /** The end of the lock period, never after maturity; null where there is none, or it has not begun. */
  lockPeriodEndsAt: Date | null;
}

/**
 * The terms of a withdrawal at `now`. Within the lock period the penalty of its terms is a percentage of the principal
 * in force, at most principal and earned returns together; after it there is none. Where its strategy forbids early
 * withdrawal, it stays until it matures. One that is due and not yet paid out may be withdrawn without a penalty.
 */
export function withdrawalTerms(participation: WithdrawableParticipation, now: Date): WithdrawalTerms {
  const lockPeriodEndsAt = lockPeriodEnd(participation);
  const isLocked = lockPeriodEndsAt !== null && now < lockPeriodEndsAt;
  const refusal = refusalOf(participation, isLocked, now);
  if (refusal !== null)
    return {
      ...{ allowed: false, refusal, principalMinor: 0, penaltyBp: null, penaltyMinor: 0, netMinor: 0 },
      lockPeriodEndsAt,
    };
  const principalMinor = participation.amountMinor - participation.withdrawnMinor;
  const grossMinor = Math.max(0, principalMinor + participation.earnedMinor);
  const penaltyBp = isLocked ? participation.earlyWithdrawalPenaltyBp || null : null;
  const penaltyMinor = Math.min(grossMinor, shareMinor(principalMinor, penaltyBp ?? 0));
  const netMinor = grossMinor - penaltyMinor;
  return { allowed: true, refusal, principalMinor, penaltyBp, penaltyMinor, netMinor, lockPeriodEndsAt };
}

function lockPeriodEnd({ lockDays, startedAt, maturesAt }: WithdrawableParticipation): Date | null {
  if (startedAt === null || lockDays === 0) return null;
  const end = new Date(startedAt.getTime() + lockDays * DAY_MS);
  return maturesAt !== null && maturesAt < end ? maturesAt : end;
}

function refusalOf(
  participation: WithdrawableParticipation,
  isLocked: boolean,
  now: Date,
): WithdrawalRefusal | null {
  const { status, maturesAt } = participation;
  if (status === 'WITHDRAWN') return 'ALREADY_WITHDRAWN';
  if (status === 'MATURED') return 'ALREADY_MATURED';
  if (status !== 'ACTIVE' || participation.withdrawnMinor >= participation.amountMinor)
    return 'WITHDRAWAL_NOT_ALLOWED';
  const isDue = maturesAt !== null && now >= maturesAt;
  if (!participation.earlyWithdrawalAllowed && !isDue) return 'WITHDRAWAL_NOT_ALLOWED';
  return isLocked && participation.earlyWithdrawalPenaltyBp === null ? 'LOCK_PERIOD_ACTIVE' : null;
}
