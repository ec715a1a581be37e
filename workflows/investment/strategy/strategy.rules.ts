/** The risk of a strategy, in ascending order. */
export const RISK_LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** FIXED: the expected rate is promised; VARIABLE: it is an estimate. */
export const RETURN_TYPES = ['FIXED', 'VARIABLE'] as const;
export type ReturnType = (typeof RETURN_TYPES)[number];

export const PAYOUT_FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'END_OF_TERM'] as const;
export type PayoutFrequency = (typeof PAYOUT_FREQUENCIES)[number];

/** PAUSED and CLOSED strategies are shown, and take no new participations; a CLOSED one has none that are active. */
export const STRATEGY_STATUSES = ['ACTIVE', 'PAUSED', 'CLOSED'] as const;
export type StrategyStatus = (typeof STRATEGY_STATUSES)[number];

export const STRATEGY_DOCUMENT_TYPES = ['PROSPECTUS', 'FACT_SHEET', 'TERMS', 'REPORT', 'OTHER'] as const;
export type StrategyDocumentType = (typeof STRATEGY_DOCUMENT_TYPES)[number];

/** The return of a strategy in a month (UTC) that has ended, in percent. */
export interface HistoricalReturn {
  /** Such as 2026-03. */
  period: string;
  return: number;
}

/** The terms of a strategy that depend on each other; rates in basis points, amounts in minor units. */
export interface StrategyRanges {
  returnMinBp: number;
  returnMaxBp: number;
  returnExpectedBp: number;
  minDays: number;
  maxDays: number;
  minMinor: number;
  maxMinor: number | null;
}

/** The contradictions in the terms of a strategy, by the field that the API knows it by; empty if nothing does. */
export function strategyContradictions(terms: StrategyRanges): Record<string, string[]> {
  const { returnMinBp, returnMaxBp, returnExpectedBp, minDays, maxDays, minMinor, maxMinor } = terms;
  const isOutside = returnExpectedBp < returnMinBp || returnExpectedBp > returnMaxBp;
  return {
    ...(returnMaxBp < returnMinBp && { 'returnRate.max': ['must be at least `returnRate.min`'] }),
    ...(returnMaxBp >= returnMinBp &&
      isOutside && { 'returnRate.expected': ['must be from `returnRate.min` to `returnRate.max`'] }),
    ...(maxDays < minDays && { 'duration.maxDays': ['must be at least `duration.minDays`'] }),
    ...(maxMinor !== null &&
      maxMinor < minMinor && { 'investment.maxAmount': ['must be at least `investment.minAmount`'] }),
  };
}

/** The mean of past returns, in percent with two decimals; 0 without one. */
export function averageReturn(returns: readonly HistoricalReturn[]): number {
  if (returns.length === 0) return 0;
  const hundredths = returns.reduce((sum, past) => sum + Math.round(past.return * 100), 0);
  return Math.round(hundredths / returns.length) / 100 || 0;
}

/** The purposes of a provider's secrets: reports to and from it, and the tokens that sign users in there. */
export const SECRET_PURPOSES = ['WEBHOOK', 'SSO'] as const;
export type SecretPurpose = (typeof SECRET_PURPOSES)[number];
