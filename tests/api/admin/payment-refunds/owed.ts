import { firstRow } from '../../../../db/sql/query';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { orderRow } from '../../../support/builders/sandbox';
import { shopper, type Shopper } from '../../../support/builders/shop';
import type { World } from '../../../support/worlds/world';

/** A buyer whose order was paid by transfer and cancelled, and the refund that a person has to send. */
export async function owedByTransfer(
  world: World,
  token: string,
): Promise<{ ada: Shopper; orderId: string; refundId: string; transactionId: string }> {
  const product = await make.product(world.db);
  const ada = await shopper(world, [{ productId: product.id }]);
  const { orderId, payment } = await ada.order({ paymentMethod: 'BANK_TRANSFER' });
  const transactionId = `IN-${orderId}`;
  const confirmed = await world.http
    .post(`/api/v1/admin/orders/${orderId}/payment`)
    .auth(token, { type: 'bearer' })
    .send({ amount: payment.amount, transactionId });
  expect(confirmed.status).toBe(200);
  await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('PROCESSING'));
  await ada.post(`/orders/${orderId}/cancel`, { reason: 'Changed my mind' });
  const refund = await firstRow<{ id: string }>(
    world.db,
    'SELECT id FROM payment_refunds WHERE order_id = $1',
    [orderId],
  );
  return { ada, orderId, refundId: refund!.id, transactionId };
}
