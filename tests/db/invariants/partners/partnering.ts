import { policyFrom } from '../../../../db/policy/config';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { convertedVisitor } from '../../../support/builders/make/partners/visitors';
import { insert } from '../../../support/builders/make/insert';
import { shopper } from '../../../support/builders/shop';
import { orderRow } from '../../../support/builders/sandbox';
import { eventually } from '../../../support/checks/eventually';
import type { World } from '../../../support/worlds/world';
import { v7 } from 'uuid';
import { takeEvent } from '../../../support/checks/take-events';

/** Partners one above the other, with sales of the lowest one's customer. */
export interface Partnering {
  /** At the top, an EXECUTIVE by an administrator's word. */
  top: string;
  sponsor: string;
  /** Two orders of one customer: the first one, and a repeat that was cancelled. */
  first: string;
  cancelled: string;
}

/** Two partners and a customer whose sales and refunds are counted. */
export async function partnering(world: World): Promise<Partnering> {
  const { db } = world;
  const { id: top } = await make.partner(db);
  const { id: sponsor, referralCode } = await make.partner(db, { sponsorId: top });
  await execute(
    db,
    'UPDATE partner_standings SET rank_level = 5, highest_rank_level = 5, network_rank_level = 5 WHERE partner_id = $1',
    [top],
  );
  await insert(db, 'partner_rank_changes', {
    ...{ id: v7(), partner_id: top, programme_version: 1, from_level: 1, to_level: 5 },
    ...{ changed_by: (await make.admin(db)).id, reason: 'Founded it.', changed_at: new Date() },
  });
  const product = await make.product(db, { priceMinor: 50_00, commissionBp: 2_000, stock: 10 });
  const customer = await shopper(world, [{ productId: product.id }], {
    kycLevel: 'STANDARD',
    walletMinor: 500_00,
  });
  await execute(db, 'UPDATE users SET sponsor_id = $2 WHERE id = $1', [customer.buyer.id, sponsor]);
  await convertedVisitor(db, referralCode, customer.buyer.id);
  const first = await customer.order({ paymentMethod: 'BALANCE' });
  await customer.post('/cart/items', { productId: product.id, quantity: 1 });
  const cancelled = await customer.order({ paymentMethod: 'BALANCE' });
  for (const { orderId } of [first, cancelled])
    await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('PROCESSING'));
  const answer = await customer.post(`/orders/${cancelled.orderId}/cancel`, { reason: 'Too late.' });
  expect(answer.status).toBe(200);
  const ids = [top, sponsor, first.orderId, cancelled.orderId];
  await eventually(async () => expect(await eventsOf(world, ids)).toHaveLength(5));
  for (const { id } of await eventsOf(world, ids)) await takeEvent(db, policyFrom({}), id);
  return { top, sponsor, first: first.orderId, cancelled: cancelled.orderId };
}

const eventsOf = (world: World, entityIds: readonly string[]) =>
  rows<{ id: string }>(
    world.db,
    'SELECT id FROM domain_events WHERE entity_id = ANY($1) ORDER BY occurred_at',
    [entityIds],
  );
