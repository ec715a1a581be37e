import type { CommissionTerms } from '../../../../workflows/partners/commission/earning.rules';
import type { Rational } from './rational';

export interface RefPartner {
  parent: number | null;
  isActive: boolean;
  rank: number;
  limit: number | null;
}

export interface RefSale {
  order: number | null;
  sponsor: number;
  baseMinor: number;
  points: number;
  month: string;
}

/** A sale as it is counted; `pool` is what is shared of it. */
export interface RefSold {
  source: string;
  order: number | null;
  base: number;
  pool: Rational;
  points: number;
  month: string;
}

export interface RefCommission {
  partner: number;
  type: number;
  source: string;
  level: number;
  netMinor: number;
  status: 'PENDING' | 'APPROVED' | 'HELD' | 'PAID' | 'REVERSED';
  /** Negative ones, each with its state. */
  back: { netMinor: number; status: string }[];
  order: number | null;
}

export interface RefOrder {
  sponsor: number | null;
  buyer: number;
  paidAt: number;
  month: string;
  lines: { goods: number; commission: Rational; points: Rational }[];
}

export interface RefRefund {
  order: number;
  goods: number;
  parts: { line: number; goods: number }[];
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
export const TERMS: CommissionTerms = {
  rates: {
    ...{ personalSaleBp: 5_000, repeatSaleBp: 3_000, clientProfitBp: 500, withholdingBp: 0 },
    ...{ entranceLevel1Bp: 2_000, entranceLevel2Bp: 700, entranceLevel3Bp: 300 },
  },
  ranks: RANKS.map(({ level, team, profit }) => ({
    ...{ level, teamRateBp: team * 100, profitRateBp: profit * 100 },
  })),
};
export const REQUIREMENTS = RANKS.map(({ level, personal, group, legs, legLevel }) => ({
  ...{ level, personalPoints: personal * 100, groupPoints: group * 100, legs, legLevel: legLevel || null },
}));
