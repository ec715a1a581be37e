import { randomUUID } from 'node:crypto';
import { firstRow } from '../../../../db/sql/query';
import { moves } from '../../../support/builders/delivering';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { utcDayAgo } from '../../../support/builders/make/reconciliations';
import { orderRow } from '../../../support/builders/sandbox';
import type { Arrange } from './arranged';

/** An order that was paid from the balance and delivered. */
const delivered: Arrange = async (family, as) => {
  await make.money(family.world.db, as.user.id, 1_000_000);
  const { orderId } = await family.orderOf(as, 'BALANCE');
  await eventually(async () => expect((await orderRow(family.world, orderId)).status).toBe('PROCESSING'));
  await moves(family.world, orderId, 'SHIPPED', 'DELIVERED');
  return { params: { id: orderId }, body: { itemIds: undefined, items: undefined } };
};

/** Another user's refund request. */
const requestedRefund: Arrange = async (family) => {
  const buyer = await family.person();
  const { params } = await delivered(family, buyer);
  const requested = await family.post(
    `/orders/${params?.['id']}/refund`,
    { reason: 'It does not fit.' },
    buyer,
  );
  return { params: { id: String(requested['refundRequestId']) } };
};

/** A refund that failed and that an operator abandoned. */
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

/** An open difference with a payment provider. */
const difference: Arrange = async ({ world }) => ({ params: { id: (await make.difference(world.db)).id } });

/** Endpoints about refunds, and about what payment providers say of them. */
export const refundArrangements: Readonly<Record<string, Arrange>> = {
  'POST /orders/:id/refund': delivered,
  'GET /admin/refunds/:id': requestedRefund,
  'POST /admin/refunds/:id/approve': requestedRefund,
  'POST /admin/refunds/:id/reject': requestedRefund,
  'POST /admin/orders/:id/refunds': async (family) => ({
    ...(await delivered(family, await family.person())),
    body: { items: undefined, amount: 1, includeShipping: false, reason: 'The parcel came late.' },
  }),
  'POST /admin/reconciliation/runs': () => ({ body: { provider: 'sandbox', day: utcDayAgo(3) } }),
  'POST /admin/reconciliation/differences/:id/resolve': difference,
  'GET /admin/payment-refunds/:id': owed,
  'POST /admin/payment-refunds/:id/settle': owed,
};
