/** The ways to pay an entrance fee. */
export const ENTRANCE_METHODS = ['CARD', 'BANK_TRANSFER', 'BALANCE'] as const;
export type EntranceMethod = (typeof ENTRANCE_METHODS)[number];

export const ENTRANCE_PAYMENT_STATUSES = ['PENDING', 'PAID', 'FAILED', 'REFUNDED'] as const;
export type EntrancePaymentStatus = (typeof ENTRANCE_PAYMENT_STATUSES)[number];

/** The most levels of the tree. */
export const MOST_LEVELS = 500;

/** Letters and digits that nobody mistakes for each other: without 0 and O, 1, I and L, 5 and S, 8 and B, 2 and Z, U and V. */
const UNAMBIGUOUS = 'ACDEFGHJKMNPQRTWXY34679';
export const REFERRAL_CODE_LENGTH = 8;

/** A referral code; `pick` returns a whole number from 0 below its argument. */
export const referralCodeOf = (pick: (below: number) => number): string =>
  Array.from({ length: REFERRAL_CODE_LENGTH }, () => UNAMBIGUOUS[pick(UNAMBIGUOUS.length)]).join('');

/**
 * The limit of a partner's rank after an administrator has set `level`: a rank below the current one limits what points reach; one
 * at or above the limit ends it.
 */
export function rankLimitAfter({
  level,
  rankLevel,
  rankLimit,
}: {
  level: number;
  rankLevel: number;
  rankLimit: number | null;
}): number | null {
  if (level < rankLevel) return level;
  return rankLimit !== null && level >= rankLimit ? null : rankLimit;
}
