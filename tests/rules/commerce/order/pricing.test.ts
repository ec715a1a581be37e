import {
  halfUp,
  largestRemainder,
  priceOrder,
  shareOf,
  sumMinor,
  type CouponScope,
  type PricedCoupon,
  type PricedLine,
} from '../../../../workflows/commerce/order/pricing.rules';

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
      lines: [line(1000, 1, 'lamp', ['desk', 'home']), line(1000, 1, 'pen', ['desk']), line(1000, 1, 'shoe')],
      coupons: [fixed('LAMP', 300, { productIds: ['lamp'] }), fixed('HOME', 200, { categoryIds: ['home'] })],
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
      priceOrder({ lines: [line(10_000)], coupons: [fixed('A', 5000)], taxRateBp: 2000, shippingMinor: 500 }),
    ).toMatchObject({ taxMinor: 1100, shippingTaxMinor: 100, totalMinor: 6600 });
    expect(priceOrder({ lines: [line(1)], coupons: [], taxRateBp: 5000, shippingMinor: null }).taxMinor).toBe(
      1,
    );
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
