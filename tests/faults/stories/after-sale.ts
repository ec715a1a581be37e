import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../asking/client';
import type { Random } from '../random';

/** Until fulfilment has picked an order up: it waits behind everything that is being repaired. */
const PICKED_UP_WITHIN_MS = 60_000;
const LOOK_AGAIN_MS = 400;

/** A paid order, its buyer, and the administrator who decides. */
interface Sale {
  client: Client;
  staff: Client;
  random: Random;
}

/** The order leaves and arrives, as an administrator says; false when it never came so far. */
export async function deliver(sale: Sale, orderId: string): Promise<boolean> {
  if (!(await isPickedUp(sale, orderId))) return false;
  await move(sale, orderId, { status: 'SHIPPED', trackingNumber: `FAULT-${orderId.slice(-12)}` });
  await move(sale, orderId, { status: 'DELIVERED' });
  return true;
}

/** The buyer gives back one thing or all, and an administrator decides, now and then two of them at once. */
export async function giveBack(sale: Sale, orderId: string): Promise<void> {
  const { client, staff, random } = sale;
  const path = `/api/v1/orders/${orderId}/refund`;
  const items = random.chance(0.5) ? await firstPiece(sale, orderId) : null;
  const body = { reason: 'It does not fit.', ...(items && { items }) };
  const asked = await client.ask({
    operation: 'requestRefund',
    method: 'POST',
    path,
    body,
    keyed: true,
    orderId,
  });
  const refundId = asked.answer?.body.data?.['refundRequestId'];
  if (typeof refundId !== 'string') return;
  const decide = (decision: 'approve' | 'reject'): Promise<unknown> =>
    staff.ask({
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
    const { answer } = await client.ask({
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
  await staff.ask({
    operation: 'move',
    method: 'PATCH',
    path,
    body: { ...body, notifyCustomer: true },
    orderId,
  });
}

/** One piece of the order's first line. */
async function firstPiece(
  { client }: Sale,
  orderId: string,
): Promise<{ itemId: string; quantity: number }[] | null> {
  const { answer } = await client.ask({
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
