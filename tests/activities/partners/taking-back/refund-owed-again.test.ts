import { rows } from '../../../../db/sql/query';
import { takeAllEvents } from '../../../support/checks/take-events';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { disputes } from '../../commerce/chargeback/charged-back';
import { refundReports } from '../../commerce/refund/reported/refund-reports';
import { refundedSales } from './refunded-sale';

const own = ownDatabase();
const money = disputes(own);
const { bank, send, lose, bankActs } = money;
const { complete, refunded, leftOf, pendingOf } = refundedSales(own, money);
const { hears } = refundReports(own);

const PARTS = 'SELECT id FROM payment_refunds WHERE split_from = $1 ORDER BY id';

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

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
