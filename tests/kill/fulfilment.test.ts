import type { Response } from 'supertest';
import { execute, firstRow, rows } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { violations } from '../support/checks/violations';
import { eventually } from '../support/checks/eventually';
import { ownKillingWorld } from '../support/worlds/killing-world';
import { make } from '../support/builders/make';
import { orderRow } from '../support/builders/sandbox';
import { shopper, type Shopper } from '../support/builders/shop';
import { signIn } from '../support/builders/sign-in';

let staffToken: string;
const world = ownKillingWorld();
beforeAll(async () => {
  staffToken = await signIn(world, await make.admin(world.db));
});
afterEach(async () => expect(await violations(world.db)).toEqual([]));

const becomes = (orderId: string, status: string): Promise<void> =>
  eventually(async () => expect((await orderRow(world, orderId)).status).toBe(status));

/** An order that was paid from the balance and whose fulfilment has begun. */
async function processing(): Promise<{ ada: Shopper; orderId: string }> {
  const product = await make.product(world.db);
  const ada = await shopper(world, [{ productId: product.id }], { walletMinor: 5_000 });
  const { orderId } = await ada.order({ paymentMethod: 'BALANCE' });
  await becomes(orderId, 'PROCESSING');
  return { ada, orderId };
}

const change = (orderId: string, body: object): Promise<Response | Error> =>
  world.http
    .patch(`/api/v1/admin/orders/${orderId}`)
    .auth(staffToken, { type: 'bearer' })
    .send(body)
    .then((answer) => answer)
    .catch((error: unknown) => error as Error);

/** Kills the worker in the middle of its transaction, in which it waits for this table. */
async function killedAt(table: string, act: () => Promise<unknown>): Promise<void> {
  await inTransaction(world.db, async (tx) => {
    await execute(tx, `LOCK TABLE ${table} IN SHARE MODE`);
    void act();
    await eventually(async () => {
      const waiting = await rows(
        world.db,
        `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = $1::regclass`,
        [table],
      );
      expect(waiting).not.toEqual([]);
    });
    await world.worker.kill();
  });
  await world.worker.start();
}

/** The numbers of rows that a move writes. */
const traces = (orderId: string) =>
  firstRow(
    world.db,
    `SELECT (SELECT count(*)::int FROM tracking_events WHERE order_id = $1) AS events,
       (SELECT count(*)::int FROM order_status_changes WHERE order_id = $1 AND status = 'SHIPPED') AS history,
       (SELECT count(*)::int FROM outbox_messages WHERE reference = 'order:' || $1 || ':shipped') AS mails,
       (SELECT count(*)::int FROM audit_records WHERE entity_id = $1::text) AS records`,
    [orderId],
  );

describe('the worker is killed in the middle', () => {
  it('of sending an order off: another does it, once', async () => {
    const { orderId } = await processing();
    await killedAt('tracking_events', () => change(orderId, { status: 'SHIPPED', notifyCustomer: true }));
    await becomes(orderId, 'SHIPPED');
    expect(await traces(orderId)).toEqual({ events: 1, history: 1, mails: 1, records: 1 });
    await eventually(async () => {
      const answer = await change(orderId, { status: 'DELIVERED' });
      if (answer instanceof Error || answer.status !== 200)
        expect(await orderRow(world, orderId)).toMatchObject({ status: 'DELIVERED' });
    });
    const fulfilment = world.temporal.workflow.getHandle(`fulfilment:${orderId}`);
    expect(await fulfilment.result()).toBe('DELIVERED');
  });

  it('of cancelling: the money goes back, once', async () => {
    const { ada, orderId } = await processing();
    await killedAt('domain_events', () => ada.post(`/orders/${orderId}/cancel`, { reason: 'Too late' }));
    await becomes(orderId, 'CANCELLED');
    const balance = await firstRow(
      world.db,
      `SELECT balance_minor AS minor FROM ledger_balances WHERE user_id = $1 AND account = 'wallet'`,
      [ada.buyer.id],
    );
    expect(balance).toEqual({ minor: 5_000 });
    expect(await world.temporal.workflow.getHandle(`fulfilment:${orderId}`).result()).toBe('CANCELLED');
  });
});
