import fc from 'fast-check';
import {
  deliveryDays,
  packed,
  shippingPrice,
  weightOf,
} from '../../../../workflows/commerce/shipping/shipping.rules';

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

test('the weight is of all units; goods without a weight count as 0', () => {
  expect(
    weightOf([
      { weightGrams: 250, quantity: 3 },
      { weightGrams: null, quantity: 5 },
    ]),
  ).toBe(750);
});

test('a package is as long and wide as its longest and widest unit, and as high as all together', () => {
  const unit = { weightGrams: 100, lengthMm: 300, widthMm: 200, heightMm: 50, quantity: 3 };
  const long = { weightGrams: null, lengthMm: 900, widthMm: 20, heightMm: 20, quantity: 1 };
  const unmeasured = { weightGrams: 7, lengthMm: null, widthMm: null, heightMm: null, quantity: 9 };
  expect(packed([unit, long, unmeasured])).toEqual({
    ...{ weightGrams: 363, lengthMm: 900, widthMm: 200, heightMm: 170 },
  });
  expect(packed([])).toEqual({ weightGrams: 0, lengthMm: 0, widthMm: 0, heightMm: 0 });
});

test('more in a package never makes it lighter or smaller', () => {
  const size = fc.option(fc.integer({ min: 0, max: 5_000 }));
  const goods = fc.array(
    fc.record({
      ...{ weightGrams: size, lengthMm: size, widthMm: size, heightMm: size },
      quantity: fc.integer({ min: 1, max: 100 }),
    }),
  );
  fc.assert(
    fc.property(goods, goods, (some, more) => {
      const [small, large] = [packed(some), packed([...some, ...more])];
      for (const side of ['weightGrams', 'lengthMm', 'widthMm', 'heightMm'] as const)
        expect(large[side]).toBeGreaterThanOrEqual(small[side]);
    }),
  );
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
