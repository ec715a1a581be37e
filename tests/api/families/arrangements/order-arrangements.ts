import { randomUUID } from 'node:crypto';
import { moves } from '../../../support/builders/delivering';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { orderRow } from '../../../support/builders/sandbox';
import type { Arrange } from './arranged';

const order: Arrange = async (family, as) => ({ params: { id: (await family.orderOf(as)).orderId } });

/** An order that was paid from the balance and shipped. */
const shipped: Arrange = async (family, as) => {
  await make.money(family.world.db, as.user.id, 1_000_000);
  const { orderId } = await family.orderOf(as, 'BALANCE');
  await eventually(async () => expect((await orderRow(family.world, orderId)).status).toBe('PROCESSING'));
  await moves(family.world, orderId, 'SHIPPED');
  return { params: { id: orderId } };
};

/** Endpoints about orders. */
export const orderArrangements: Readonly<Record<string, Arrange>> = {
  'GET /orders/:id': order,
  'GET /orders/:id/tracking': shipped,
  'POST /orders/:id/cancel': order,
  'POST /orders/:id/pay': order,
  'GET /admin/orders/:id': async (family) => order(family, await family.person()),
  'PATCH /admin/orders/:id': async (family) => ({
    ...(await order(family, await family.person())),
    body: { status: 'CANCELLED', trackingNumber: undefined, trackingUrl: undefined },
  }),
  'POST /admin/orders/:id/payment': async (family) => {
    const { orderId, payment } = await family.orderOf(await family.person());
    return { params: { id: orderId }, body: { amount: payment.amount, transactionId: randomUUID() } };
  },
  'POST /admin/orders/:id/tracking-events': async (family) => ({
    ...(await shipped(family, await family.person())),
    body: { timestamp: undefined },
  }),
};
