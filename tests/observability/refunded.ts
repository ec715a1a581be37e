import type { KillingWorld } from '../support/worlds/killing-world';
import { rows } from '../../db/sql/query';
import { eventually } from '../support/checks/eventually';
import { orderRow } from '../support/builders/sandbox';
import type { Shopper } from '../support/builders/shop';

/** Waits until the order is paid, cancels it as its buyer, and waits until the money is back. */
export async function refunded(world: KillingWorld, buyer: Shopper, orderId: string): Promise<void> {
  await eventually(async () => expect((await orderRow(world, orderId)).paymentStatus).toBe('PAID'));
  const answer = await eventually(async () => {
    const answer = await buyer.post(`/orders/${orderId}/cancel`, { reason: 'Changed my mind.' });
    expect(answer.status).toBe(200);
    return answer;
  });
  expect(answer.body.success).toBe(true);
  await eventually(async () =>
    expect(await rows(world.db, 'SELECT status FROM payment_refunds WHERE order_id = $1', [orderId])).toEqual(
      [{ status: 'COMPLETED' }],
    ),
  );
}
