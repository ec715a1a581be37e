import type { CommissionTerms } from '../../../../workflows/partners/commission/earning.rules';
import type { PartnerStatus } from '../../../../workflows/partners/membership/partner.states';
import type { Rational } from './rational';

export interface RefPartner {
  parent: number | null;
  status: PartnerStatus;
  rank: number;
  limit: number | null;
}

export interface RefSale {
  sponsor: number;
  baseMinor: number;
  points: number;
  month: string;
}

export interface RefLine {
  goods: number;
  commission: Rational;
  points: Rational;
}

/** A sale or an entrance fee as it is counted, and what was taken back of it. */
export interface RefSold {
  source: string;
  lines: RefLine[];
  /** The amount that was paid for it in all. */
  paid: number;
  month: string;
  sponsor: number | null;
  points: number;
  /** The goods that refunds have left of each line. */
  left: number[];
  /** Lost chargebacks that are not returned. */
  lost: Map<number, number>;
  refunds: RefRefund[];
  /** The part of its refunds that chargebacks have paid. */
  refundsPaid: number;
  /** The part that is taken back of the commission. */
  shareBack: Rational;
  baseBack: number;
  pointsBack: number;
}

export interface RefCommission {
  partner: number;
  type: number;
  source: string;
  level: number;
  netMinor: number;
  status: 'PENDING' | 'APPROVED' | 'HELD' | 'PAID' | 'REVERSED';
  /** Of one that is REVERSED, the state before. */
  reversedFrom: 'PENDING' | 'APPROVED' | 'HELD' | null;
  /** Parts taken back, below zero if restored, each with its state. */
  back: { netMinor: number; status: string }[];
}

/** Money that a bank took back of what paid for a sale or an entrance fee, named as sources are. */
export interface RefChargeback {
  of: string;
  minor: number;
  month: string;
  returnedMonth: string;
  /** The part of refunds that it had paid, and that its return makes owed again. */
  owedAgain: number;
}

export interface RefOrder {
  sponsor: number | null;
  buyer: number;
  paidAt: number;
  month: string;
  lines: RefLine[];
  shipping: number;
}

export interface RefRefund {
  order: number;
  goods: number;
  parts: { line: number; goods: number }[];
  /** The part of its money that chargebacks paid when it was announced. */
  paidByBank: number;
  month: string;
  at: Date;
}

/** Money of an order's refunds that was owed again, and that lost chargebacks have paid. */
export interface RefRepayment {
  order: number;
  minor: number;
  month: string;
}

/** The programme as the decisions print it, written down a second time. */
export const RANKS = [
  { level: 1, team: 0, profit: 0, personal: 0, group: 0, legs: 0, legLevel: 0, bonus: 0 },
  { level: 2, team: 10, profit: 1, personal: 100, group: 1_000, legs: 0, legLevel: 0, bonus: 50_00 },
  { level: 3, team: 20, profit: 2, personal: 150, group: 10_000, legs: 2, legLevel: 2, bonus: 250_00 },
  { level: 4, team: 30, profit: 3, personal: 200, group: 50_000, legs: 3, legLevel: 3, bonus: 1_000_00 },
  { level: 5, team: 40, profit: 4, personal: 250, group: 250_000, legs: 3, legLevel: 4, bonus: 5_000_00 },
] as const;
export const rankOf = (level: number) => RANKS[level - 1]!;

/** The same as the engine's rules take it. */
export const termsOf = (withholdingBp: number): CommissionTerms => ({
  rates: {
    ...{ personalSaleBp: 5_000, repeatSaleBp: 3_000, clientProfitBp: 500, withholdingBp },
    ...{ entranceLevel1Bp: 2_000, entranceLevel2Bp: 700, entranceLevel3Bp: 300 },
  },
  ranks: RANKS.map(({ level, team, profit }) => ({
    ...{ level, teamRateBp: team * 100, profitRateBp: profit * 100 },
  })),
});
export const REQUIREMENTS = RANKS.map(({ level, personal, group, legs, legLevel }) => ({
  ...{ level, personalPoints: personal * 100, groupPoints: group * 100, legs, legLevel: legLevel || null },
}));
