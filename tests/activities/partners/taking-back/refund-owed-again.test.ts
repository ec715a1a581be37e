import { v7 } from 'uuid';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { given } from '../../../support/builders/given';
import { make } from '../../../support/builders/make';
import { refundByShop } from '../../../support/builders/refunding';
import { takeAllEvents } from '../../../support/checks/take-events';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { disputes } from '../../commerce/chargeback/charged-back';
import { refundReports } from '../../commerce/refund/reported/refund-reports';

const own = ownDatabase();
const { bank, steps, send, lose, bankActs } = disputes(own);
const { hears } = refundReports(own);

const PARTS = 'SELECT id FROM payment_refunds WHERE split_from = $1 ORDER BY id';

/** Sends a refund, which its provider may have sent before; answers the provider's id of it. */
async function complete(refundId: string): Promise<string> {
  const sent = await send(refundId, 2);
  if (sent.sentBy !== 'PROVIDER') throw new Error(`${sent.sentBy} has sent it.`);
  const { providerRefundId } = sent;
  await steps().completeRefund({ refundId, providerRefundId, at: new Date().toISOString() });
  return providerRefundId;
}

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** A counted order of 100.00 of a referred buyer, `cardMinor` of it by card, and a refund by card that is not sent. */
async function refunded({ cardMinor = 100_00, amountMinor = 30_00 } = {}) {
  const order = await given(own.db)
    .order({
      ...{ lines: [{ priceMinor: 100_00, quantity: 1 }], discountBp: 0, shippingMinor: 0 },
      ...{ provider: bank(), partnerMinor: 100_00 - cardMinor },
    })
    .paid();
  const partner = await make.partner(own.db);
  await execute(own.db, 'UPDATE users SET sponsor_id = $2 WHERE id = $1', [order.userId, partner.id]);
  await takeAllEvents(own.db);
  const { refundsDue } = await refundByShop(own.db, order, { refundRequestId: v7(), amountMinor });
  return { order, partner, refundId: refundsDue[0]!.refundId };
}

const minorOf = async (sql: string, id: string): Promise<number> =>
  (await firstRow<{ minor: number }>(own.db, sql, [id]))!.minor;
const leftOf = ({ orderId }: { orderId: string }) =>
  minorOf(
    'SELECT coalesce(sum(base_minor), 0)::bigint AS minor FROM partner_sales WHERE source_id = $1',
    orderId,
  );
const pendingOf = ({ userId }: { userId: string }) =>
  minorOf(
    `SELECT coalesce(sum(balance_minor), 0)::bigint AS minor FROM ledger_balances
      WHERE user_id = $1 AND account = 'partner_pending'`,
    userId,
  );

describe.each([
  ['each event is counted at once', takeAllEvents],
  ['all events are counted at last', () => Promise.resolve()],
] as const)('a returned chargeback had paid a refund: %s', (_, count) => {
  test('the refund, which is sent, and the other chargeback are both taken', async () => {
    const { order, partner, refundId } = await refunded();
    const earned = await pendingOf(partner);
    await lose(order, 50_00, 'A');
    await count(own.db);
    await lose(order, 50_00, 'B');
    await count(own.db);
    expect(await send(refundId)).toEqual({ sentBy: 'NOBODY' });
    await count(own.db);
    await bankActs(order, 'payment.chargeback_returned', 50_00, 'A');
    await count(own.db);
    expect(await send(refundId)).not.toEqual({ sentBy: 'NOBODY' });
    await takeAllEvents(own.db);
    expect(await leftOf(order)).toBe(20_00);
    expect(await pendingOf(partner)).toBe(earned / 5);
  });

  test('once it is sent, a chargeback of the rest takes the rest', async () => {
    const { order, partner, refundId } = await refunded();
    await lose(order, 100_00, 'A');
    await count(own.db);
    expect(await send(refundId)).toEqual({ sentBy: 'NOBODY' });
    await count(own.db);
    await bankActs(order, 'payment.chargeback_returned', 100_00, 'A');
    await count(own.db);
    expect(await send(refundId)).not.toEqual({ sentBy: 'NOBODY' });
    await lose(order, 70_00, 'B');
    await takeAllEvents(own.db);
    expect(await leftOf(order)).toBe(0);
    expect(await pendingOf(partner)).toBe(0);
  });

  test('one that the next chargeback pays instead is taken once', async () => {
    const { order, partner, refundId } = await refunded({ cardMinor: 50_00, amountMinor: 50_00 });
    const earned = await pendingOf(partner);
    await lose(order, 50_00, 'A');
    await count(own.db);
    expect(await send(refundId)).toEqual({ sentBy: 'NOBODY' });
    await count(own.db);
    await bankActs(order, 'payment.chargeback_returned', 50_00, 'A');
    await count(own.db);
    await lose(order, 50_00, 'B');
    await count(own.db);
    expect(await send(refundId)).toEqual({ sentBy: 'NOBODY' });
    await takeAllEvents(own.db);
    expect(await leftOf(order)).toBe(50_00);
    expect(await pendingOf(partner)).toBe(earned / 2);
  });

  test('one that was sent meanwhile is taken, and the next chargeback too', async () => {
    const { order, partner, refundId } = await refunded({ cardMinor: 50_00, amountMinor: 50_00 });
    await lose(order, 50_00, 'A');
    expect(await send(refundId)).toEqual({ sentBy: 'NOBODY' });
    await count(own.db);
    await bankActs(order, 'payment.chargeback_returned', 50_00, 'A');
    await count(own.db);
    bank().mood = 'loses the answer';
    await expect(send(refundId)).rejects.toThrow('broke');
    bank().mood = 'answers';
    await lose(order, 50_00, 'B');
    await count(own.db);
    await complete(refundId);
    await takeAllEvents(own.db);
    expect(await leftOf(order)).toBe(0);
    expect(await pendingOf(partner)).toBe(0);
  });

  test('one that its provider could not deliver, and the next chargeback pays, is taken once', async () => {
    const { order, partner, refundId } = await refunded({ cardMinor: 50_00, amountMinor: 50_00 });
    const earned = await pendingOf(partner);
    const as = await complete(refundId);
    await count(own.db);
    bank().fails(`${refundId}:1`);
    await hears('refund.failed', order.orderId, { refundId, as, amountMinor: 50_00, provider: bank().code });
    await lose(order, 50_00, 'A');
    await count(own.db);
    expect(await send(refundId)).toEqual({ sentBy: 'NOBODY' });
    await takeAllEvents(own.db);
    expect(await leftOf(order)).toBe(50_00);
    expect(await pendingOf(partner)).toBe(earned / 2);
  });

  test('two returns that are announced before either is counted restore both parts', async () => {
    const { order, partner, refundId } = await refunded({ cardMinor: 50_00, amountMinor: 50_00 });
    const earned = await pendingOf(partner);
    for (const name of ['A', 'B']) await lose(order, 25_00, name);
    expect(await send(refundId)).toEqual({ sentBy: 'NOBODY' });
    await count(own.db);
    for (const name of ['A', 'B']) await bankActs(order, 'payment.chargeback_returned', 25_00, name);
    await complete(refundId);
    for (const { id } of await rows<{ id: string }>(own.db, PARTS, [refundId])) await complete(id);
    await takeAllEvents(own.db);
    expect(await leftOf(order)).toBe(50_00);
    expect(await pendingOf(partner)).toBe(earned / 2);
  });
});
