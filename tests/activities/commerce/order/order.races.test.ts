import { v7 } from 'uuid';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import type { PaymentMethod } from '../../../../workflows/commerce/payment/payment.rules';
import { type ErrorCode, refusalIn } from '../../../../workflows/errors';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { lookForMoney } from '../../../support/checks/look-for-money';
import { make } from '../../../support/builders/make';
import { noteOf, orderSteps, PRICE_MINOR, storedReport } from '../../../support/builders/ordering';
import { type CountedDb, countingTries, warmPool } from '../../../support/servers/tries';
import { stored } from '../chargeback/chargebacks';
import { given } from '../../../support/builders/given';
import type { OrderToPlace } from '../../../support/builders/given/steps';
import { cartToOrder } from '../../../../db/commerce/cart/cart-to-order.reads';
import { releaseStock, reserveStock } from '../../../../db/catalog/stock/stock.transitions';
import { redeemCoupon } from '../../../../db/commerce/coupon/coupon.transitions';
import { execute, firstRow } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';

const own = ownDatabase();
const at = new Date().toISOString();

let counted: CountedDb;

/**
 * Every step of checkout at once with itself and with every other one, on one order: whatever comes first, what must
 * hold of them holds, nothing is thrown but what the step declares, and no transaction had to be tried again.
 */
describe('two steps at once', () => {
  const later = (minutes: number): string => new Date(Date.parse(at) + minutes * 60_000).toISOString();
  let staffId: string;

  beforeAll(async () => {
    counted = countingTries(own.db);
    staffId = (await make.admin(own.db)).id;
  });
  beforeEach(() => warmPool(counted.db));

  afterEach(async () => {
    expect(await violations(own.db)).toEqual([]);
  });
  type Order = OrderToPlace & { paymentId: string };
  type Begin = () => Promise<unknown>;

  interface Step {
    /** Writes down what the step is about, and answers what begins it. */
    prepare: (order: Order) => Promise<Begin> | Begin;
    refuses: readonly ErrorCode[];
  }
  const steps = () => orderSteps(counted.db);
  const opening =
    (paymentMethod: PaymentMethod) =>
    ({ orderId }: Order): Begin =>
    () =>
      steps().openPayment({ orderId, attemptId: v7(), paymentMethod, at: later(1) });
  const reporting = (outcome: 'PAID' | 'EXPIRED') => async (order: Order) => {
    const { webhookEventId } = await storedReport(own.db, outcome, order);
    return () => steps().applyPaymentEvent({ webhookEventId, at: later(1) });
  };

  const STEPS: Readonly<Record<string, Step>> = {
    placeOrder: {
      prepare: (order) => () => steps().placeOrder({ ...order, ...order.input, at }),
      refuses: [],
    },
    openPayment: { prepare: opening('EWALLET'), refuses: ['NOT_PAYABLE'] },
    'openPayment by balance': { prepare: opening('BALANCE'), refuses: ['NOT_PAYABLE'] },
    confirmTransfer: {
      prepare: async ({ orderId }) => {
        const noteId = await noteOf(own.db, staffId, null);
        const transfer = { orderId, amountMinor: PRICE_MINOR, onMismatch: 'REFUSE' as const, noteId };
        const ids = { captureId: v7(), transactionId: v7() };
        return () => steps().confirmTransfer({ ...transfer, ...ids, at: later(1) });
      },
      refuses: [],
    },
    cancelOrder: {
      prepare: async ({ orderId, userId }) => {
        const noteId = await noteOf(own.db, userId, 'Changed my mind.');
        return () => steps().cancelOrder({ orderId, noteId, at: later(1) });
      },
      refuses: ['CANNOT_CANCEL'],
    },
    expireOrder: {
      prepare:
        ({ orderId }) =>
        () =>
          steps().expireOrder({ orderId, at: later(30) }),
      refuses: [],
    },
    'applyPaymentEvent PAID': { prepare: reporting('PAID'), refuses: [] },
    'applyPaymentEvent EXPIRED': { prepare: reporting('EXPIRED'), refuses: [] },
    lookUpPayments: {
      prepare: async ({ orderId, attemptId: key }) => {
        const payment = { key, amountMinor: PRICE_MINOR, currency: 'USD', at: new Date() };
        await enterSandboxPayments(own.db, payment, () => [{ status: 'PAID', delayMs: 0 }]);
        return () => lookForMoney(steps(), { orderId, at: later(30) });
      },
      refuses: [],
    },
    chargeback: {
      prepare: async (order) => {
        const { paymentId } = order;
        const change = { chargebackId: v7(), paymentId, amountMinor: 1_000 };
        const webhookEventId = await stored(own.db, 'payment.charged_back', order, change);
        return () => steps().applyPaymentEvent({ webhookEventId, at: later(1) });
      },
      refuses: [],
    },
  };

  /** The steps of the order before those under test. */
  const STATES: Readonly<Record<string, (order: Order) => Promise<unknown>>> = {
    'waits for payment': () => Promise.resolve(),
    'is paid': async (order) => (await STEPS['applyPaymentEvent PAID']!.prepare(order))(),
    'is cancelled': async (order) => (await STEPS['cancelOrder']!.prepare(order))(),
  };
  const names = Object.keys(STEPS);
  const rounds = Object.keys(STATES).flatMap((state) => names.map((first) => ({ state, first })));

  test.each(rounds)('an order that $state: $first at once with every step', async ({ state, first }) => {
    for (const second of names) {
      const placed = await given(own.db).order({ walletMinor: 2 * PRICE_MINOR, at });
      const order = { ...placed, paymentId: v7() };
      await STATES[state]!(order);
      const pair = [STEPS[first]!, STEPS[second]!];
      const begin: Begin[] = [];
      for (const step of pair) begin.push(await step.prepare(order));
      const outcomes = await Promise.allSettled(begin.map((run) => run()));
      const undeclared = outcomes.flatMap((outcome, i): unknown[] => {
        if (outcome.status === 'fulfilled') return [];
        const code = refusalIn(outcome.reason)?.code;
        return code && pair[i]!.refuses.includes(code)
          ? []
          : [`${first} + ${second}: ${String(outcome.reason)}`];
      });
      expect(undeclared).toEqual([]);
    }
    expect(counted.contended()).toBe(0);
  });

  test('placing one order twice at once places it once, and both get the same answer', async () => {
    for (let round = 0; round < 10; round++) {
      const order = await given(own.db).cart();
      const command = { ...order, ...order.input, at };
      const [one, other] = await Promise.all([steps().placeOrder(command), steps().placeOrder(command)]);
      expect(other).toEqual(one);
    }
    expect(counted.contended()).toBe(0);
  });
});

/** Rows that buyers share, locked by many at once: no deadlock occurs, and no transaction runs again. */
describe('rows that orders share', () => {
  beforeEach(async () => {
    counted = countingTries(own.db);
    await warmPool(own.db);
  });

  afterEach(async () => {
    expect(counted.contended()).toBe(0);
    expect(await violations(own.db)).toEqual([]);
  });

  test('the last unit is reserved by one of twelve buyers; the others are refused', async () => {
    const orders: { orderId: string }[] = [];
    while (orders.length < 12) orders.push(await given(own.db).order());
    for (let round = 0; round < 5; round++) {
      const { stockItemId } = await make.product(own.db, { stock: 1 });
      const unit = { stockItemId: stockItemId!, quantity: 1 };
      const outcomes = await Promise.all(
        orders.map(({ orderId }) =>
          inTransaction(counted.db, (tx) => reserveStock(tx, [unit], { orderId }, at)),
        ),
      );
      expect(outcomes.filter(({ short }) => short[0] === stockItemId)).toHaveLength(11);
      const left = await firstRow(own.db, 'SELECT available, reserved FROM stock_items WHERE id = $1', [
        stockItemId,
      ]);
      expect(left).toEqual({ available: 0, reserved: 1 });
      const { orderId } = orders[outcomes.findIndex(({ short }) => short.length === 0)]!;
      await inTransaction(own.db, (tx) => releaseStock(tx, [unit], { orderId }, at));
    }
  });

  test('a coupon at its limit is refused, and not by an error', async () => {
    const coupon = await make.coupon(own.db, { usageLimit: 2 });
    const buyers = await Promise.all([1, 2, 3, 4].map(() => make.user(own.db)));
    const redeem = (userId: string) => inTransaction(counted.db, (tx) => redeemCoupon(tx, coupon.id, userId));
    const taken = await Promise.all(buyers.map(({ id }) => redeem(id)));
    expect(taken.filter(Boolean)).toHaveLength(2);
    await execute(own.db, 'DELETE FROM coupon_uses WHERE coupon_id = $1', [coupon.id]);
    await execute(own.db, 'UPDATE coupons SET used_count = 0 WHERE id = $1', [coupon.id]);
  });

  test('buyers who name the same coupons in opposite order never wait crosswise', async () => {
    const coupons = [await make.coupon(own.db), await make.coupon(own.db)];
    const codes = coupons.map(({ code }) => code);
    for (let round = 0; round < 6; round++) {
      const orders = [
        await given(own.db).cart(),
        await given(own.db).cart(),
        await given(own.db).cart(),
        await given(own.db).cart(),
      ];
      await Promise.all(
        orders.map((order, i) => {
          const couponCodes = i % 2 === 0 ? codes : [...codes].reverse();
          return orderSteps(counted.db).placeOrder({ ...order, ...order.input, couponCodes, at });
        }),
      );
    }
  });

  test('cancellations never deadlock with checkouts of the same coupon and goods', async () => {
    const product = await make.product(own.db, { stock: 100 });
    const coupon = await make.coupon(own.db);
    const order = async () => {
      const ordered = await given(own.db).cart();
      await execute(
        own.db,
        'UPDATE cart_items SET product_id = $2 WHERE cart_id = (SELECT id FROM carts WHERE user_id = $1)',
        [ordered.userId, product.id],
      );
      return { ...ordered, ...ordered.input, couponCodes: [coupon.code], at };
    };
    const later = new Date(Date.parse(at) + 3_600_000).toISOString();
    for (let round = 0; round < 10; round++) {
      const before = [await order(), await order(), await order()];
      for (const one of before) await orderSteps(own.db).placeOrder(one);
      const after = [await order(), await order(), await order()];
      await Promise.all([
        ...before.map(({ orderId }) => orderSteps(counted.db).expireOrder({ orderId, at: later })),
        ...after.map((one) => orderSteps(counted.db).placeOrder(one)),
      ]);
    }
  });

  test('a buyer who pays one order from the balance while another, paid so, is cancelled waits for neither crosswise', async () => {
    for (let round = 0; round < 10; round++) {
      const first = await given(own.db).order({ method: 'BALANCE', walletMinor: 20_000, at });
      await execute(own.db, 'DELETE FROM carts WHERE user_id = $1', [first.userId]);
      await make.cart(own.db, first.userId, [{ productId: await productOf(first.orderId), quantity: 2 }]);
      const orderId = v7();
      const cart = await cartToOrder(own.db, { orderId, userId: first.userId, cartDays: 90 });
      const asked = { ...first.input, attemptId: v7(), couponCodes: [], cartVersion: cart.version };
      const second = { ...first, ...asked, orderId, at };
      const noteId = await noteOf(own.db, first.userId, 'Changed my mind.');
      await Promise.all([
        orderSteps(counted.db).cancelOrder({ orderId: first.orderId, noteId, at }),
        orderSteps(counted.db).placeOrder(second),
      ]);
    }
  });
  const productOf = async (orderId: string): Promise<string> =>
    (await firstRow<{ id: string }>(own.db, 'SELECT product_id AS id FROM order_items WHERE order_id = $1', [
      orderId,
    ]))!.id;

  describe('the database refuses', () => {
    test('two attempts of one order that were both paid', async () => {
      const { orderId } = await given(own.db).order({ method: 'BALANCE', walletMinor: 5_000, at });
      await expect(
        execute(
          own.db,
          `INSERT INTO payment_attempts
           (id, order_id, sequence, provider, method, amount_minor, currency, status, expires_at, created_at, updated_at)
         SELECT gen_random_uuid(), order_id, 2, provider, method, amount_minor, currency, 'PAID', now(), now(), now()
         FROM payment_attempts WHERE order_id = $1`,
          [orderId],
        ),
      ).rejects.toMatchObject({ parent: { constraint: 'payment_attempts_one_paid_key' } });
    });

    test('more uses of a coupon than its limit', async () => {
      const { id } = await make.coupon(own.db, { usageLimit: 1 });
      await expect(
        execute(own.db, 'UPDATE coupons SET used_count = 2 WHERE id = $1', [id]),
      ).rejects.toMatchObject({
        parent: { constraint: 'coupons_used_count_check' },
      });
    });

    test('money of no attempt that paid an order, or that a provider brought', async () => {
      const { orderId } = await given(own.db).order({ at });
      const insert = (provider: string, applied: boolean) =>
        execute(
          own.db,
          `INSERT INTO payment_captures
           (id, order_id, provider, provider_payment_id, amount_minor, currency, applied, captured_at)
         VALUES (gen_random_uuid(), $1, $2, 'x', 1, 'USD', $3, now())`,
          [orderId, provider, applied],
        );
      for (const [provider, applied] of [
        ['bank', true],
        ['sandbox', false],
      ] as const)
        await expect(insert(provider, applied)).rejects.toMatchObject({
          parent: { constraint: 'payment_captures_attempt_check' },
        });
    });
  });
});
