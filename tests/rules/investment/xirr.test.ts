import fc from 'fast-check';
import { spanDays, xirr, type Flow } from '../../../workflows/investment/portfolio/xirr.rules';
import reference from './reference/xirr.json';

const DAY_MS = 86_400_000;
const START = Date.parse('2020-01-01');
const onDay = (days: number): string => new Date(START + days * DAY_MS).toISOString().slice(0, 10);
const flows = (...of: [days: number, amountMinor: number][]): Flow[] =>
  of.map(([days, amountMinor]) => ({ date: onDay(days), amountMinor }));

/** The sum of the flows discounted to the first day, by the plain formula. */
const presentValue = (of: readonly Flow[], rate: number): number =>
  of.reduce((sum, { date, amountMinor }) => {
    const years = (Date.parse(date) - Date.parse(of[0]!.date)) / DAY_MS / 365;
    return sum + amountMinor * (1 + rate) ** -years;
  }, 0);

describe('the internal rate of return of flows on any days', () => {
  it.each(reference.cases)('agrees with pyxirr: $name', ({ flows: given, rate }) => {
    expect(xirr(given)).toBeCloseTo(rate, 9);
  });

  it('is the example of the documentation of Microsoft Excel, 0.373362535', () => {
    const excel = [
      { date: '2008-01-01', amountMinor: -10_000 },
      { date: '2008-03-01', amountMinor: 2_750 },
      { date: '2008-10-30', amountMinor: 4_250 },
      { date: '2009-02-15', amountMinor: 3_250 },
      { date: '2009-04-01', amountMinor: 2_750 },
    ];
    expect(xirr(excel)).toBeCloseTo(0.373362535, 8);
  });

  it.each([
    ['nothing', flows(), 0],
    ['only money in, all of it lost later', flows([0, -100], [400, 0]), -1],
    ['only money in, on one day', flows([0, -100]), 0],
    ['only money out', flows([0, 100], [400, 100]), 0],
    ['everything on one day', flows([0, -100], [0, 110]), 0],
    ['flows that cancel out', flows([0, -100], [0, 100], [400, 0]), 0],
    ['next to nothing left, a week after the last money', flows([0, -1e9], [400, -1e9], [407, 1]), -1],
    ['hardly anything left', flows([0, -1_000_000_00], [365, 1]), 1e-8 - 1],
  ])('%s', (_, of, rate) => {
    expect(xirr(of)).toBeCloseTo(rate, 10);
  });

  it('answers the rate nearest to zero where several fit', () => {
    // −1,000 + 2,300 / g − 1,320 / g² = 0 for growth g of 1.1 and 1.2.
    expect(xirr(flows([0, -1_000], [365, 2_300], [730, -1_320]))).toBeCloseTo(0.1, 9);
  });

  it('answers 0 where no rate fits', () => {
    expect(xirr(flows([0, -1_000], [365, 1_000], [730, -1_000]))).toBe(0);
  });

  it('counts the days between the first and the last money', () => {
    expect(spanDays(flows([3, -100], [400, 0], [300, 50]))).toBe(297);
    expect(spanDays([])).toBe(0);
  });
});

const amounts = fc.integer({ min: 10_000, max: 1_000_000_000 });
const days = fc.integer({ min: 0, max: 7_300 });
const anyFlows = fc.array(
  fc.record({ date: days.map(onDay), amountMinor: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }) }),
  { maxLength: 30 },
);
/** Money in, then money out: one rate fits. */
const investment = fc
  .tuple(
    fc.array(fc.tuple(fc.integer({ min: 0, max: 700 }), amounts), { minLength: 1, maxLength: 10 }),
    fc.array(fc.tuple(fc.integer({ min: 1_100, max: 3_000 }), amounts), { minLength: 1, maxLength: 10 }),
  )
  .map(([into, out]) =>
    [...into.map(([day, amount]) => [day, -amount] as const), ...out]
      .sort(([a], [b]) => a - b)
      .map(([day, amountMinor]) => ({ date: onDay(day), amountMinor })),
  );

describe('for all flows', () => {
  it('the rate is a number from −1 on', () => {
    fc.assert(
      fc.property(anyFlows, (of) => {
        const rate = xirr(of);
        expect(Number.isFinite(rate) && rate >= -1).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of an investment the present value at the rate is zero', () => {
    fc.assert(
      fc.property(investment, (of) => {
        const rate = xirr(of);
        const size = of.reduce((sum, flow) => sum + Math.abs(presentValue([of[0]!, flow], rate)), 0);
        expect(Math.abs(presentValue(of, rate))).toBeLessThan(1e-8 * size);
      }),
      { numRuns: 500 },
    );
  });

  it('neither larger amounts, nor another order, nor a split flow change the rate', () => {
    fc.assert(
      fc.property(investment, fc.integer({ min: 2, max: 1_000 }), (of, factor) => {
        const rate = xirr(of);
        expect(xirr(of.map((flow) => ({ ...flow, amountMinor: flow.amountMinor * factor })))).toBeCloseTo(
          rate,
          7,
        );
        expect(xirr([...of].reverse())).toBeCloseTo(rate, 9);
        const [first, ...others] = of;
        const part = Math.trunc(first!.amountMinor / 2);
        const parts = [part, first!.amountMinor - part].map((amountMinor) => ({ ...first!, amountMinor }));
        expect(xirr([...parts, ...others])).toBeCloseTo(rate, 9);
      }),
    );
  });
});
