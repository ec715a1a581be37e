import { randomUUID } from 'node:crypto';
import { firstRow } from '../../../../db/sql/query';
import { moves } from '../../../support/builders/delivering';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { orderRow } from '../../../support/builders/sandbox';
import type { Arrange } from './arranged';

/** Paid from the balance, and delivered. */
const delivered: Arrange = async (scene, as) => {
  await make.money(scene.world.db, as.user.id, 1_000_000);
  const { orderId } = await scene.orderOf(as, 'BALANCE');
  await eventually(async () => expect((await orderRow(scene.world, orderId)).status).toBe('PROCESSING'));
  await moves(scene.world, orderId, 'SHIPPED', 'DELIVERED');
  return { params: { id: orderId }, body: { itemIds: undefined, items: undefined } };
};

/** Somebody else has asked for money back. */
const askedBack: Arrange = async (scene) => {
  const buyer = await scene.person();
  const { params } = await delivered(scene, buyer);
  const asked = await scene.ask(`/orders/${params?.['id']}/refund`, { reason: 'It does not fit.' }, buyer);
  return { params: { id: String(asked['refundRequestId']) } };
};

/** Money that could not be sent back, and that an operator gave up. */
const owed: Arrange = async ({ stuck, world }) => {
  const { orderId, workflowId } = await stuck.stuckRefund();
  await stuck.decide(workflowId, 'abandon');
  const id = await eventually(async () => {
    const found = await firstRow<{ id: string }>(
      world.db,
      `SELECT id FROM payment_refunds WHERE order_id = $1 AND status = 'ABANDONED'`,
      [orderId],
    );
    return found!.id;
  });
  return { params: { id }, body: { reference: randomUUID(), amount: undefined } };
};

/** What endpoints about refunds need. */
export const refundArrangements: Readonly<Record<string, Arrange>> = {
  'POST /orders/:id/refund': delivered,
  'POST /admin/refunds/:id/approve': askedBack,
  'POST /admin/refunds/:id/reject': askedBack,
  'POST /admin/orders/:id/refunds': async (scene) => ({
    ...(await delivered(scene, await scene.person())),
    body: { items: undefined, amount: 1, includeShipping: false, reason: 'The parcel came late.' },
  }),
  'GET /admin/payment-refunds/:id': owed,
  'POST /admin/payment-refunds/:id/settle': owed,
};
