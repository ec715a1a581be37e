/** How well we know a person, from not at all upwards. */
export const KYC_LEVELS = ['NONE', 'BASIC', 'STANDARD', 'ENHANCED'] as const;
export type KycLevel = (typeof KYC_LEVELS)[number];

/** Whether one level is at least another. */
export const isAtLeast = (level: KycLevel, wanted: KycLevel): boolean =>
  KYC_LEVELS.indexOf(level) >= KYC_LEVELS.indexOf(wanted);

/**
 * Whether an order must wait until its buyer is better known: earnings are spent, or it is larger than buyers of level
 * NONE may order. Amounts are in minor units of the platform currency.
 */
export function orderNeedsKyc(
  order: { level: KycLevel; totalMinor: number; partnerBalanceMinor: number },
  largestWithoutKycMinor: number,
): boolean {
  if (order.partnerBalanceMinor > 0 && !isAtLeast(order.level, 'STANDARD')) return true;
  return order.level === 'NONE' && order.totalMinor > largestWithoutKycMinor;
}
