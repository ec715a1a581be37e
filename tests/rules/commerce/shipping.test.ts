import fc from 'fast-check';
import { deliveryDays, shippingPrice, weightOf } from '../../../workflows/commerce/shipping.rules';

const tariff = { baseMinor: 499, perKgMinor: 150, freeThresholdMinor: 5000 };

test('base price, and weight by the gram, rounded half up', () => {
  expect(shippingPrice(tariff, { weightGrams: 0, goodsMinor: 0 })).toBe(499);
  expect(shippingPrice(tariff, { weightGrams: 1000, goodsMinor: 0 })).toBe(649);
  expect(shippingPrice(tariff, { weightGrams: 3, goodsMinor: 0 })).toBe(499);
  expect(shippingPrice({ ...tariff, perKgMinor: 500 }, { weightGrams: 1, goodsMinor: 0 })).toBe(500);
});

test('free from the threshold on, never without one', () => {
  expect(shippingPrice(tariff, { weightGrams: 9000, goodsMinor: 4999 })).toBe(1849);
  expect(shippingPrice(tariff, { weightGrams: 9000, goodsMinor: 5000 })).toBe(0);
  expect(
    shippingPrice({ ...tariff, freeThresholdMinor: null }, { weightGrams: 0, goodsMinor: 1_000_000 }),
  ).toBe(499);
});

test('more weight never costs less', () => {
  const grams = fc.integer({ min: 0, max: 10_000_000 });
  fc.assert(
    fc.property(grams, grams, fc.integer({ min: 0, max: 1_000_000 }), (some, more, perKgMinor) => {
      const price = (weightGrams: number): number =>
        shippingPrice(
          { baseMinor: 100, perKgMinor, freeThresholdMinor: null },
          { weightGrams, goodsMinor: 0 },
        );
      expect(price(some + more)).toBeGreaterThanOrEqual(price(some));
    }),
  );
});

test('weight is of all pieces; what was never weighed weighs nothing', () => {
  expect(
    weightOf([
      { weightGrams: 250, quantity: 3 },
      { weightGrams: null, quantity: 5 },
    ]),
  ).toBe(750);
});

test('delivery days are counted over months and leap days, whatever the hour', () => {
  expect(deliveryDays(new Date('2028-02-27T23:59:59Z'), { minDays: 2, maxDays: 5 })).toEqual({
    min: '2028-02-29',
    max: '2028-03-03',
  });
  expect(deliveryDays(new Date('2026-12-31T00:00:00Z'), { minDays: 0, maxDays: 1 })).toEqual({
    min: '2026-12-31',
    max: '2027-01-01',
  });
});
