import { refusal } from '../../errors';
import { levelMissingToWithdraw } from '../../kyc/kyc-gate.rules';
import type { KycLevel } from '../../kyc/kyc.rules';
import {
  withdrawalTerms,
  type WithdrawableParticipation,
  type WithdrawalRefusal,
  type WithdrawalTerms,
} from './withdrawal-terms.rules';

const refusals: Record<WithdrawalRefusal, () => Error> = {
  ALREADY_WITHDRAWN: () => refusal('ALREADY_WITHDRAWN'),
  ALREADY_MATURED: () => refusal('ALREADY_MATURED'),
  WITHDRAWAL_NOT_ALLOWED: () =>
    refusal('WITHDRAWAL_NOT_ALLOWED', 'This participation cannot be withdrawn before it matures.'),
  LOCK_PERIOD_ACTIVE: () => refusal('LOCK_PERIOD_ACTIVE'),
};

/**
 * The terms of a withdrawal, where it is permitted. Refuses with ALREADY_WITHDRAWN, ALREADY_MATURED, KYC_REQUIRED,
 * WITHDRAWAL_NOT_ALLOWED, LOCK_PERIOD_ACTIVE and PENALTY_NOT_ACCEPTED, in this order.
 */
export function requireWithdrawable(
  participation: WithdrawableParticipation,
  { level, acceptPenalty }: { level: KycLevel; acceptPenalty: boolean },
  now: Date,
): WithdrawalTerms {
  const terms = withdrawalTerms(participation, now);
  const isOver = terms.refusal === 'ALREADY_WITHDRAWN' || terms.refusal === 'ALREADY_MATURED';
  const missing = levelMissingToWithdraw(level);
  if (!isOver && missing !== null)
    throw refusal('KYC_REQUIRED', `Withdrawing needs an identity verification of level ${missing}.`);
  if (participation.status === 'PENDING_PAYMENT')
    throw refusal('WITHDRAWAL_NOT_ALLOWED', 'This participation is not paid yet.');
  if (participation.status === 'CANCELLED') throw refusal('WITHDRAWAL_NOT_ALLOWED');
  if (terms.refusal !== null) throw refusals[terms.refusal]();
  if (terms.penaltyBp !== null && !acceptPenalty) throw refusal('PENALTY_NOT_ACCEPTED');
  return terms;
}
