import fc from 'fast-check';
import {
  allocation,
  percentage,
  percentageOf,
} from '../../../workflows/investment/portfolio/percentage.rules';

describe('percentages', () => {
  it.each([
    [0.12345, 12.35],
    [-0.12345, -12.35],
    [0.10005, 10.01],
    [0.01005, 1.01],
    [-0.000049, 0],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
  ])('%d is %d', (rate, shown) => {
    expect(percentage(rate)).toBe(shown);
  });

  it('of nothing are 0', () => {
    expect([percentageOf(5, 0), percentageOf(0, 0), percentageOf(5, 20)]).toEqual([0, 0, 25]);
  });
});

describe('an allocation', () => {
  it('gives what is left to the largest remainders', () => {
    expect(allocation([1, 1, 1])).toEqual([33.34, 33.33, 33.33]);
    expect(allocation([])).toEqual([]);
    expect(allocation([0, 0])).toEqual([0, 0]);
  });

  it('adds up to exactly 100.00, whatever the amounts are', () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 999_999_999_999_999 }), {
      minLength: 1,
      maxLength: 50,
    });
    fc.assert(
      fc.property(amounts, (of) => {
        const hundredths = allocation(of).map((share) => Math.round(share * 100));
        expect(hundredths.reduce((sum, one) => sum + one, 0)).toBe(of.some((one) => one > 0) ? 10_000 : 0);
        expect(allocation(of).every((share) => share === Number(share.toFixed(2)) && share >= 0)).toBe(true);
      }),
    );
  });
});
