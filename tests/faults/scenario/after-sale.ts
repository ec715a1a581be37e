import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../requests/client';
import type { Random } from '../random';

/** The time limit for the begin of fulfilment, which waits behind all other recoveries. */
const PICKED_UP_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 400;

/** A paid order, its buyer, and the administrator who decides. */
interface Sale {
  client: Client;
  staff: Client;
  random: Random;
}

/** An administrator moves the order to SHIPPED and DELIVERED; false if its fulfilment never began. */
export async function deliver(sale: Sale, orderId: string): Promise<boolean> {
  if (!(await isPickedUp(sale, orderId))) return false;
  await move(sale, orderId, { status: 'SHIPPED', trackingNumber: `FAULT-${orderId.slice(-12)}` });
  await move(sale, orderId, { status: 'DELIVERED' });
  return true;
}

/** The buyer requests a refund of one unit or of all, and administrators decide, sometimes two at once. */
export async function returnGoods(sale: Sale, orderId: string): Promise<void> {
  const { client, staff, random } = sale;
  const path = `/api/v1/orders/${orderId}/refund`;
  const items = random.chance(0.5) ? await firstUnit(sale, orderId) : null;
  const body = { reason: 'It does not fit.', ...(items && { items }) };
  const requested = await client.send({
    operation: 'requestRefund',
    method: 'POST',
    path,
    body,
    keyed: true,
    orderId,
  });
  const refundId = requested.answer?.body.data?.['refundRequestId'];
  if (typeof refundId !== 'string') return;
  const decide = (decision: 'approve' | 'reject'): Promise<unknown> =>
    staff.send({
      operation: decision === 'approve' ? 'approveRefund' : 'rejectRefund',
      method: 'POST',
      path: `/api/v1/admin/refunds/${refundId}/${decision}`,
      body: decision === 'approve' ? { restock: random.chance(0.5) } : { reason: 'It was worn.' },
      keyed: true,
      orderId,
    });
  if (random.chance(0.2)) await decide('reject');
  else if (random.chance(0.4)) await Promise.all([decide('approve'), decide('approve'), decide('reject')]);
  else await decide('approve');
}

async function isPickedUp({ client }: Sale, orderId: string): Promise<boolean> {
  const deadline = Date.now() + PICKED_UP_WITHIN_MS;
  while (Date.now() < deadline) {
    const { answer } = await client.send({
      operation: 'read',
      method: 'GET',
      path: `/api/v1/orders/${orderId}`,
      orderId,
    });
    const status = answer?.body.data?.['status'];
    if (status === 'PROCESSING') return true;
    if (status === 'CANCELLED') return false;
    await pause(LOOK_AGAIN_MS);
  }
  return false;
}

async function move(
  { staff }: Sale,
  orderId: string,
  body: { status: string; trackingNumber?: string },
): Promise<void> {
  const path = `/api/v1/admin/orders/${orderId}`;
  await staff.send({
    operation: 'move',
    method: 'PATCH',
    path,
    body: { ...body, notifyCustomer: true },
    orderId,
  });
}

/** One unit of the order's first line. */
async function firstUnit(
  { client }: Sale,
  orderId: string,
): Promise<{ itemId: string; quantity: number }[] | null> {
  const { answer } = await client.send({
    operation: 'read',
    method: 'GET',
    path: `/api/v1/orders/${orderId}`,
    orderId,
  });
  const lines = answer?.body.data?.['items'];
  const first: unknown = Array.isArray(lines) ? lines[0] : null;
  if (typeof first !== 'object' || first === null || !('id' in first) || typeof first.id !== 'string')
    return null;
  return [{ itemId: first.id, quantity: 1 }];
}
