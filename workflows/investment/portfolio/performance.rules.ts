import { spanDays, xirr, type Flow } from './xirr.rules';

/** From so many days on a rate is a rate a year: less would make years of what happened in days. */
const FEWEST_DAYS_OF_A_YEAR = 365;

/** A day (UTC) of a portfolio, in minor units. */
export interface PortfolioDay {
  /** ISO 8601 date. */
  date: string;
  /** The value at its end. */
  valueMinor: number;
  /** Money that was put in and paid out on it. What moves from one participation into another is neither. */
  inMinor: number;
  outMinor: number;
}

/** A period of a portfolio: its value before, and its days with any change, in order. */
export interface PortfolioPeriod {
  /** The day before its first; its end is the beginning of the period. */
  startDate: string;
  startValueMinor: number;
  /** The last day, whether or not it has a change. */
  endDate: string;
  days: readonly PortfolioDay[];
}

export interface PeriodResult {
  endValueMinor: number;
  inMinor: number;
  /** The earnings of the money, or below zero its loss. */
  gainMinor: number;
  /** As a fraction of the value at the start and the money put in since. */
  return: number;
  /** As a fraction: a rate a year from 365 days on, else the return of the period. */
  annualized: number;
}

/**
 * The result of a period. Its return is the gain over the value at its start and all the money put in since, that is
 * what a single sub-period of `timeWeighted` would be, so that it answers what became of the money. Annualized it is the
 * money-weighted rate (`xirr`), but only if the money was there for 365 days at least: −1.9 % in some weeks is −1.9 %.
 *
 * Source: CFA Institute, GIPS 2020, 2.A.12 and 5.A.1: returns of less than a year must not be annualized.
 */
export function resultOf({ startDate, startValueMinor, endDate, days }: PortfolioPeriod): PeriodResult {
  const inMinor = total(days.map((day) => day.inMinor));
  const outMinor = total(days.map((day) => day.outMinor));
  const endValueMinor = days.at(-1)?.valueMinor ?? startValueMinor;
  const gainMinor = endValueMinor - startValueMinor - inMinor + outMinor;
  const whole = startValueMinor + inMinor;
  const periodReturn = whole > 0 ? gainMinor / whole : 0;
  const flows: Flow[] = [
    { date: startDate, amountMinor: -startValueMinor },
    ...days.map((day) => ({ date: day.date, amountMinor: day.outMinor - day.inMinor })),
    { date: endDate, amountMinor: endValueMinor },
  ];
  const isYears = spanOf(flows, endValueMinor === 0 && outMinor === 0) >= FEWEST_DAYS_OF_A_YEAR;
  return {
    ...{ endValueMinor, inMinor, gainMinor, return: periodReturn },
    annualized: isYears ? xirr(flows) : periodReturn,
  };
}

/** The days of the money; where nothing came back, until the end of the period, when the loss is known. */
const spanOf = (flows: readonly Flow[], isTotalLoss: boolean): number =>
  spanDays(isTotalLoss ? [...flows, { date: flows.at(-1)?.date ?? '', amountMinor: 1 }] : flows);

/**
 * The time-weighted return since the start of the period at the end of each of its days, as a fraction. It links
 * sub-periods at every day with a flow, so that neither time nor size of flows matter: what is put in counts from the
 * beginning of its day, what is paid out until its end, and a day without money changes nothing.
 *
 * Source: GIPS 2020, 2.A.21 (valuation at each large flow, geometrically linked); the place of flows within a day is that
 * of Portfolio Performance, "True time-weighted rate of return": (value + out) / (value before + in).
 */
export function timeWeighted({ startValueMinor, days }: PortfolioPeriod): number[] {
  let before = startValueMinor;
  let growth = 1;
  return days.map(({ valueMinor, inMinor, outMinor }) => {
    const worked = before + inMinor;
    if (worked > 0) growth *= Math.max(0, valueMinor + outMinor) / worked;
    before = valueMinor;
    return growth - 1;
  });
}

const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
