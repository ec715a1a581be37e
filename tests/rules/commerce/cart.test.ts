import fc from 'fast-check';
import { type RequestedLine, whyNotInCart } from '../../../workflows/commerce/cart/cart.rules';
import {
  couponContradictions,
  type CouponTerms,
  couponValue,
  whyCouponFails,
  writtenValue,
} from '../../../workflows/commerce/coupon/coupon.rules';

describe('lines', () => {
  const wanted: RequestedLine = { status: 'ACTIVE', available: 10, maxPerLine: 5, quantity: 1 };

  test.each<[string, Partial<RequestedLine>, string | null]>([
    ['goods on sale', {}, null],
    ['as many as a line may hold', { quantity: 5 }, null],
    ['the last unit', { available: 1 }, null],
    ['goods whose stock is not tracked', { available: null }, null],
    ['a draft', { status: 'DRAFT', available: 0 }, 'PRODUCT_NOT_FOUND'],
    ['goods taken off sale', { status: 'ARCHIVED', available: 0 }, 'PRODUCT_UNAVAILABLE'],
    ['goods said to be out of stock', { status: 'OUT_OF_STOCK' }, 'PRODUCT_UNAVAILABLE'],
    ['goods that have run out', { available: 0 }, 'INSUFFICIENT_STOCK'],
    ['more than stock and line hold', { quantity: 11 }, 'INSUFFICIENT_STOCK'],
    ['more than a line may hold', { quantity: 6 }, 'MAX_QUANTITY_EXCEEDED'],
    ['more uncounted goods than a line may hold', { quantity: 6, available: null }, 'MAX_QUANTITY_EXCEEDED'],
  ])('into the cart: %s', (_case, change, why) => {
    expect(whyNotInCart({ ...wanted, ...change })).toBe(why);
  });
});

describe('coupons', () => {
  const now = new Date('2026-03-10T12:00:00Z');
  const hour = 3_600_000;
  const goods = [{ productId: 'lamp', categoryIds: ['home'], unitPriceMinor: 2500, quantity: 2 }];
  const open: CouponTerms = {
    productIds: [],
    categoryIds: [],
    isActive: true,
    startsAt: null,
    endsAt: null,
    minSubtotalMinor: null,
    usageLimit: null,
    perUserLimit: null,
    usedCount: 0,
    usesByUser: 0,
  };
  const why = (terms: Partial<CouponTerms>, lines = goods): string | null =>
    whyCouponFails({ ...open, ...terms }, lines, now);

  test.each<[string, Partial<CouponTerms>, RegExp]>([
    ['switched off', { isActive: false }, /not active/],
    ['before its window', { startsAt: new Date(now.getTime() + 1) }, /not valid yet/],
    ['at the very end of its window', { endsAt: now }, /expired/],
    ['used up by all', { usageLimit: 3, usedCount: 3 }, /used up/],
    ['used up by this buyer', { perUserLimit: 1, usesByUser: 1 }, /^was already used by you$/],
    ['for another product', { productIds: ['chair'] }, /none of the products/],
    ['for another category', { categoryIds: ['garden'] }, /none of the products/],
    ['below its minimum', { minSubtotalMinor: 5001 }, /at least 50.01 USD/],
  ])('a coupon %s does not apply', (_case, terms, reason) => {
    expect(why(terms)).toMatch(reason);
  });

  test.each<[string, Partial<CouponTerms>]>([
    ['without conditions', {}],
    ['at the very start of its window', { startsAt: now, endsAt: new Date(now.getTime() + hour) }],
    ['with one use left', { usageLimit: 3, usedCount: 2, perUserLimit: 2, usesByUser: 1 }],
    ['for a product in the cart', { productIds: ['lamp'], categoryIds: ['garden'] }],
    ['for a category in the cart', { categoryIds: ['home'] }],
    ['exactly at its minimum', { minSubtotalMinor: 5000 }],
  ])('a coupon %s applies', (_case, terms) => {
    expect(why(terms)).toBeNull();
  });

  test('no coupon applies to an empty cart', () => {
    expect(why({}, [])).toMatch(/none of the products/);
  });

  test('a value is kept exactly as it was written, in basis points or cents', () => {
    const hundredths = (max: number) => fc.integer({ min: 1, max }).map((n) => n / 100);
    const kept = (value: ReturnType<typeof couponValue>) => ({
      percentageBp: null,
      amountMinor: null,
      ...value,
    });
    fc.assert(
      fc.property(hundredths(10_000), hundredths(1e11), (percent, amount) => {
        expect(writtenValue(kept(couponValue('PERCENTAGE', percent)))).toBe(percent);
        expect(writtenValue(kept(couponValue('FIXED', amount)))).toBe(amount);
      }),
    );
    expect(couponValue('PERCENTAGE', 12.5)).toEqual({ type: 'PERCENTAGE', percentageBp: 1_250 });
    expect(couponValue('PERCENTAGE', 100.01)).toBeNull();
  });

  test('a window must open before it closes, and what was used was used', () => {
    const limits = { startsAt: null, endsAt: null, usageLimit: null, usedCount: 3 };
    const wrong = (change: Partial<Parameters<typeof couponContradictions>[0]>) =>
      couponContradictions({ ...limits, ...change });
    expect(wrong({})).toEqual({});
    expect(wrong({ startsAt: now, endsAt: new Date(now.getTime() + 1), usageLimit: 3 })).toEqual({});
    expect(wrong({ startsAt: now })).toEqual({});
    expect(wrong({ endsAt: now })).toEqual({});
    expect(wrong({ startsAt: now, endsAt: now, usageLimit: 2 })).toEqual({
      endsAt: ['must be after startsAt'],
      usageLimit: ['must be at least 3, the number of uses so far'],
    });
  });
});
