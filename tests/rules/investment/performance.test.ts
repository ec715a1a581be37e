import fc from 'fast-check';
import {
  resultOf,
  timeWeighted,
  type PortfolioDay,
  type PortfolioPeriod,
} from '../../../workflows/investment/portfolio/performance.rules';
import { percentage } from '../../../workflows/investment/portfolio/percentage.rules';
import { dateAfter } from '../../../workflows/investment/portfolio/period.rules';
import reference from './reference/time-weighted.json';

const START = '2025-12-31';
const day = (n: number, valueMinor: number, inMinor = 0, outMinor = 0): PortfolioDay => ({
  ...{ date: dateAfter(START, n), valueMinor, inMinor, outMinor },
});
const period = (days: PortfolioDay[], startValueMinor = 0, lastDay = 30): PortfolioPeriod => ({
  ...{ startDate: START, startValueMinor, endDate: dateAfter(START, lastDay), days },
});

describe('the result of a period', () => {
  it('is what became of the money: the gain over the value before and the money put in', () => {
    expect(resultOf(period([day(3, 1_500, 500), day(9, 1_200, 0, 360)], 1_000))).toEqual({
      ...{ endValueMinor: 1_200, inMinor: 500, gainMinor: 60, return: 0.04, annualized: 0.04 },
    });
  });

  it('ghostfolio#585: a loss of 1.9 % in three months is never a gain of 49.6 % a year', () => {
    const lost = resultOf(
      period([day(0, 100_000, 100_000), day(60, 147_150, 50_000), day(90, 147_150)], 0, 90),
    );
    expect([percentage(lost.return), percentage(lost.annualized)]).toEqual([-1.9, -1.9]);
    const later = resultOf(period([day(1, 100_000, 100_000), day(2, 98_100)], 0, 31));
    expect(percentage(later.annualized)).toBe(-1.9);
  });

  it('ghostfolio#585: money that was there for some days a year ago is not annualized either', () => {
    const flown = period([day(1, 100_000, 100_000), day(4, 0, 0, 98_100)], 0, 800);
    expect(percentage(resultOf(flown).annualized)).toBe(-1.9);
  });

  it('ghostfolio#5537: nothing was ever invested, or nothing is left, and every figure is a number', () => {
    for (const days of [[], [day(1, 0)], [day(1, 0, 100, 100)], [day(1, 100, 100), day(2, 0)]]) {
      const one = period(days);
      const figures = [...Object.values(resultOf(one)), ...timeWeighted(one)];
      expect(figures.every((figure) => Number.isFinite(figure))).toBe(true);
    }
    expect(resultOf(period([]))).toEqual({
      ...{ endValueMinor: 0, inMinor: 0, gainMinor: 0, return: 0, annualized: 0 },
    });
  });

  it('is a rate a year from 365 days on', () => {
    const doubled = (lastDay: number) => resultOf(period([day(1, 100, 100), day(2, 121)], 0, lastDay));
    expect(percentage(doubled(365).annualized)).toBe(21);
    expect(percentage(doubled(1 + 730).annualized)).toBe(10);
  });

  it('of everything lost is −100 %', () => {
    const lost = period([day(1, 100, 100), day(5, 0)], 0, 500);
    expect([resultOf(lost).return, resultOf(lost).annualized, timeWeighted(lost).at(-1)]).toEqual([
      -1, -1, -1,
    ]);
  });
});

describe('the time-weighted return', () => {
  it.each(reference.cases)('agrees with the spreadsheet: $name', ({ startValueMinor, days, returns }) => {
    const linked = timeWeighted(period(days, startValueMinor));
    expect(linked).toHaveLength(returns.length);
    linked.forEach((one, i) => expect(one).toBeCloseTo(returns[i]!, 12));
  });

  it('does not move when money is put in or paid out', () => {
    const linked = timeWeighted(period([day(1, 1_100), day(2, 9_100, 8_000), day(3, 100, 0, 9_000)], 1_000));
    linked.forEach((one) => expect(one).toBeCloseTo(0.1, 12));
  });

  it('goes on where it was after a time without money', () => {
    const linked = timeWeighted(period([day(1, 110), day(2, 0, 0, 110), day(20, 50, 50), day(21, 55)], 100));
    expect(linked.map(percentage)).toEqual([10, 10, 10, 21]);
  });
});

const minor = fc.integer({ min: 0, max: 1_000_000_000 });
const days = fc.array(fc.record({ valueMinor: minor, inMinor: minor, outMinor: minor }), { maxLength: 40 });
const periods = fc.tuple(days, minor).map(([of, start]) =>
  period(
    of.map((one, i) => ({ ...one, date: dateAfter(START, 30 * (i + 1)) })),
    start,
    30 * 41,
  ),
);

describe('for all portfolios', () => {
  it('every figure is a number, and no return is below −100 %', () => {
    fc.assert(
      fc.property(periods, (one) => {
        const result = resultOf(one);
        for (const figure of [...Object.values(result), ...timeWeighted(one)])
          expect(Number.isFinite(figure)).toBe(true);
        for (const rate of [result.annualized, ...timeWeighted(one)]) expect(rate).toBeGreaterThanOrEqual(-1);
      }),
    );
  });

  it('the value at the start, what was put in and gained, less what was paid out, is the value at the end', () => {
    fc.assert(
      fc.property(periods, (one) => {
        const { endValueMinor, inMinor, gainMinor } = resultOf(one);
        const outMinor = one.days.reduce((sum, at) => sum + at.outMinor, 0);
        expect(one.startValueMinor + inMinor + gainMinor - outMinor).toBe(endValueMinor);
      }),
    );
  });

  it('larger amounts change no rate', () => {
    const times = (factor: number, { valueMinor, inMinor, outMinor, date }: PortfolioDay): PortfolioDay => ({
      ...{ date, valueMinor: valueMinor * factor, inMinor: inMinor * factor, outMinor: outMinor * factor },
    });
    fc.assert(
      fc.property(periods, fc.integer({ min: 2, max: 1_000 }), (one, factor) => {
        const larger = {
          ...{ ...one, startValueMinor: one.startValueMinor * factor },
          days: one.days.map((at) => times(factor, at)),
        };
        expect(resultOf(larger).return).toBeCloseTo(resultOf(one).return, 9);
        const [linked, plain] = [timeWeighted(larger), timeWeighted(one)];
        linked.forEach((rate, i) =>
          expect((rate + 1) / (plain[i]! + 1 || 1)).toBeCloseTo(plain[i] === -1 ? 0 : 1, 9),
        );
      }),
    );
  });
});
