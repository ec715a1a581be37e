import fc from 'fast-check';
import {
  largestRemainder,
  priceOrder,
  shareOf,
  sumMinor,
  type PricedCoupon,
} from '../../../workflows/commerce/pricing.rules';

const names = fc.constantFrom('a', 'b', 'c');
const scopes = fc.record({
  productIds: fc.array(names, { maxLength: 2 }),
  categoryIds: fc.array(names, { maxLength: 2 }),
});
const lines = fc.array(
  fc.record({
    productId: names,
    categoryIds: fc.array(names, { maxLength: 3 }),
    unitPriceMinor: fc.oneof(
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 0, max: 100_000_000_000 }),
    ),
    quantity: fc.integer({ min: 1, max: 100 }),
  }),
  { maxLength: 8 },
);
const value = fc.oneof(
  fc.record({ type: fc.constant('PERCENTAGE' as const), percentageBp: fc.integer({ min: 1, max: 10_000 }) }),
  fc.record({ type: fc.constant('FIXED' as const), amountMinor: fc.integer({ min: 1, max: 200_000 }) }),
);
const coupons = fc
  .array(fc.tuple(value, scopes), { maxLength: 5 })
  .map((all) => all.map(([what, scope], index): PricedCoupon => ({ ...what, ...scope, code: `C${index}` })));
const questions = fc.record({
  lines,
  coupons,
  taxRateBp: fc.integer({ min: 0, max: 10_000 }),
  shippingMinor: fc.option(fc.integer({ min: 0, max: 50_000 })),
});

describe('the price of any order', () => {
  test('its parts add up to the cent, and nothing is ever below zero', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const price = priceOrder(question);
        const shipping = question.shippingMinor ?? 0;
        expect(price.subtotalMinor).toBe(sumMinor(price.lines.map((each) => each.totalMinor)));
        expect(price.discountMinor).toBe(sumMinor(price.lines.map((each) => each.discountMinor)));
        expect(price.discountMinor).toBe(sumMinor(price.coupons.map((each) => each.discountMinor)));
        expect(price.taxMinor).toBe(
          sumMinor(price.lines.map((each) => each.taxMinor)) + price.shippingTaxMinor,
        );
        expect(price.totalMinor).toBe(price.subtotalMinor - price.discountMinor + shipping + price.taxMinor);
        expect(price.taxMinor).toBe(
          shareOf(price.subtotalMinor - price.discountMinor + shipping, question.taxRateBp),
        );
        for (const each of price.lines) {
          expect(each.discountMinor).toBeGreaterThanOrEqual(0);
          expect(each.discountMinor).toBeLessThanOrEqual(each.totalMinor);
          expect(each.taxMinor).toBeGreaterThanOrEqual(0);
        }
        for (const each of price.coupons) expect(each.discountMinor).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 1000 },
    );
  });

  test('a coupon for some goods takes nothing off the others', () => {
    fc.assert(
      fc.property(questions, (question) => {
        const priced = priceOrder({
          ...question,
          coupons: question.coupons.map((coupon) => ({ ...coupon, productIds: ['a'], categoryIds: ['b'] })),
        });
        question.lines.forEach((each, index) => {
          if (each.productId === 'a' || each.categoryIds.includes('b')) return;
          expect(priced.lines[index]!.discountMinor).toBe(0);
        });
      }),
    );
  });
});

test('parts of a whole add up, keep proportion to within one, and never exceed a weight that covers them', () => {
  const weights = fc.array(fc.integer({ min: 0, max: 1_000_000_000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(weights, fc.integer({ min: 0, max: 10_000 }), (given, perMyriad) => {
      fc.pre(given.some((weight) => weight > 0));
      const whole = sumMinor(given);
      const total = Math.floor((whole * perMyriad) / 10_000);
      const parts = largestRemainder(total, given);
      expect(sumMinor(parts)).toBe(total);
      parts.forEach((part, index) => {
        expect(part).toBeLessThanOrEqual(given[index]!);
        expect(Math.abs(part - (total * given[index]!) / whole)).toBeLessThan(1.000001);
      });
    }),
  );
});
