import { execute, firstRow, rows } from '../../../../db/sql/query';
import { startCommissionEngines } from '../../../../workers/commission-engines';
import { startProcesses } from '../../../../workers/start';
import { make } from '../../../support/builders/make';
import { shopper } from '../../../support/builders/shop';
import { eventually } from '../../../support/checks/eventually';
import { ownWorld } from '../../../support/worlds/world';

/** The time in which a commission stands after its sale. */
const WITHIN_MS = 2_000;
const MOST_SALES = 6;

const world = ownWorld();
beforeAll(async () => {
  await startCommissionEngines(startProcesses(world.temporal), 1);
});

/** An order of 500.00 at 10 % that a referred buyer pays; answers how long its commission took to stand. */
async function tookMs(): Promise<number> {
  const { id: partnerId, userId } = await make.partner(world.db);
  const product = await make.product(world.db, { priceMinor: 500_00 });
  await execute(world.db, 'UPDATE products SET commission_bp = 1000 WHERE id = $1', [product.id]);
  const { buyer, order } = await shopper(world, [{ productId: product.id }], { walletMinor: 1_000_00 });
  await execute(world.db, 'UPDATE users SET sponsor_id = $2 WHERE id = $1', [buyer.id, partnerId]);
  const { orderId } = await order({ paymentMethod: 'BALANCE' });
  const soldAt = Date.now();
  const [commission] = await eventually(async () => {
    const found = await rows<{ type: number; status: string; netMinor: number }>(
      world.db,
      'SELECT type, status, net_minor FROM partner_commissions WHERE source_id = $1',
      [orderId],
    );
    expect(found).toHaveLength(1);
    return found;
  });
  const elapsedMs = Date.now() - soldAt;
  expect(commission).toEqual({ type: 1, status: 'PENDING', netMinor: 25_00 });
  const balance = await firstRow(
    world.db,
    `SELECT balance_minor FROM ledger_balances WHERE user_id = $1 AND account = 'partner_pending'`,
    [userId],
  );
  expect(balance).toEqual({ balanceMinor: 25_00 });
  return elapsedMs;
}

test('the order of a referred buyer pays: two seconds later its commission stands and is booked', async () => {
  // A busy machine may hold up any one sale. An engine that looks too seldom is late for all, because each is paid soon
  // after the one before was counted: just when its wait began.
  let fastestMs = Infinity;
  for (let sales = 0; fastestMs > WITHIN_MS && sales < MOST_SALES; sales++)
    fastestMs = Math.min(fastestMs, await tookMs());
  expect(fastestMs).toBeLessThanOrEqual(WITHIN_MS);
}, 180_000);
