import { firstRow } from '../../../db/sql/query';
import type { World } from '../worlds/world';

export type SandboxButton = 'pay' | 'decline' | 'pay-late' | 'pay-twice';

/** Presses a button of the sandbox's payment page, as its form does. */
export async function press(
  world: Pick<World, 'http'>,
  paymentUrl: string,
  button: SandboxButton,
): Promise<void> {
  const url = new URL(paymentUrl);
  const { status, text } = await world.http.post(`${url.pathname}/${button}${url.search}`);
  if (status !== 303) throw new Error(`The sandbox answered ${status} to ${button}: ${text}`);
}

/** The stored statuses of an order. Throws if there is no such order. */
export async function orderRow(
  world: Pick<World, 'db'>,
  orderId: string,
): Promise<{ status: string; paymentStatus: string }> {
  const order = await firstRow<{ status: string; paymentStatus: string }>(
    world.db,
    `SELECT status, payment_status FROM orders WHERE id = $1`,
    [orderId],
  );
  if (!order) throw new Error(`There is no order ${orderId}.`);
  return order;
}
