import { down, up } from '../../../db/schema/migrations/0041-charged-back-refunds';
import { rows } from '../../../db/sql/query';
import { stored } from '../../activities/commerce/chargeback/chargebacks';
import { violations } from '../../support/checks/violations';
import { ownDatabase } from '../../support/servers/database';
import { orderSteps, orderToRefund } from '../../support/builders/ordering';

const own = ownDatabase();
const now = (): string => new Date().toISOString();

const refunds = async (): Promise<string[]> => {
  const found = await rows<{ refund: string }>(
    own.db,
    `SELECT amount_minor || ' ' || status AS refund FROM payment_refunds ORDER BY created_at, id`,
  );
  return found.map(({ refund }) => refund);
};

test('what came by a chargeback is owed as before when the migration is undone, and ends again by the report', async () => {
  const order = await orderToRefund(own.db);
  const steps = orderSteps(own.db);
  const lost = { chargebackId: 'one', amountMinor: 2_000 };
  const taken = await stored(own.db, 'payment.charged_back', order, lost);
  await steps.applyPaymentEvent({ webhookEventId: taken, at: now() });
  await steps.abandonRefund({ refundId: order.refundId, at: now() });
  const report = async () => {
    const webhookEventId = await stored(own.db, 'payment.chargeback_lost', order, lost);
    return steps.applyPaymentEvent({ webhookEventId, at: now() });
  };
  await report();
  expect(await refunds()).toEqual(['3000 ABANDONED', '2000 CHARGED_BACK']);
  const query = own.owner.sequelize.getQueryInterface();
  await down(query);
  expect(await refunds()).toEqual(['3000 ABANDONED', '2000 ABANDONED']);
  await up(query);
  expect(await report()).toMatchObject({ outcome: 'APPLIED' });
  expect(await refunds()).toEqual(['1000 ABANDONED', '2000 ABANDONED', '2000 CHARGED_BACK']);
  expect(await violations(own.db)).toEqual([]);
});
