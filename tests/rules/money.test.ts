import fc from 'fast-check';
import {
  currencyDigits,
  figureInMajor,
  MAX_AMOUNT_MINOR,
  toMajor,
  toMinor,
} from '../../workflows/commerce/money.rules';

describe('money', () => {
  const currency = fc.constantFrom('USD', 'EUR', 'JPY', 'KWD', 'CLF');
  const amountMinor = fc.integer({ min: -MAX_AMOUNT_MINOR, max: MAX_AMOUNT_MINOR });

  test('what goes out in major units comes back as the same minor units', () => {
    fc.assert(
      fc.property(amountMinor, currency, (minor, code) => {
        expect(toMinor(toMajor(minor, code), code)).toBe(minor);
      }),
      { numRuns: 2000 },
    );
  });

  test('and survives JSON on the way', () => {
    fc.assert(
      fc.property(amountMinor, currency, (minor, code) => {
        const sent = JSON.stringify(toMajor(minor, code));
        expect(toMinor(JSON.parse(sent) as number, code)).toBe(minor);
      }),
    );
  });

  test.each([
    [MAX_AMOUNT_MINOR, 9_999_999_999_999.99],
    [MAX_AMOUNT_MINOR + 1, 9_999_999_999_999.99],
    [-1e18, -9_999_999_999_999.99],
    [1999, 19.99],
  ])('a figure of %d is shown as %d: never more than the largest amount', (minor, major) => {
    expect(figureInMajor(minor, 'USD')).toBe(major);
  });

  test('the decimals written are those of the currency', () => {
    fc.assert(
      fc.property(fc.nat(MAX_AMOUNT_MINOR), currency, (minor, code) => {
        const [, decimals = ''] = String(toMajor(minor, code)).split('.');
        expect(decimals.length).toBeLessThanOrEqual(currencyDigits(code));
      }),
    );
  });

  test.each([
    [1999, 'USD', 19.99],
    [29, 'USD', 0.29], // 0.29 * 100 is 28.999999999999996
    [5, 'USD', 0.05],
    [-5, 'USD', -0.05],
    [0, 'USD', 0],
    [1999, 'JPY', 1999],
    [1999, 'KWD', 1.999],
    [MAX_AMOUNT_MINOR, 'USD', 9_999_999_999_999.99],
  ])('%i minor units of %s are %d', (minor, code, major) => {
    expect(toMajor(minor, code)).toBe(major);
    expect(toMinor(major, code)).toBe(minor);
  });

  test.each([
    [0.001, 'USD'],
    [19.999, 'USD'],
    [0.1 + 0.2, 'USD'],
    [1.5, 'JPY'],
    [1.2345, 'KWD'],
    [1e-7, 'USD'],
    [1e21, 'USD'],
    [10_000_000_000_000, 'USD'],
    [Number.NaN, 'USD'],
    [Number.POSITIVE_INFINITY, 'USD'],
  ])('%d %s is refused', (major, code) => {
    expect(() => toMinor(major, code)).toThrow(RangeError);
  });

  test.each([0.5, MAX_AMOUNT_MINOR + 1, Number.NaN, Number.NEGATIVE_INFINITY])(
    '%d minor units are refused',
    (minor) => {
      expect(() => toMajor(minor, 'USD')).toThrow(RangeError);
    },
  );

  test('minus nothing is nothing', () => {
    expect(Object.is(toMinor(-0, 'USD'), 0)).toBe(true);
  });

  test.each([
    ['BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 0],
    ['BHD IQD JOD KWD LYD OMR TND', 3],
    ['CLF UYW', 4],
    ['USD EUR GBP CHF', 2],
  ])('amounts in %s have %i decimals, as ISO 4217 says', (currencies, digits) => {
    for (const currency of currencies.split(' '))
      expect([currency, currencyDigits(currency)]).toEqual([currency, digits]);
  });
});
