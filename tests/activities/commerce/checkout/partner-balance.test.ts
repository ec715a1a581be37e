import { rows } from '../../../../db/sql/query';
import { orderToPlace } from '../../../support/builders/given/steps';
import { make } from '../../../support/builders/make';
import { orderSteps } from '../../../support/builders/ordering';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

test.each([
  ['ACTIVE', 1_200],
  ['SUSPENDED', 0],
  ['TERMINATED', 0],
] as const)('the balance of a partner who is %s pays %i of an order', async (status, paidMinor) => {
  const order = await orderToPlace(own.db, { partnerMinor: 1_200 });
  await make.partner(own.db, { userId: order.userId, status });
  await orderSteps(own.db).placeOrder({ ...order, ...order.input, at: new Date().toISOString() });
  const placed = await rows(own.db, 'SELECT partner_balance_minor AS minor FROM orders WHERE id = $1', [
    order.orderId,
  ]);
  expect(placed).toEqual([{ minor: paidMinor }]);
});
