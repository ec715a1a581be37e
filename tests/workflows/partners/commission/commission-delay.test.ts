import { execute, firstRow, rows } from '../../../../db/sql/query';
import { startConsumers } from '../../../../activities/administration/domain-event/start-forgotten';
import { startProcesses } from '../../../../workers/start';
import { make } from '../../../support/builders/make';
import { shopper } from '../../../support/builders/shop';
import { eventually } from '../../../support/checks/eventually';
import { ownWorld } from '../../../support/worlds/world';

const world = ownWorld();
beforeAll(async () => {
  await startConsumers(startProcesses(world.temporal));
});

test('the order of a referred buyer pays: its commission stands and is booked without anybody asking', async () => {
  const { id: partnerId, userId } = await make.partner(world.db);
  const product = await make.product(world.db, { priceMinor: 500_00 });
  await execute(world.db, 'UPDATE products SET commission_bp = 1000 WHERE id = $1', [product.id]);
  const { buyer, order } = await shopper(world, [{ productId: product.id }], { walletMinor: 1_000_00 });
  await execute(world.db, 'UPDATE users SET sponsor_id = $2 WHERE id = $1', [buyer.id, partnerId]);
  const { orderId } = await order({ paymentMethod: 'BALANCE' });
  const [commission] = await eventually(async () => {
    const found = await rows<{ type: number; status: string; netMinor: number }>(
      world.db,
      'SELECT type, status, net_minor FROM partner_commissions WHERE source_id = $1',
      [orderId],
    );
    expect(found).toHaveLength(1);
    return found;
  });
  expect(commission).toEqual({ type: 1, status: 'PENDING', netMinor: 25_00 });
  const balance = await firstRow(
    world.db,
    `SELECT balance_minor FROM ledger_balances WHERE user_id = $1 AND account = 'partner_pending'`,
    [userId],
  );
  expect(balance).toEqual({ balanceMinor: 25_00 });
});
