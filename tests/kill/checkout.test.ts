import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { execute, firstRow, rows, type Db } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { violations } from '../support/checks/violations';
import { eventually } from '../support/checks/eventually';
import { ownKillingWorld } from '../support/worlds/killing-world';
import { make } from '../support/builders/make';
import { orderRow, press } from '../support/builders/sandbox';
import { shopper, type Shopper } from '../support/builders/shop';

const world = ownKillingWorld();
afterEach(async () => expect(await violations(world.db)).toEqual([]));

/** Locks a row while `meanwhile` runs, so that others stop in the middle of their transactions. */
async function holding(db: Db, stockItemId: string | null, meanwhile: () => Promise<void>): Promise<void> {
  await inTransaction(db, async (tx) => {
    await execute(tx, 'SELECT 1 FROM stock_items WHERE id = $1 FOR UPDATE', [stockItemId]);
    await meanwhile();
  });
}
const someoneWaits = (db: Db): Promise<void> =>
  eventually(async () => {
    const waiting = await rows(
      db,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(waiting.length).toBeGreaterThan(0);
  });
const answerOrError = (answer: Promise<Response>): Promise<Response | Error> =>
  answer.catch((error: unknown) => error as Error);

async function midCheckout(kill: () => Promise<void>): Promise<{ ada: Shopper; key: string }> {
  const product = await make.product(world.db, { stock: 3 });
  const ada = await shopper(world, [{ productId: product.id }]);
  const key = randomUUID();
  await holding(world.db, product.stockItemId, async () => {
    const answer = answerOrError(ada.checkout({}, key));
    await someoneWaits(world.db);
    await kill();
    // The answer does not matter here; it may never come.
    void answer;
  });
  return { ada, key };
}

/** The buyer tries again with the same key until there is an answer, as clients do. */
const triesAgain = (ada: Shopper, key: string): Promise<Response> =>
  eventually(async () => {
    const answer = await ada.checkout({}, key);
    expect(answer.status).toBe(201);
    return answer;
  });
async function oneOrder(ada: Shopper): Promise<string> {
  const orders = await rows<{ id: string }>(world.db, 'SELECT id FROM orders WHERE user_id = $1', [
    ada.buyer.id,
  ]);
  expect(orders).toHaveLength(1);
  return orders[0]!.id;
}
async function endsPaid(orderId: string, paymentUrl: string): Promise<void> {
  await press(world, paymentUrl, 'pay');
  await eventually(async () =>
    expect(await orderRow(world, orderId)).toEqual({ status: 'PROCESSING', paymentStatus: 'PAID' }),
  );
}

describe('killed in the middle of a checkout', () => {
  it('the worker: another carries on; one order, and it can be paid', async () => {
    const { ada, key } = await midCheckout(() => world.worker.kill());
    await world.worker.start();
    const answer = await triesAgain(ada, key);
    const orderId = await oneOrder(ada);
    expect(answer.body.data.orderId).toBe(orderId);
    await endsPaid(orderId, answer.body.data.payment.paymentUrl);
  });

  it('the API: the order is placed all the same, and the same key finds it', async () => {
    const { ada, key } = await midCheckout(() => world.api.kill());
    await world.api.start();
    await eventually(async () => expect(await oneOrder(ada)).toEqual(expect.any(String)));
    const early = await ada.checkout({}, key);
    expect([early.status, early.body.error.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    // Half a minute later the claim counts as abandoned.
    await execute(world.db, `UPDATE idempotency_keys SET claimed_at = now() - interval '31 seconds'`);
    const answer = await triesAgain(ada, key);
    const orderId = await oneOrder(ada);
    expect(answer.body.data.orderId).toBe(orderId);
    await endsPaid(orderId, answer.body.data.payment.paymentUrl);
  });

  it('the worker, while the payment is reported: it is applied once', async () => {
    const product = await make.product(world.db, { stock: 3 });
    const ada = await shopper(world, [{ productId: product.id }]);
    const { orderId, payment } = await ada.order();
    await holding(world.db, product.stockItemId, async () => {
      await press(world, payment.paymentUrl ?? '', 'pay');
      await someoneWaits(world.db);
      await world.worker.kill();
    });
    await world.worker.start();
    await eventually(async () =>
      expect(await orderRow(world, orderId)).toEqual({ status: 'PROCESSING', paymentStatus: 'PAID' }),
    );
    const sales = await firstRow(
      world.db,
      `SELECT count(*)::int AS sales FROM ledger_transfers WHERE kind = 'order-payment' AND subject_id = $1`,
      [orderId],
    );
    expect(sales).toEqual({ sales: 1 });
  });
});
