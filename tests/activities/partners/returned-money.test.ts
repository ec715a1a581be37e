import { v7 } from 'uuid';
import { execute, rows } from '../../../db/sql/query';
import { given } from '../../support/builders/given';
import { make } from '../../support/builders/make';
import { noteOf, orderSteps } from '../../support/builders/ordering';
import { approve, deliveredOrder, requestRefund } from '../../support/builders/refunding';
import { takeAllEvents } from '../../support/checks/take-events';
import { violations } from '../../support/checks/violations';
import { FakeBank } from '../../support/fakes/fake-bank';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const at = () => new Date(Date.now() + 60_000).toISOString();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** Refers the buyer of an order by a partner, and counts what is announced by now. */
async function sponsoredSale(orderId: string): Promise<void> {
  const { id: partnerId } = await make.partner(own.db);
  await execute(
    own.db,
    'UPDATE users SET sponsor_id = $2 WHERE id = (SELECT user_id FROM orders WHERE id = $1)',
    [orderId, partnerId],
  );
  await takeAllEvents(own.db);
}

/** The statuses of the commissions of an order, the refunds' parts included, after all events are counted. */
async function counted(orderId: string): Promise<string[]> {
  await takeAllEvents(own.db);
  const found = await rows<{ status: string }>(
    own.db,
    'SELECT status FROM partner_commissions WHERE source_id = $1 ORDER BY created_at, id',
    [orderId],
  );
  return found.map(({ status }) => status);
}

/** Says that a person has sent a refund by hand. */
async function settle(refundId: string): Promise<void> {
  const noteId = await noteOf(own.db, (await make.admin(own.db)).id, v7());
  await orderSteps(own.db).settleRefund({ refundId, noteId, at: at() });
}

describe('a commission is taken back when the money of its sale is certainly back', () => {
  test('not when the request is approved, but when the provider has sent it', async () => {
    const order = await deliveredOrder(own.db, { provider: new FakeBank() });
    await sponsoredSale(order.orderId);
    const { refundId } = (await approve(own.db, await requestRefund(own.db, order))).refundsDue[0]!;
    expect(await counted(order.orderId)).toEqual(['PENDING']);
    await orderSteps(own.db).completeRefund({ refundId, providerRefundId: v7(), at: at() });
    expect(await counted(order.orderId)).toEqual(['REVERSED']);
  });

  test('at once where it went to a balance', async () => {
    const order = await deliveredOrder(own.db, { method: 'BALANCE' });
    await sponsoredSale(order.orderId);
    await approve(own.db, await requestRefund(own.db, order));
    expect(await counted(order.orderId)).toEqual(['REVERSED']);
  });

  test('a refund that was given up takes nothing back until a person has sent it', async () => {
    const order = await deliveredOrder(own.db, { provider: new FakeBank() });
    await sponsoredSale(order.orderId);
    const { refundId } = (await approve(own.db, await requestRefund(own.db, order))).refundsDue[0]!;
    await orderSteps(own.db).abandonRefund({ refundId, at: at() });
    expect(await counted(order.orderId)).toEqual(['PENDING']);
    await settle(refundId);
    expect(await counted(order.orderId)).toEqual(['REVERSED']);
  });

  test('of a cancelled order as well', async () => {
    const order = await given(own.db).order({ method: 'BANK_TRANSFER' }).paid().cancelled();
    await sponsoredSale(order.orderId);
    const { refundId } = order;
    expect(await counted(order.orderId)).toEqual(['PENDING']);
    await orderSteps(own.db).abandonRefund({ refundId, at: at() });
    expect(await counted(order.orderId)).toEqual(['PENDING']);
    await settle(refundId);
    expect(await counted(order.orderId)).toEqual(['REVERSED']);
  });
});
