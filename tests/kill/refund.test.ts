import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { execute, rows } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { Processes } from '../../api/http/temporal/temporal';
import { refundRequested, requestRow, staff } from '../api/orders/returning';
import { violations } from '../support/checks/violations';
import { eventually } from '../support/checks/eventually';
import { held } from '../support/checks/held-locks';
import { ownKillingWorld, type KillingWorld } from '../support/worlds/killing-world';
import { orderRow } from '../support/builders/sandbox';

let place: KillingWorld & { processes: Processes };
const world = ownKillingWorld();
beforeAll(async () => {
  place = { ...world, processes: new Processes(world.temporal) };
});
afterEach(async () => expect(await violations(world.db)).toEqual([]));

/** Locks a table against writes, so that others stop in the middle of their transactions. */
const holding = (table: string, meanwhile: () => Promise<void>): Promise<void> =>
  inTransaction(world.db, async (tx) => {
    await execute(tx, `LOCK TABLE ${table} IN SHARE MODE`);
    await meanwhile();
  });
const someoneWaits = (): Promise<void> =>
  eventually(async () => {
    const waiting = await rows(
      world.db,
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(waiting.length).toBeGreaterThan(0);
  });
const sentBack = (orderId: string): Promise<object[]> =>
  rows(
    world.db,
    `SELECT s.amount_minor AS amount FROM sandbox_refunds s JOIN payment_refunds p ON s.key = p.id || ':1'
     WHERE p.order_id = $1`,
    [orderId],
  );
const isBack = async (orderId: string, refundId: string): Promise<void> => {
  await eventually(async () =>
    expect(await orderRow(world, orderId)).toEqual({ status: 'REFUNDED', paymentStatus: 'REFUNDED' }),
  );
  expect((await requestRow(world, refundId)).status).toBe('COMPLETED');
  expect(await sentBack(orderId)).toEqual([{ amount: 6_500 }]);
  expect(await world.temporal.workflow.getHandle(`refund:${refundId}`).result()).toBe('COMPLETED');
};

describe('the worker, killed', () => {
  it('between the provider’s refund and our record of it: it is recorded, and not sent twice', async () => {
    const { decide } = await staff(world);
    const { orderId, refundId } = await refundRequested(place, { method: 'CARD' });
    await holding('order_status_changes', async () => {
      expect((await decide(refundId, 'approve')).status).toBe(200);
      await eventually(async () => expect(await sentBack(orderId)).toHaveLength(1));
      await someoneWaits();
      await world.worker.kill();
    });
    expect((await orderRow(world, orderId)).status).toBe('DELIVERED');
    await world.worker.start();
    await isBack(orderId, refundId);
  });

  it('between the mark and the provider’s refund: it is sent once', async () => {
    const { decide } = await staff(world);
    const { orderId, refundId } = await refundRequested(place, { method: 'CARD' });
    await holding('sandbox_refunds', async () => {
      expect((await decide(refundId, 'approve')).status).toBe(200);
      await someoneWaits();
      await world.worker.kill();
    });
    expect(await sentBack(orderId)).toEqual([]);
    await world.worker.start();
    await isBack(orderId, refundId);
  });

  it.each([
    ['the answer and the ledger', 'ledger_entries'],
    ['the ledger and the mail', 'outbox_messages'],
  ])('between %s: it is booked once, and mailed once', async (_, table) => {
    const { decide } = await staff(world);
    const { orderId, refundId } = await refundRequested(place, { method: 'CARD' });
    const provider = await held(world.owner, 'LOCK TABLE sandbox_refunds IN SHARE MODE');
    expect((await decide(refundId, 'approve')).status).toBe(200);
    await someoneWaits();
    const record = await held(world.owner, `LOCK TABLE ${table} IN SHARE MODE`);
    await provider.release();
    await eventually(async () => expect(await sentBack(orderId)).toHaveLength(1));
    await someoneWaits();
    await world.worker.kill();
    await record.release();
    expect((await orderRow(world, orderId)).status).toBe('DELIVERED');
    await world.worker.start();
    await isBack(orderId, refundId);
    const mails = await rows(world.db, 'SELECT 1 FROM outbox_messages WHERE reference = $1', [
      `refund:${refundId}:sent:1`,
    ]);
    expect(mails).toHaveLength(1);
  });

  it('in the middle of an approval: it is made once, and the administrator is answered', async () => {
    const { token } = await staff(world);
    const { orderId, refundId } = await refundRequested(place, { method: 'CARD' });
    const key = randomUUID();
    const approve = async (): Promise<Response> =>
      world.http
        .post(`/api/v1/admin/refunds/${refundId}/approve`)
        .auth(token, { type: 'bearer' })
        .set('idempotency-key', key)
        .send({ restock: true });
    await holding('stock_movements', async () => {
      const unanswered = approve().catch((error: unknown) => error as Error);
      await someoneWaits();
      await world.worker.kill();
      void unanswered;
    });
    await world.worker.start();
    await eventually(async () => expect((await approve()).status).toBe(200));
    await isBack(orderId, refundId);
  });

  it('when the request was just made: it waits for its decision all the same', async () => {
    const { decide } = await staff(world);
    const { orderId, refundId } = await refundRequested(place, { method: 'CARD' });
    await world.worker.kill();
    await world.worker.start();
    await eventually(async () => expect((await decide(refundId, 'approve')).status).toBe(200));
    await isBack(orderId, refundId);
  });
});

describe('the API, killed', () => {
  it('while an approval is made: the worker finishes, and the repetition has its answer', async () => {
    const { token } = await staff(world);
    const { orderId, refundId } = await refundRequested(place, { method: 'CARD' });
    const key = randomUUID();
    const approve = async (): Promise<Response> =>
      world.http
        .post(`/api/v1/admin/refunds/${refundId}/approve`)
        .auth(token, { type: 'bearer' })
        .set('idempotency-key', key)
        .send({ restock: true });
    await holding('stock_movements', async () => {
      void approve().catch(() => undefined);
      await someoneWaits();
      await world.api.kill();
    });
    await isBack(orderId, refundId);
    await world.api.start();
    await eventually(async () => expect((await approve()).status).toBe(200));
    expect(await sentBack(orderId)).toEqual([{ amount: 6_500 }]);
  });
});
