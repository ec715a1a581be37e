/** PLATFORM: paid here. PROVIDER: made and paid at the provider, which reported it. REINVESTMENT: made of a matured one. */
export const PARTICIPATION_ORIGINS = ['PLATFORM', 'PROVIDER', 'REINVESTMENT'] as const;
export type ParticipationOrigin = (typeof PARTICIPATION_ORIGINS)[number];

/** The ways to pay for a participation. */
export const PARTICIPATION_METHODS = ['CARD', 'BANK_TRANSFER', 'BALANCE'] as const;
export type ParticipationMethod = (typeof PARTICIPATION_METHODS)[number];

export const PARTICIPATION_PAYMENT_STATUSES = ['PENDING', 'PAID', 'FAILED', 'REFUNDED'] as const;
export type ParticipationPaymentStatus = (typeof PARTICIPATION_PAYMENT_STATUSES)[number];

/** DEPOSIT: the principal. PROFIT: a distributed profit, or below zero a loss. PENALTY: the part of an early withdrawal that is kept. */
export const INVESTMENT_TRANSACTION_TYPES = ['DEPOSIT', 'PROFIT', 'WITHDRAWAL', 'PENALTY'] as const;
export type InvestmentTransactionType = (typeof INVESTMENT_TRANSACTION_TYPES)[number];

const DAYS_A_YEAR = 365n;
const BASIS_POINTS = 10_000n;

/**
 * Simple interest, in minor units: amount × annual rate × days / 365, rounded half up (away from zero) once, at the end.
 * Source: actual/365 (fixed) day count, ISDA 2006 Definitions, section 4.16(d).
 */
export function simpleInterestMinor(amountMinor: number, annualRateBp: number, days: number): number {
  const exact = BigInt(amountMinor) * BigInt(annualRateBp) * BigInt(days);
  return Number(dividedHalfUp(exact, BASIS_POINTS * DAYS_A_YEAR));
}

/** A percentage of an amount in minor units, rounded half up once. */
export const shareMinor = (amountMinor: number, bp: number): number =>
  Number(dividedHalfUp(BigInt(amountMinor) * BigInt(bp), BASIS_POINTS));

function dividedHalfUp(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend;
  const rounded = (size * 2n + divisor) / (divisor * 2n);
  return dividend < 0n ? -rounded : rounded;
}
