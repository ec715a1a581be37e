import { eraseAccount } from '../../../../db/identity/account-deletion/erasure.transitions';
import { firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { MoveOrder } from '../../../../workflows/commerce/order/fulfilment.contract';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { deliveredOrder, shippedOrder } from '../../../support/builders/delivering';
import { mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import {
  noteOf,
  orderStep,
  orderSteps,
  paidOrder,
  TWO_SOLD,
  type OrderCommand,
} from '../../../support/builders/ordering';

const own = ownDatabase();
const steps = () => orderSteps(own.db);
const at = new Date(Date.now() + 60_000).toISOString();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

async function processing(): Promise<OrderCommand> {
  const order = await paidOrder(own.db);
  await steps().beginProcessing({ orderId: order.orderId, at });
  return order;
}

async function move({ orderId }: OrderCommand, changes: Pick<MoveOrder, 'to'> & Partial<MoveOrder>) {
  const staff = await make.admin(own.db);
  const noteId = await noteOf(own.db, staff.id, 'Handed to the carrier.');
  const command = { orderId, noteId, notifyCustomer: false, ...changes, at };
  return { staff, command, answer: await steps().moveOrder(command) };
}

const historyOf = ({ orderId }: OrderCommand) =>
  rows<{ status: string; note: string | null; by: string | null }>(
    own.db,
    `SELECT status, note, changed_by AS "by" FROM order_status_changes WHERE order_id = $1 ORDER BY changed_at, id`,
    [orderId],
  );
const shipmentOf = ({ orderId }: OrderCommand) =>
  firstRow<{ number: string | null; url: string | null; left: boolean; arrived: boolean }>(
    own.db,
    `SELECT tracking_number AS number, tracking_url AS url, shipped_at IS NOT NULL AS left,
       delivered_at IS NOT NULL AS arrived FROM shipments WHERE order_id = $1`,
    [orderId],
  );
const eventsOf = ({ orderId }: OrderCommand) =>
  rows<{ status: string }>(
    own.db,
    `SELECT status FROM tracking_events WHERE order_id = $1 ORDER BY happened_at`,
    [orderId],
  );
const auditOf = ({ orderId }: OrderCommand) =>
  rows(
    own.db,
    `SELECT actor_id AS actor, action, previous, next, client_address AS "from" FROM audit_records WHERE entity_id = $1`,
    [orderId],
  );
async function mailsOf({ userId }: OrderCommand) {
  const user = await firstRow<{ email: string }>(own.db, 'SELECT email FROM users WHERE id = $1', [userId]);
  return (await mailsTo(own.db, user!.email)).filter(({ reference }) => !reference.endsWith(':paid'));
}

describe('moveOrder', () => {
  test('ships an order, with all that belongs to it; a repetition only answers', async () => {
    const order = await processing();
    const parcel = { trackingNumber: 'A 1', trackingUrl: 'https://post.example.com/a1' };
    const { staff, command, answer } = await move(order, { to: 'SHIPPED', ...parcel, notifyCustomer: true });
    expect(answer).toEqual({ status: 'SHIPPED', trackingNumber: 'A 1', updatedAt: at });
    expect(await steps().moveOrder({ ...command, at: new Date().toISOString() })).toEqual(answer);

    expect((await historyOf(order)).at(-1)).toEqual({
      status: 'SHIPPED',
      note: 'Handed to the carrier.',
      by: staff.id,
    });
    expect(await shipmentOf(order)).toEqual({
      number: 'A 1',
      url: parcel.trackingUrl,
      left: true,
      arrived: false,
    });
    expect(await eventsOf(order)).toEqual([{ status: 'SHIPPED' }]);
    const mails = await mailsOf(order);
    expect(mails).toEqual([expect.objectContaining({ reference: `order:${order.orderId}:shipped` })]);
    for (const text of ['Handed to the carrier.', 'A 1', parcel.trackingUrl])
      expect(mails[0]!.text).toContain(text);
    const before = { trackingNumber: null, trackingUrl: null };
    expect(await auditOf(order)).toEqual([
      {
        actor: staff.id,
        action: 'order.move',
        previous: { status: 'PROCESSING', ...before },
        next: { status: 'SHIPPED', ...parcel, note: 'Handed to the carrier.', notifyCustomer: true },
        from: '192.0.2.7',
      },
    ]);
  });

  test('an order arrives; its goods stay sold and its parcel keeps what was known of it', async () => {
    const order = await processing();
    await move(order, { to: 'SHIPPED', trackingNumber: 'B2' });
    const { answer } = await move(order, { to: 'DELIVERED' });
    expect(answer).toMatchObject({ status: 'DELIVERED', trackingNumber: 'B2' });
    expect(await shipmentOf(order)).toEqual({ number: 'B2', url: null, left: true, arrived: true });
    expect(await eventsOf(order)).toEqual([{ status: 'SHIPPED' }, { status: 'DELIVERED' }]);
    expect(await orderStep(own.db, order)).toMatchObject({ order: 'DELIVERED PAID', ...TWO_SOLD });
    expect(await mailsOf(order)).toEqual([]);
  });

  test('what is known of a parcel can be taken away again', async () => {
    const order = await processing();
    await move(order, { to: 'SHIPPED', trackingNumber: 'C3', trackingUrl: 'https://post.example.com/' });
    await move(order, { to: 'DELIVERED', trackingNumber: null, trackingUrl: null });
    expect(await shipmentOf(order)).toMatchObject({ number: null, url: null });
  });

  test('an order whose processing did not begin is moved by hand; a number may be known before the parcel leaves', async () => {
    const order = await paidOrder(own.db);
    const { answer } = await move(order, { to: 'PROCESSING', trackingNumber: 'D4' });
    expect(answer).toMatchObject({ status: 'PROCESSING', trackingNumber: 'D4' });
    expect(await shipmentOf(order)).toMatchObject({ number: 'D4', left: false });
    expect(await eventsOf(order)).toEqual([]);
  });

  test.each([
    ['PAID', 'SHIPPED', () => paidOrder(own.db)],
    ['PROCESSING', 'PROCESSING', processing],
    ['PROCESSING', 'DELIVERED', processing],
    ['SHIPPED', 'PROCESSING', () => shippedOrder(own.db)],
    ['SHIPPED', 'SHIPPED', () => shippedOrder(own.db)],
    ['DELIVERED', 'SHIPPED', () => deliveredOrder(own.db)],
  ] as const)('%s → %s is no move: refused, nothing changes', async (from, to, make) => {
    const order = await make();
    const known = [await historyOf(order), await auditOf(order)];
    await expect(move(order, { to, trackingNumber: 'E5', notifyCustomer: true })).rejects.toMatchObject({
      type: 'VALIDATION_ERROR',
      details: [{ status: [`cannot follow ${from}`] }],
    });
    expect([await historyOf(order), await auditOf(order)]).toEqual(known);
    expect((await shipmentOf(order))?.number ?? null).toBeNull();
    expect(await mailsOf(order)).toEqual([]);
  });

  test('an erased account gets no mail', async () => {
    const order = await processing();
    const { email } = (await firstRow<{ email: string }>(own.db, 'SELECT email FROM users WHERE id = $1', [
      order.userId,
    ]))!;
    await inTransaction(own.db, (tx) => eraseAccount(tx, order.userId, new Date()));
    await move(order, { to: 'SHIPPED', notifyCustomer: true });
    const owed = [...(await mailsTo(own.db, email)), ...(await mailsOf(order))];
    expect(owed.filter(({ reference }) => reference.endsWith(':shipped'))).toEqual([]);
  });

  test('at the same moment, two administrators: one of them', async () => {
    const order = await processing();
    const outcomes = await Promise.allSettled([
      move(order, { to: 'SHIPPED', trackingNumber: 'ONE' }),
      move(order, { to: 'SHIPPED', trackingNumber: 'TWO' }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await eventsOf(order)).toHaveLength(1);
    expect((await auditOf(order)).length).toBe(1);
  });
});
