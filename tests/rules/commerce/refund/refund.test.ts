import { orderStates, type OrderStatus } from '../../../../workflows/commerce/order/order.states';
import {
  claimByAdministrator,
  claimFor,
  mostOf,
  sharesOf,
} from '../../../../workflows/commerce/refund/refund-claim.rules';
import {
  chargebackLetter,
  moneySentLetter,
  refundRequestLetter,
} from '../../../../workflows/commerce/refund/refund.letters';
import {
  isRefundable,
  moneyLeft,
  whyNotRefundable,
} from '../../../../workflows/commerce/refund/refund.rules';

describe('refunds', () => {
  const DAY_MS = 24 * 3_600_000;
  const deliveredAt = new Date('2026-03-01T12:00:00.000Z');
  const after = (milliseconds: number): Date => new Date(deliveredAt.getTime() + milliseconds);

  test('goods on their way may be given back', () => {
    expect(isRefundable({ status: 'SHIPPED', deliveredAt: null }, after(0), 14)).toBe(true);
  });

  test.each([
    [14, 0, null],
    [14, 14 * DAY_MS, null],
    [14, 14 * DAY_MS + 1, 'REFUND_PERIOD_EXPIRED'],
    [30, 30 * DAY_MS, null],
    [1, DAY_MS + 1, 'REFUND_PERIOD_EXPIRED'],
  ])(
    'within %i days, delivered goods %i ms after they arrived: %s',
    (windowDays, milliseconds, hindrance) => {
      const order = { status: 'DELIVERED' as const, deliveredAt };
      expect(whyNotRefundable(order, after(milliseconds), windowDays)).toBe(hindrance);
      expect(isRefundable(order, after(milliseconds), windowDays)).toBe(hindrance === null);
    },
  );

  test('goods of which nobody knows when they arrived may not', () => {
    expect(whyNotRefundable({ status: 'DELIVERED', deliveredAt: null }, after(0), 14)).toBe('CANNOT_REFUND');
  });

  const others = (Object.keys(orderStates.moves) as OrderStatus[]).filter(
    (status) => status !== 'SHIPPED' && status !== 'DELIVERED',
  );
  test.each(others)('an order that is %s may not: it is cancelled, or over', (status) => {
    expect(whyNotRefundable({ status, deliveredAt }, after(0), 14)).toBe('CANNOT_REFUND');
  });

  const NOTHING = { goodsMinor: 0, goodsTaxMinor: 0, shippingMinor: 0, shippingTaxMinor: 0 };

  describe('the worth of units', () => {
    /** 10.00 for three units, with 1.00 tax; shipping 5.00 with 0.50. Left out: the units were returned one after the other. */
    const order = (
      returned: number,
      [goods, tax] = [
        [0, 333, 667, 1_000],
        [0, 33, 67, 100],
      ],
    ) => ({
      lines: [
        {
          ...{ itemId: 'a', quantity: 3, returned, goodsMinor: 1_000, taxMinor: 100 },
          ...{ returnedGoodsMinor: goods[returned]!, returnedTaxMinor: tax[returned]! },
        },
      ],
      shippingMinor: 500,
      taxMinor: 150,
      back: NOTHING,
    });
    const one = new Map([['a', 1]]);

    test('one after the other, they add up to the line, and the last brings the shipping', () => {
      expect([0, 1, 2].map((returned) => claimFor(order(returned), one))).toEqual([
        {
          parts: [{ itemId: 'a', quantity: 1, goodsMinor: 333, taxMinor: 33 }],
          amountMinor: 0,
          shippingMinor: 0,
          claimedMinor: 366,
        },
        {
          parts: [{ itemId: 'a', quantity: 1, goodsMinor: 334, taxMinor: 34 }],
          amountMinor: 0,
          shippingMinor: 0,
          claimedMinor: 368,
        },
        {
          parts: [{ itemId: 'a', quantity: 1, goodsMinor: 333, taxMinor: 33 }],
          amountMinor: 0,
          shippingMinor: 550,
          claimedMinor: 916,
        },
      ]);
    });

    test('after a unit that was returned while another was asked for, which was then turned down, they still add up', () => {
      // The second unit, 3.34, is back; the first, 3.33, is not.
      const left = order(1, [
        [0, 334],
        [0, 34],
      ]);
      expect(claimFor(left, new Map([['a', 2]])).parts).toEqual([
        { itemId: 'a', quantity: 2, goodsMinor: 666, taxMinor: 66 },
      ]);
    });

    test('nothing is worth nothing', () => {
      const nothing = { parts: [], amountMinor: 0, shippingMinor: 0, claimedMinor: 0 };
      expect(claimFor(order(3), new Map())).toEqual(nothing);
    });

    test('shipping that was given back before does not come back with the last unit', () => {
      const back = { ...NOTHING, shippingMinor: 500, shippingTaxMinor: 20 };
      expect(claimFor({ ...order(2), back }, one)).toMatchObject({ shippingMinor: 30, claimedMinor: 396 });
    });

    test('an administrator gives shipping back with any unit, with an amount or by itself, and only if they say so', () => {
      const given = (wanted: Map<string, number>, amountMinor: number, includeShipping: boolean) =>
        claimByAdministrator(order(0), { wanted, amountMinor, includeShipping }).claimedMinor;
      expect(given(new Map([['a', 3]]), 0, false)).toBe(1_100);
      expect(given(one, 0, true)).toBe(916);
      expect(given(new Map(), 250, true)).toBe(800);
      expect(given(new Map(), 0, true)).toBe(550);
    });
  });

  describe('where an approved amount comes from', () => {
    const claim = {
      parts: [
        { itemId: 'a', quantity: 1, goodsMinor: 1_000, taxMinor: 190 },
        { itemId: 'b', quantity: 1, goodsMinor: 500, taxMinor: 95 },
      ],
      amountMinor: 0,
      shippingMinor: 595,
      claimedMinor: 2_380,
    };
    const left = { goodsMinor: 2_000, goodsTaxMinor: 380, shippingMinor: 500, shippingTaxMinor: 95 };
    const shares = (
      ...[goodsMinor, goodsTaxMinor, shippingMinor, shippingTaxMinor]: [number, number, number, number]
    ) => ({
      goodsMinor,
      goodsTaxMinor,
      shippingMinor,
      shippingTaxMinor,
    });
    test.each([
      ['all that was claimed', 2_380, shares(1_500, 285, 500, 95)],
      ['goods and their tax', 1_785, shares(1_500, 285, 0, 0)],
      ['less than these, in proportion', 1_190, shares(1_000, 190, 0, 0)],
      ['a cent', 1, shares(1, 0, 0, 0)],
      ['some of the shipping', 1_904, shares(1_500, 285, 100, 19)],
    ])('%s', (_, approvedMinor, expected) => {
      expect(sharesOf(claim, approvedMinor, left)).toEqual(expected);
    });

    test('units bring no more than is left of goods and of tax, each by itself', () => {
      const little = shares(700, 300, 500, 95);
      expect(mostOf(claim, little)).toBe(700 + 285 + 595);
      expect(sharesOf(claim, 985, little)).toEqual(shares(700, 285, 0, 0));
    });

    test('an amount without units is of all goods that are left, and of shipping beyond these', () => {
      const amount = { parts: [], amountMinor: 2_500, shippingMinor: 0, claimedMinor: 2_500 };
      expect(mostOf(amount, left)).toBe(2_500);
      expect(sharesOf(amount, 2_500, left)).toEqual(shares(2_000, 380, 101, 19));
      expect(mostOf({ ...amount, amountMinor: 9_999, claimedMinor: 9_999 }, left)).toBe(2_975);
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
});

describe('letters', () => {
  const money = { firstName: 'Ada', orderNumber: 'ORD-2026-00000001', amountMinor: 5_950, currency: 'USD' };

  test.each([
    ['APPROVED', 'Refund approved', 'is approved. We are returning the money the way you paid.'],
    ['REPAID', 'Refund paid to your balance', 'is approved. The money is on your balance.'],
    ['SENT', 'Refund sent', 'has been sent the way you paid. It can take a few days to arrive.'],
    ['FAILED', 'Refund could not be sent', 'could not be sent the way you paid.'],
  ] as const)('%s: the subject names the order, the text the amount', (kind, subject, ending) => {
    const { subject: line, greeting, paragraphs } = refundRequestLetter(kind, { ...money, reason: null });
    expect(line).toBe(`${subject}: order ORD-2026-00000001`);
    expect(greeting).toBe('Hello Ada,');
    expect(paragraphs[0]).toBe(`Your refund of 59.50 USD for order ORD-2026-00000001 ${ending}`);
  });

  test('a request that is declined names the reason, if there is one', () => {
    const textOf = (reason: string | null) =>
      refundRequestLetter('REJECTED', { ...money, reason }).paragraphs;
    const refused = 'We have declined your request for a refund of 59.50 USD for order ORD-2026-00000001.';
    expect(textOf('Worn.')).toEqual([refused, 'Reason: Worn.']);
    expect(textOf(null)).toEqual([refused]);
  });

  test('money that was sent by hand, and that came by a chargeback', () => {
    const sent = { ...money, paidFor: `order ${money.orderNumber}` };
    expect(moneySentLetter(sent).paragraphs).toEqual([
      'We have returned 59.50 USD for order ORD-2026-00000001 to you. It can take a few days to arrive.',
    ]);
    expect(chargebackLetter(sent)).toMatchObject({
      subject: 'Refund received through your bank: order ORD-2026-00000001',
      paragraphs: [expect.stringContaining('59.50 USD'), expect.stringContaining('will not send it again')],
    });
  });
});
