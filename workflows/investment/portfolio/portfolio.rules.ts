import type { RiskLevel } from '../strategy/strategy.rules';
import { allocation } from './percentage.rules';
import { dateAfter, dateOf } from './period.rules';
import { resultOf, type PeriodResult } from './performance.rules';

/** The holding of a person in one strategy, in minor units. */
export interface Holding {
  strategyId: string;
  strategyName: string;
  riskLevel: RiskLevel;
  categoryId: string;
  categoryName: string;
  active: number;
  principalMinor: number;
  valueMinor: number;
  investedMinor: number;
  returnsMinor: number;
  pendingMinor: number;
  unrealizedMinor: number;
}

export interface PortfolioTotals {
  active: number;
  investedMinor: number;
  valueMinor: number;
  returnsMinor: number;
  pendingMinor: number;
  unrealizedMinor: number;
}

/** The sums of holdings. */
export function totalsOf(holdings: readonly Holding[]): PortfolioTotals {
  const sum = (of: (holding: Holding) => number) => holdings.reduce((total, one) => total + of(one), 0);
  return {
    active: sum(({ active }) => active),
    investedMinor: sum(({ investedMinor }) => investedMinor),
    valueMinor: sum(({ valueMinor }) => valueMinor),
    returnsMinor: sum(({ returnsMinor }) => returnsMinor),
    pendingMinor: sum(({ pendingMinor }) => pendingMinor),
    unrealizedMinor: sum(({ unrealizedMinor }) => unrealizedMinor),
  };
}

export interface Group {
  key: string;
  name: string;
  amountMinor: number;
  /** In percent, of the principal of all groups together. */
  percentage: number;
}

/** The principal that runs by group, largest first; groups without any are left out. */
export function spread(
  holdings: readonly Holding[],
  groupOf: (holding: Holding) => { key: string; name: string },
): Group[] {
  const groups = new Map<string, { key: string; name: string; amountMinor: number }>();
  for (const holding of holdings.filter(({ principalMinor }) => principalMinor > 0)) {
    const { key, name } = groupOf(holding);
    const before = groups.get(key)?.amountMinor ?? 0;
    groups.set(key, { key, name, amountMinor: before + holding.principalMinor });
  }
  const sorted = [...groups.values()].sort((a, b) => b.amountMinor - a.amountMinor);
  const percentages = allocation(sorted.map(({ amountMinor }) => amountMinor));
  return sorted.map((group, i) => ({ ...group, percentage: percentages[i] ?? 0 }));
}

/**
 * The return of a strategy on all that was ever invested in it, as a fraction: `resultOf` from the first day on, which
 * for a whole life is returns over principal.
 */
export const returnOf = ({
  investedMinor,
  returnsMinor,
}: Pick<Holding, 'investedMinor' | 'returnsMinor'>): number =>
  investedMinor > 0 ? returnsMinor / investedMinor : 0;

/** The holdings with the highest and the lowest return, the earlier of equals; null without any. */
export function extremesOf(holdings: readonly Holding[]): { best: Holding | null; worst: Holding | null } {
  const first = holdings[0] ?? null;
  return {
    best: holdings.reduce((best, one) => (best && returnOf(best) >= returnOf(one) ? best : one), first),
    worst: holdings.reduce((worst, one) => (worst && returnOf(worst) <= returnOf(one) ? worst : one), first),
  };
}

/** The result of a portfolio since its first day, by the days on which money moved and its value now. */
export function resultSinceStart(
  flows: readonly { date: string; inMinor: number; outMinor: number }[],
  valueMinor: number,
  now: Date,
): PeriodResult {
  const today = dateOf(now);
  const days = [...flows, { date: today, inMinor: 0, outMinor: 0 }].map((day) => ({ ...day, valueMinor }));
  const startDate = dateAfter(flows[0]?.date ?? today, -1);
  return resultOf({ startDate, startValueMinor: 0, endDate: today, days });
}
