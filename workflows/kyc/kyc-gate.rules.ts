import { isAtLeast, type KycLevel } from './kyc.rules';

// Each rule returns the level that a user needs and does not have; null: the level suffices. Amounts are in minor units of
// the platform currency. A level and a sum that a rule is given must be read under the lock of the user's standing
// (`lockLevel`, then the sum, then the rule, then the write, in one transaction): two requests of one user at once then
// come one after the other, and the second counts the first. The level is that of the moment (`LEVEL_IN_FORCE`), not
// `users.kyc_level`, which falls only when `kyc-expiry` has run. An order that spends no balance sums nothing and takes
// no lock.

/** For an order: STANDARD to spend partner balance, and BASIC above the limit of buyers of level NONE. */
export function levelMissingToOrder(
  order: { level: KycLevel; totalMinor: number; partnerBalanceMinor: number },
  largestWithoutKycMinor: number,
): KycLevel | null {
  if (order.partnerBalanceMinor > 0 && !isAtLeast(order.level, 'STANDARD')) return 'STANDARD';
  return order.level === 'NONE' && order.totalMinor > largestWithoutKycMinor ? 'BASIC' : null;
}

/** For a participation: STANDARD, and ENHANCED when more than the limit of STANDARD would be invested in all. */
export function levelMissingToInvest(
  { level, investedMinor, amountMinor }: { level: KycLevel; investedMinor: number; amountMinor: number },
  standardLimitMinor: number,
): KycLevel | null {
  if (!isAtLeast(level, 'STANDARD')) return 'STANDARD';
  return level === 'STANDARD' && investedMinor + amountMinor > standardLimitMinor ? 'ENHANCED' : null;
}

/** For money that leaves the platform: withdrawals and payouts. */
export const levelMissingToWithdraw = (level: KycLevel): KycLevel | null =>
  isAtLeast(level, 'STANDARD') ? null : 'STANDARD';
