/**
 * Entrance fee (0), personal sale (1), team differential (2), repeat sale (3), client profit (5), network profit
 * differential (6), leadership pool (7), rank bonus (8).
 */
export const COMMISSION_TYPES = [0, 1, 2, 3, 5, 6, 7, 8] as const;
export type CommissionType = (typeof COMMISSION_TYPES)[number];

export const COMMISSION_SOURCES = ['ORDER', 'INVESTMENT', 'BONUS', 'RANK_BONUS'] as const;
export type CommissionSource = (typeof COMMISSION_SOURCES)[number];

/** The reasons for which a commission stays PENDING although it is due. */
export const COMMISSION_HOLDS = ['REFUND', 'CHARGEBACK', 'EARLY_WITHDRAWAL', 'POINTS_LOST'] as const;
export type CommissionHold = (typeof COMMISSION_HOLDS)[number];
