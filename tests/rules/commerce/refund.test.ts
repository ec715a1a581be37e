import { orderStates, type OrderStatus } from '../../../workflows/commerce/order.states';
import {
  claimFor,
  isRefundable,
  moneyLeft,
  sharesOf,
  whyNotRefundable,
} from '../../../workflows/commerce/refund.rules';

const DAY_MS = 24 * 3_600_000;
const deliveredAt = new Date('2026-03-01T12:00:00.000Z');
const after = (milliseconds: number): Date => new Date(deliveredAt.getTime() + milliseconds);

test('goods on their way may be given back', () => {
  expect(isRefundable({ status: 'SHIPPED', deliveredAt: null }, after(0))).toBe(true);
});

test.each([
  [0, null],
  [14 * DAY_MS, null],
  [14 * DAY_MS + 1, 'REFUND_PERIOD_EXPIRED'],
])('delivered goods %i ms after they arrived: %s', (milliseconds, hindrance) => {
  expect(whyNotRefundable({ status: 'DELIVERED', deliveredAt }, after(milliseconds))).toBe(hindrance);
  expect(isRefundable({ status: 'DELIVERED', deliveredAt }, after(milliseconds))).toBe(hindrance === null);
});

test('goods of which nobody knows when they arrived may not', () => {
  expect(whyNotRefundable({ status: 'DELIVERED', deliveredAt: null }, after(0))).toBe('CANNOT_REFUND');
});

const others = (Object.keys(orderStates.moves) as OrderStatus[]).filter(
  (status) => status !== 'SHIPPED' && status !== 'DELIVERED',
);
test.each(others)('an order that is %s may not: it is cancelled, or over', (status) => {
  expect(whyNotRefundable({ status, deliveredAt }, after(0))).toBe('CANNOT_REFUND');
});

describe('what pieces are worth', () => {
  /** 10.00 for three pieces, with 1.00 tax; shipping 5.00 with 0.50. */
  const order = (returned: number) => ({
    lines: [{ itemId: 'a', quantity: 3, returned, goodsMinor: 1_000, taxMinor: 100 }],
    shippingMinor: 500,
    taxMinor: 150,
  });
  const one = new Map([['a', 1]]);

  test('one after the other, they add up to the line, and the last brings the shipping', () => {
    expect([0, 1, 2].map((returned) => claimFor(order(returned), one))).toEqual([
      {
        parts: [{ itemId: 'a', quantity: 1, goodsMinor: 333, taxMinor: 33 }],
        shippingMinor: 0,
        claimedMinor: 366,
      },
      {
        parts: [{ itemId: 'a', quantity: 1, goodsMinor: 334, taxMinor: 34 }],
        shippingMinor: 0,
        claimedMinor: 368,
      },
      {
        parts: [{ itemId: 'a', quantity: 1, goodsMinor: 333, taxMinor: 33 }],
        shippingMinor: 550,
        claimedMinor: 916,
      },
    ]);
  });

  test('nothing is worth nothing', () => {
    expect(claimFor(order(3), new Map())).toEqual({ parts: [], shippingMinor: 0, claimedMinor: 0 });
  });
});

describe('where an approved amount comes from', () => {
  const claim = {
    parts: [
      { itemId: 'a', quantity: 1, goodsMinor: 1_000, taxMinor: 190 },
      { itemId: 'b', quantity: 1, goodsMinor: 500, taxMinor: 95 },
    ],
    shippingMinor: 595,
  };
  test.each([
    ['all that was claimed', 2_380, { goodsMinor: 1_500, taxMinor: 380, shippingMinor: 500 }],
    ['goods and their tax', 1_785, { goodsMinor: 1_500, taxMinor: 285, shippingMinor: 0 }],
    ['less than these, in proportion', 1_190, { goodsMinor: 1_000, taxMinor: 190, shippingMinor: 0 }],
    ['a cent', 1, { goodsMinor: 1, taxMinor: 0, shippingMinor: 0 }],
    ['some of the shipping', 1_904, { goodsMinor: 1_500, taxMinor: 304, shippingMinor: 100 }],
  ])('%s', (_, approvedMinor, shares) => {
    expect(sharesOf(claim, approvedMinor, 500)).toEqual(shares);
  });
});

describe('what can still go back', () => {
  const order = { totalMinor: 10_000, partnerBalanceMinor: 4_000 };
  test.each([
    [
      'of a new order',
      0,
      { refundedMinor: 0, chargedBackMinor: 0 },
      { methodMinor: 6_000, partnerMinor: 4_000 },
    ],
    [
      'after a part',
      5_000,
      { refundedMinor: 5_000, chargedBackMinor: 0 },
      { methodMinor: 1_000, partnerMinor: 4_000 },
    ],
    [
      'after all of the card',
      7_000,
      { refundedMinor: 6_000, chargedBackMinor: 0 },
      { methodMinor: 0, partnerMinor: 3_000 },
    ],
    [
      'after the bank took it',
      0,
      { refundedMinor: 0, chargedBackMinor: 6_000 },
      { methodMinor: 0, partnerMinor: 4_000 },
    ],
    [
      'after both',
      5_000,
      { refundedMinor: 5_000, chargedBackMinor: 6_000 },
      { methodMinor: 0, partnerMinor: 4_000 },
    ],
    ['of a wallet', 7_000, null, { methodMinor: 0, partnerMinor: 3_000 }],
    ['of nothing', 10_000, null, { methodMinor: 0, partnerMinor: 0 }],
  ])('%s', (_, refundedMinor, capture, left) => {
    expect(moneyLeft({ ...order, refundedMinor }, capture)).toEqual(left);
  });
});
