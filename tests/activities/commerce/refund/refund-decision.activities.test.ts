import { v7 } from 'uuid';
import { firstRow } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { owedMessages } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { noteOf, orderSteps } from '../../../support/builders/ordering';
import {
  approve,
  arrived,
  askBack,
  ON_THE_SHELF,
  refundBook,
  reject,
  shelf,
} from '../../../support/builders/refunding';

const own = ownDatabase();
afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const now = (): string => new Date().toISOString();
const tax = { taxBp: 1_900, discountBp: 1_000 };

/** The provider has sent it. */
const send = async (refundId: string): Promise<void> => {
  await orderSteps(own.db).completeRefund({ refundId, providerRefundId: v7(), at: now() });
};

describe('approveRefund', () => {
  test('of an order by card: the provider is to send it, and the order is REFUNDED when it has', async () => {
    const order = await arrived(own.db, tax);
    const asked = await askBack(own.db, order);
    const { status, refundsDue } = await approve(own.db, asked, { restock: true });
    expect([status, refundsDue]).toEqual([
      'PROCESSING',
      [{ refundId: expect.any(String), orderId: order.orderId }],
    ]);
    const sent = `PROCESSING ${order.totalMinor}`;
    expect(await refundBook(own.db, asked)).toMatchObject({ order: 'DELIVERED PAID', left: 0, sent });
    expect(await shelf(own.db, order)).toEqual([ON_THE_SHELF]);
    await send(refundsDue[0]!.refundId);
    expect(await refundBook(own.db, asked)).toMatchObject({
      request: 'COMPLETED',
      order: 'REFUNDED REFUNDED',
    });
  });

  test('of an order by balance: it is back at once; goods that are not wanted stay off the shelf', async () => {
    const order = await arrived(own.db, { method: 'BALANCE' });
    const asked = await askBack(own.db, order);
    expect((await approve(own.db, asked)).status).toBe('COMPLETED');
    expect(await refundBook(own.db, asked)).toMatchObject({
      request: 'COMPLETED',
      order: 'REFUNDED REFUNDED',
      sent: null,
      wallet: order.totalMinor,
    });
    expect(await shelf(own.db, order)).toEqual([ON_THE_SHELF - 2]);
  });

  test('the same decision again answers the same; another comes too late', async () => {
    const asked = await askBack(own.db, await arrived(own.db));
    const noteId = await noteOf(own.db, (await make.admin(own.db)).id, null);
    const first = await approve(own.db, asked, { noteId });
    expect(await approve(own.db, asked, { noteId })).toEqual(first);
    await expect(approve(own.db, asked)).rejects.toMatchObject({ type: 'NOT_PENDING' });
    await expect(reject(own.db, asked)).rejects.toMatchObject({ type: 'NOT_PENDING' });
  });

  test('less than was requested: the order stays as it is, and the rest cannot be requested', async () => {
    const order = await arrived(own.db, { ...tax, method: 'BALANCE' });
    const asked = await askBack(own.db, order);
    await approve(own.db, asked, { amountMinor: 1_190 });
    expect(await refundBook(own.db, asked)).toMatchObject({
      request: 'COMPLETED',
      order: 'DELIVERED PAID',
      left: order.totalMinor - 1_190,
    });
    const event = await firstRow(own.db, `SELECT data FROM domain_events WHERE reference = $1`, [
      `refund.completed:${asked.refundRequestId}`,
    ]);
    expect(event).toMatchObject({ data: { goodsMinor: 1_000, full: false, orderId: order.orderId } });
  });

  test('more than was requested is refused', async () => {
    const asked = await askBack(own.db, await arrived(own.db));
    await expect(approve(own.db, asked, { amountMinor: asked.requestedMinor + 1 })).rejects.toMatchObject({
      type: 'VALIDATION_ERROR',
      details: [{ amount: ['must be at most 55.00 USD, which was asked for'] }],
    });
  });

  test('of card and partner balance: the card first', async () => {
    const lines = [{ priceMinor: 5_000, quantity: 2 }];
    const order = await arrived(own.db, { lines, partnerMinor: 4_500 });
    const items = [{ itemId: order.items[0]!.id, quantity: 1 }];
    const first = await askBack(own.db, order, { items });
    const { refundsDue } = await approve(own.db, first);
    expect(await refundBook(own.db, first)).toMatchObject({ sent: 'PROCESSING 5000', partner: 0 });
    await send(refundsDue[0]!.refundId);
    const second = await askBack(own.db, order);
    const rest = await approve(own.db, second);
    expect(await refundBook(own.db, second)).toMatchObject({
      sent: 'PROCESSING 1000',
      partner: 4_500,
      left: 0,
    });
    await send(rest.refundsDue[0]!.refundId);
    expect(await refundBook(own.db, second)).toMatchObject({ order: 'REFUNDED REFUNDED' });
  });

  test('the buyer gets a mail, and the decision is audited', async () => {
    const asked = await askBack(own.db, await arrived(own.db));
    const { refundsDue } = await approve(own.db, asked);
    await send(refundsDue[0]!.refundId);
    const mails = await owedMessages(own.db, 'reference LIKE $1', [`refund:${asked.refundRequestId}:%`]);
    expect(mails).toMatchObject([
      { subject: expect.stringMatching(/^Your refund is approved: order /) },
      { subject: expect.stringMatching(/^Your refund has been sent: order /) },
    ]);
    const record = await firstRow(own.db, `SELECT action, next FROM audit_records WHERE entity_id = $1`, [
      asked.refundRequestId,
    ]);
    expect(record).toMatchObject({
      action: 'refund.approve',
      next: { status: 'PROCESSING', approvedMinor: 5_500 },
    });
  });
});

test('rejectRefund, twice: turned down once, and the mail has the reason', async () => {
  const asked = await askBack(own.db, await arrived(own.db));
  const noteId = await noteOf(own.db, (await make.admin(own.db)).id, 'It was worn.');
  expect((await reject(own.db, asked, noteId)).status).toBe('REJECTED');
  expect((await reject(own.db, asked, noteId)).status).toBe('REJECTED');
  await expect(approve(own.db, asked)).rejects.toMatchObject({ type: 'NOT_PENDING' });
  const [mail, ...more] = await owedMessages(own.db, 'reference LIKE $1', [
    `refund:${asked.refundRequestId}:%`,
  ]);
  expect([mail, more]).toMatchObject([{ text: expect.stringContaining('The reason: It was worn.') }, []]);
});
