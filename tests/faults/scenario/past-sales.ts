import { setTimeout as pause } from 'node:timers/promises';
import { rows, type Db } from '../../../db/sql/query';
import { dbSteps, placeBySteps } from '../../support/builders/given/steps';

const COUNTED_WITHIN_MS = 60_000;
const GOODS = { quantity: 1, priceMinor: 1_750_00 };

/** An order of 1,750.00 that was paid and delivered in the past, by a customer of the partner; answers its id. */
async function pastSale(db: Db, { sponsorId, at }: { sponsorId: string; at: Date }): Promise<string> {
  const order = await placeBySteps(db, {
    ...{ lines: [GOODS], discountBp: 0, shippingMinor: 0, method: 'BALANCE' },
    ...{ walletMinor: GOODS.priceMinor, at: at.toISOString(), sponsorId },
  });
  const steps = dbSteps(db);
  await steps.paid(order);
  await steps.shipped(order);
  await steps.delivered(order);
  return order.orderId;
}

/** Sales of the past, which the stack's engine has counted; answers the ids of their orders. */
export async function pastSales(
  db: Db,
  sales: readonly { sponsorId: string; at: Date }[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const sale of sales) ids.push(await pastSale(db, sale));
  const deadline = Date.now() + COUNTED_WITHIN_MS;
  const counted = 'SELECT 1 FROM partner_sales WHERE source_id = ANY ($1::uuid[])';
  while ((await rows(db, counted, [ids])).length < ids.length) {
    if (Date.now() > deadline) throw new Error('sales of the past were not counted');
    await pause(200);
  }
  return ids;
}
