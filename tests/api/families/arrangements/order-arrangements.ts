import { randomUUID } from 'node:crypto';
import { moves } from '../../../support/builders/delivering';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { orderRow } from '../../../support/builders/sandbox';
import type { Arrange } from './arranged';

const order: Arrange = async (scene, as) => ({ params: { id: (await scene.orderOf(as)).orderId } });

/** Paid from the balance, and the parcel has left. */
const shipped: Arrange = async (scene, as) => {
  await make.money(scene.world.db, as.user.id, 1_000_000);
  const { orderId } = await scene.orderOf(as, 'BALANCE');
  await eventually(async () => expect((await orderRow(scene.world, orderId)).status).toBe('PROCESSING'));
  await moves(scene.world, orderId, 'SHIPPED');
  return { params: { id: orderId } };
};

/** What endpoints about orders need. */
export const orderArrangements: Readonly<Record<string, Arrange>> = {
  'GET /orders/:id': order,
  'GET /orders/:id/tracking': shipped,
  'POST /orders/:id/cancel': order,
  'POST /orders/:id/pay': order,
  'PATCH /admin/orders/:id': async (scene) => ({
    ...(await order(scene, await scene.person())),
    body: { status: 'CANCELLED', trackingNumber: undefined, trackingUrl: undefined },
  }),
  'POST /admin/orders/:id/payment': async (scene) => {
    const { orderId, payment } = await scene.orderOf(await scene.person());
    return { params: { id: orderId }, body: { amount: payment.amount, transactionId: randomUUID() } };
  },
  'POST /admin/orders/:id/tracking-events': async (scene) => ({
    ...(await shipped(scene, await scene.person())),
    body: { timestamp: undefined },
  }),
};
