import { v7 } from 'uuid';
import { reviveDelivery } from '../../../../db/administration/domain-event/event-delivery.writes';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { refundByShop } from '../../../support/builders/refunding';
import { takeAllEvents } from '../../../support/checks/take-events';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { disputes } from '../../commerce/chargeback/charged-back';
import { refundReports } from '../../commerce/refund/reported/refund-reports';
import { refundedSales } from './refunded-sale';

const own = ownDatabase();
const money = disputes(own);
const { bank, send, lose, bankActs } = money;
const { hears } = refundReports(own);
const { complete, refunded, leftOf, pendingOf } = refundedSales(own, money);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

describe('a refund whose event a person gave up', () => {
  const refundEvent = `SELECT e.position FROM domain_events e JOIN refund_requests r
      ON e.reference = 'refund.completed:' || r.id JOIN payment_refunds p ON p.refund_request_id = r.id WHERE p.id = $1`;
  const giveUp = (refundId: string) =>
    execute(own.db, `UPDATE event_deliveries SET state = 'DEAD' WHERE position IN (${refundEvent})`, [
      refundId,
    ]);
  const revive = async (refundId: string): Promise<boolean> => {
    const event = await firstRow<{ position: number }>(own.db, refundEvent, [refundId]);
    const delivery = { consumer: 'commissions' as const, position: event!.position };
    return inTransaction(own.db, (tx) => reviveDelivery(tx, delivery));
  };

  test('restores nothing when a chargeback pays it, and takes nothing twice when it is counted', async () => {
    const { order, partner, refundId } = await refunded({ amountMinor: 100_00 });
    const as = await complete(refundId);
    await giveUp(refundId);
    bank().fails(`${refundId}:1`);
    await hears('refund.failed', order.orderId, { refundId, as, amountMinor: 100_00, provider: bank().code });
    await lose(order, 100_00, 'A');
    await takeAllEvents(own.db);
    expect(await leftOf(order)).toBe(0);
    expect(await send(refundId)).toEqual({ sentBy: 'NOBODY' });
    await takeAllEvents(own.db);
    expect([await leftOf(order), await pendingOf(partner)]).toEqual([0, 0]);
    expect(await violations(own.db)).toEqual([]);
    expect(await revive(refundId)).toBe(true);
    await takeAllEvents(own.db);
    expect([await leftOf(order), await pendingOf(partner)]).toEqual([0, 0]);
    expect(await rows(own.db, 'SELECT position FROM event_deliveries')).toEqual([]);
  });

  test('is not owed again at the cost of another refund', async () => {
    const { order, refundId } = await refunded({ amountMinor: 50_00 });
    const { refundsDue } = await refundByShop(own.db, order, { refundRequestId: v7(), amountMinor: 50_00 });
    const givenUp = refundsDue[0]!.refundId;
    await lose(order, 100_00, 'A');
    for (const id of [refundId, givenUp]) expect(await send(id)).toEqual({ sentBy: 'NOBODY' });
    await giveUp(givenUp);
    await takeAllEvents(own.db);
    await bankActs(order, 'payment.chargeback_returned', 100_00, 'A');
    await takeAllEvents(own.db);
    expect(await leftOf(order)).toBe(50_00);
    await lose(order, 50_00, 'B');
    expect(await send(refundId)).toEqual({ sentBy: 'NOBODY' });
    await takeAllEvents(own.db);
    expect(await leftOf(order)).toBe(50_00);
    expect(await revive(givenUp)).toBe(true);
    await takeAllEvents(own.db);
    expect(await leftOf(order)).toBe(0);
  });
});
