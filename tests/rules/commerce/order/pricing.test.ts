import fc from 'fast-check';
import {
  type CouponScope,
  coversLine,
  halfUp,
  largestRemainder,
  type OrderPrice,
  type PricedCoupon,
  type PricedLine,
  priceOrder,
  shareOf,
  sumMinor,
} from '../../../../workflows/commerce/order/pricing.rules';
import { shippingPrice } from '../../../../workflows/commerce/shipping/shipping.rules';

describe('prices', () => {
  const line = (
    unitPriceMinor: number,
    quantity = 1,
    productId = 'p',
    categoryIds: string[] = [],
  ): PricedLine => ({
    productId,
    categoryIds,
    unitPriceMinor,
    quantity,
  });
  const everything: CouponScope = { productIds: [], categoryIds: [] };
  const percent = (code: string, percentageBp: number): PricedCoupon => ({
    code,
    type: 'PERCENTAGE',
    percentageBp,
    ...everything,
  });
  const fixed = (code: string, amountMinor: number, scope: Partial<CouponScope> = {}): PricedCoupon => ({
    code,
    type: 'FIXED',
    amountMinor,
    ...everything,
    ...scope,
  });

  describe('the price of an order', () => {
    test('fixed amounts are deducted after percentages, whichever was added first', () => {
      const input = { lines: [line(10_000)], taxRateBp: 0, shippingMinor: null };
      const one = priceOrder({ ...input, coupons: [fixed('FIVE', 500), percent('TEN', 1000)] });
      const other = priceOrder({ ...input, coupons: [percent('TEN', 1000), fixed('FIVE', 500)] });
      expect(one.coupons).toEqual([
        { code: 'FIVE', discountMinor: 500 },
        { code: 'TEN', discountMinor: 1000 },
      ]);
      expect(other.totalMinor).toBe(8500);
      expect(one.totalMinor).toBe(8500);
    });

    test('percentages are deducted in order, each of the rest', () => {
      const price = priceOrder({
        lines: [line(10_000)],
        coupons: [percent('HALF', 5000), percent('TENTH', 1000)],
        taxRateBp: 0,
        shippingMinor: null,
      });
      expect(price.coupons.map((each) => each.discountMinor)).toEqual([5000, 500]);
    });

    test('the order decides which coupon is deducted from goods that do not cover all', () => {
      const input = { lines: [line(700)], taxRateBp: 0, shippingMinor: null };
      const taken = (...coupons: PricedCoupon[]): number[] =>
        priceOrder({ ...input, coupons }).coupons.map((each) => each.discountMinor);
      expect(taken(fixed('A', 500), fixed('B', 400))).toEqual([500, 200]);
      expect(taken(fixed('B', 400), fixed('A', 500))).toEqual([400, 300]);
    });

    test('scopes by product, and by category with those above it', () => {
      const price = priceOrder({
        lines: [
          line(1000, 1, 'lamp', ['desk', 'home']),
          line(1000, 1, 'pen', ['desk']),
          line(1000, 1, 'shoe'),
        ],
        coupons: [
          fixed('LAMP', 300, { productIds: ['lamp'] }),
          fixed('HOME', 200, { categoryIds: ['home'] }),
        ],
        taxRateBp: 0,
        shippingMinor: null,
      });
      expect(price.lines.map((each) => each.discountMinor)).toEqual([500, 0, 0]);
    });

    test('tax is rounded half up once, on goods after discount and on shipping', () => {
      // 3 × 0.33 at 19 %: each rounded separately would be 3 × 0.06; the sum of 0.99 is 0.1881.
      expect(
        priceOrder({
          lines: [line(33), line(33), line(33)],
          coupons: [],
          taxRateBp: 1900,
          shippingMinor: null,
        }),
      ).toMatchObject({ taxMinor: 19, lines: [{ taxMinor: 7 }, { taxMinor: 6 }, { taxMinor: 6 }] });
      expect(
        priceOrder({
          lines: [line(10_000)],
          coupons: [fixed('A', 5000)],
          taxRateBp: 2000,
          shippingMinor: 500,
        }),
      ).toMatchObject({ taxMinor: 1100, shippingTaxMinor: 100, totalMinor: 6600 });
      expect(
        priceOrder({ lines: [line(1)], coupons: [], taxRateBp: 5000, shippingMinor: null }).taxMinor,
      ).toBe(1);
    });

    test('an empty cart costs nothing', () => {
      expect(priceOrder({ lines: [], coupons: [], taxRateBp: 1900, shippingMinor: null })).toEqual({
        lines: [],
        subtotalMinor: 0,
        discountMinor: 0,
        shippingMinor: null,
        shippingTaxMinor: 0,
        taxMinor: 0,
        totalMinor: 0,
        coupons: [],
      });
    });

    test('an amount beyond exact numbers is refused, not approximated', () => {
      const huge = [line(Number.MAX_SAFE_INTEGER, 2)];
      expect(() => priceOrder({ lines: huge, coupons: [], taxRateBp: 0, shippingMinor: null })).toThrow(
        RangeError,
      );
      expect(() => sumMinor([Number.MAX_SAFE_INTEGER, 1])).toThrow(RangeError);
    });
  });

  describe('largest remainder', () => {
    test('ties go to the earlier', () => {
      expect(largestRemainder(5, [1, 1, 1])).toEqual([2, 2, 1]);
      expect(largestRemainder(1, [1, 3])).toEqual([0, 1]);
    });

    test('nothing can be shared without weights', () => {
      expect(largestRemainder(0, [0, 0])).toEqual([0, 0]);
      expect(largestRemainder(0, [])).toEqual([]);
      expect(() => largestRemainder(1, [0, 0])).toThrow(RangeError);
    });
  });

  test('half rounds up', () => {
    expect([halfUp(1n, 2n), halfUp(49n, 100n), halfUp(5n, 2n)]).toEqual([1, 0, 3]);
    expect([shareOf(999, 1250), shareOf(1, 5000), shareOf(1, 4999)]).toEqual([125, 1, 0]);
  });
});

describe('prices of any cart', () => {
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
    fc.record({
      type: fc.constant('PERCENTAGE' as const),
      percentageBp: fc.integer({ min: 1, max: 10_000 }),
    }),
    fc.record({ type: fc.constant('FIXED' as const), amountMinor: fc.integer({ min: 1, max: 200_000 }) }),
  );
  const coupons = fc
    .array(fc.tuple(value, scopes), { maxLength: 5 })
    .map((all) =>
      all.map(([what, scope], index): PricedCoupon => ({ ...what, ...scope, code: `C${index}` })),
    );
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
          expect(price.totalMinor).toBe(
            price.subtotalMinor - price.discountMinor + shipping + price.taxMinor,
          );
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

    test('fixed amounts may come before or after percentages: only the order within a kind counts', () => {
      fc.assert(
        fc.property(questions, fc.infiniteStream(fc.boolean()), (question, coins) => {
          const kinds = (type: string) => question.coupons.filter((coupon) => coupon.type === type);
          const [percentages, amounts] = [kinds('PERCENTAGE'), kinds('FIXED')];
          const merged: PricedCoupon[] = [];
          for (const coin of coins) {
            const next = coin
              ? (percentages.shift() ?? amounts.shift())
              : (amounts.shift() ?? percentages.shift());
            if (!next) break;
            merged.push(next);
          }
          const byCode = (price: OrderPrice) =>
            price.coupons.toSorted((a, b) => a.code.localeCompare(b.code));
          const [one, other] = [priceOrder(question), priceOrder({ ...question, coupons: merged })];
          expect({ ...other, coupons: byCode(other) }).toEqual({ ...one, coupons: byCode(one) });
        }),
      );
    });

    test('no coupon takes more than the goods that it is for, or than its value', () => {
      fc.assert(
        fc.property(questions, (question) => {
          const price = priceOrder(question);
          question.coupons.forEach((coupon, index) => {
            const covered = question.lines.flatMap((line, at) =>
              coversLine(coupon, line) ? [price.lines[at]!.totalMinor] : [],
            );
            expect(price.coupons[index]!.discountMinor).toBeLessThanOrEqual(sumMinor(covered));
            if (coupon.type === 'FIXED')
              expect(price.coupons[index]!.discountMinor).toBeLessThanOrEqual(coupon.amountMinor);
          });
        }),
        { numRuns: 500 },
      );
    });

    test('another coupon for all goods never makes it dearer', () => {
      fc.assert(
        fc.property(questions, (question) => {
          const coupons = question.coupons.map((coupon) => ({ ...coupon, productIds: [], categoryIds: [] }));
          const [all, fewer] = [coupons, coupons.slice(0, -1)].map((some) =>
            priceOrder({ ...question, coupons: some }),
          );
          expect(all!.discountMinor).toBeGreaterThanOrEqual(fewer!.discountMinor);
          expect(all!.totalMinor).toBeLessThanOrEqual(fewer!.totalMinor);
        }),
      );
    });

    test('goods with shipping cost what goods cost, and shipping with its tax, to within a cent of rounding', () => {
      fc.assert(
        fc.property(questions, fc.integer({ min: 0, max: 50_000 }), (question, shippingMinor) => {
          const goods = priceOrder({ ...question, shippingMinor: null });
          const sent = priceOrder({ ...question, shippingMinor });
          expect(sent.subtotalMinor - sent.discountMinor).toBe(goods.subtotalMinor - goods.discountMinor);
          const apart = goods.totalMinor + shippingMinor + shareOf(shippingMinor, question.taxRateBp);
          expect(Math.abs(sent.totalMinor - apart)).toBeLessThanOrEqual(1);
        }),
      );
    });

    test('the shipping price quoted for these goods is that of the order', () => {
      const tariffs = fc.record({
        baseMinor: fc.integer({ min: 0, max: 100_000 }),
        perKgMinor: fc.integer({ min: 0, max: 100_000 }),
        freeThresholdMinor: fc.option(fc.integer({ min: 0, max: 500_000 })),
      });
      fc.assert(
        fc.property(
          questions,
          tariffs,
          fc.integer({ min: 0, max: 1_000_000 }),
          (question, tariff, weightGrams) => {
            const goods = priceOrder({ ...question, shippingMinor: null });
            const goodsMinor = goods.subtotalMinor - goods.discountMinor;
            const shippingMinor = shippingPrice(tariff, { weightGrams, goodsMinor });
            const isFree = tariff.freeThresholdMinor !== null && goodsMinor >= tariff.freeThresholdMinor;
            expect(shippingMinor).toBeGreaterThanOrEqual(isFree ? 0 : tariff.baseMinor);
            expect(shippingMinor === 0 || !isFree).toBe(true);
            const { totalMinor, taxMinor } = priceOrder({ ...question, shippingMinor });
            expect(totalMinor).toBe(goodsMinor + shippingMinor + taxMinor);
          },
        ),
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
      fc.property(weights, fc.integer({ min: 0, max: 10_000 }), (drawn, perMyriad) => {
        fc.pre(drawn.some((weight) => weight > 0));
        const whole = sumMinor(drawn);
        const total = Math.floor((whole * perMyriad) / 10_000);
        const parts = largestRemainder(total, drawn);
        expect(sumMinor(parts)).toBe(total);
        parts.forEach((part, index) => {
          expect(part).toBeGreaterThanOrEqual(0);
          expect(part).toBeLessThanOrEqual(drawn[index]!);
          expect(Math.abs(part - (total * drawn[index]!) / whole)).toBeLessThan(1.000001);
        });
      }),
    );
  });
});
