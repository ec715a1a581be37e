import { v7 } from 'uuid';
import { releaseStock, reserveStock } from '../../../../db/catalog/stock/stock.transitions';
import { redeemCoupon } from '../../../../db/commerce/coupon/coupon.transitions';
import { execute, firstRow } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';
import { noteOf, orderSteps, placedOrder, orderCommand } from '../../../support/builders/ordering';
import { countingTries, warmPool, type CountedDb } from '../../../support/servers/tries';

/** Rows that buyers share, locked by many at once: no deadlock occurs, and no transaction runs again. */
const own = ownDatabase();
const at = new Date().toISOString();
let counted: CountedDb;
beforeEach(async () => {
  counted = countingTries(own.db);
  await warmPool(own.db);
});
afterEach(async () => {
  expect(counted.contended()).toBe(0);
  expect(await violations(own.db)).toEqual([]);
});

test('the last unit is reserved by one of twelve buyers; the others are refused', async () => {
  for (let round = 0; round < 5; round++) {
    const { stockItemId } = await make.product(own.db, { stock: 1 });
    const unit = { stockItemId: stockItemId!, quantity: 1 };
    const references = Array.from({ length: 12 }, () => `test:${v7()}`);
    const outcomes = await Promise.all(
      references.map((reference) =>
        inTransaction(counted.db, (tx) => reserveStock(tx, [unit], reference, at)),
      ),
    );
    expect(outcomes.filter(({ short }) => short[0] === stockItemId)).toHaveLength(11);
    const left = await firstRow(own.db, 'SELECT available, reserved FROM stock_items WHERE id = $1', [
      stockItemId,
    ]);
    expect(left).toEqual({ available: 0, reserved: 1 });
    const winner = references[outcomes.findIndex(({ short }) => short.length === 0)]!;
    await inTransaction(own.db, (tx) => releaseStock(tx, [unit], winner, at));
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
      await orderCommand(own.db),
      await orderCommand(own.db),
      await orderCommand(own.db),
      await orderCommand(own.db),
    ];
    await Promise.all(
      orders.map((order, i) => {
        const couponCodes = i % 2 === 0 ? codes : [...codes].reverse();
        return orderSteps(counted.db).placeOrder({ ...order, ...order.command, couponCodes, at });
      }),
    );
  }
});

test('cancellations never deadlock with checkouts of the same coupon and goods', async () => {
  const product = await make.product(own.db, { stock: 100 });
  const coupon = await make.coupon(own.db);
  const order = async () => {
    const ordered = await orderCommand(own.db);
    await execute(
      own.db,
      'UPDATE cart_items SET product_id = $2 WHERE cart_id = (SELECT id FROM carts WHERE user_id = $1)',
      [ordered.userId, product.id],
    );
    return { ...ordered, ...ordered.command, couponCodes: [coupon.code], at };
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
    const first = await placedOrder(own.db, { method: 'BALANCE', walletMinor: 20_000 }, { at });
    await execute(own.db, 'DELETE FROM carts WHERE user_id = $1', [first.userId]);
    await make.cart(own.db, first.userId, [{ productId: await productOf(first.orderId), quantity: 2 }]);
    const second = { ...first, ...first.command, orderId: v7(), attemptId: v7(), couponCodes: [], at };
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
    const { orderId } = await placedOrder(own.db, { method: 'BALANCE', walletMinor: 5_000 }, { at });
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
    const { orderId } = await placedOrder(own.db, {}, { at });
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
