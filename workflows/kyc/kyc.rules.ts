/** The progress of a user's identity verification. */
export const KYC_STATUSES = [
  'NOT_STARTED',
  'DOCUMENTS_PENDING',
  'SUBMITTED',
  'UNDER_REVIEW',
  'APPROVED',
  'REJECTED',
  'NEEDS_INFO',
] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

/** The levels of verification, in ascending order. */
export const KYC_LEVELS = ['NONE', 'BASIC', 'STANDARD', 'ENHANCED'] as const;
export type KycLevel = (typeof KYC_LEVELS)[number];

/** True if a level is at least the wanted one. */
export const isAtLeast = (level: KycLevel, wanted: KycLevel): boolean =>
  KYC_LEVELS.indexOf(level) >= KYC_LEVELS.indexOf(wanted);

/**
 * True if an order requires its buyer to be verified first: it spends earnings below level STANDARD, or exceeds the limit
 * of buyers of level NONE. Amounts are in minor units of the platform currency.
 */
export function orderNeedsKyc(
  order: { level: KycLevel; totalMinor: number; partnerBalanceMinor: number },
  largestWithoutKycMinor: number,
): boolean {
  if (order.partnerBalanceMinor > 0 && !isAtLeast(order.level, 'STANDARD')) return true;
  return order.level === 'NONE' && order.totalMinor > largestWithoutKycMinor;
}
