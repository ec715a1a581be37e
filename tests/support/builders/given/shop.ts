import { firstRow } from '../../../../db/sql/query';
import { eventually } from '../../checks/eventually';
import type { World } from '../../worlds/world';
import { moves } from '../delivering';
import type { OrderSteps } from '../given';
import { make } from '../make';
import { orderRow, press } from '../sandbox';
import { shopper, type PlacedOrder, type Shopper } from '../shop';
import { signIn } from '../sign-in';

/** The parts of a world in which orders are made. */
export type ShopPlace = Pick<World, 'db' | 'http' | 'processes'>;

type Checkout = NonNullable<Parameters<Shopper['order']>[0]>;

/** Fields of the checkout that differ from the usual ones, and who orders what. */
export interface ShopOptions extends Checkout {
  /** By default one unit of a new product. */
  goods?: Parameters<typeof shopper>[1];
  buyer?: Parameters<typeof shopper>[2];
}

/** A placed order and its buyer. */
export interface ShopOrder extends PlacedOrder {
  ada: Shopper;
}

export async function orderInShop(world: ShopPlace, options: ShopOptions): Promise<ShopOrder> {
  const { goods, buyer = { walletMinor: 100_000 }, ...checkout } = options;
  const ada = await shopper(world, goods ?? [{ productId: (await make.product(world.db)).id }], buyer);
  return { ada, ...(await ada.order(checkout)) };
}

/** Requests of the buyer, of the bank and of administrators; each waits for the order's process. */
export const shopSteps = (world: ShopPlace): OrderSteps<ShopOrder> => ({
  async paid({ orderId, payment }) {
    if (payment.paymentUrl) await press(world, payment.paymentUrl, 'pay');
    if (payment.method === 'BANK_TRANSFER') await confirmTransfer(world, orderId, payment.amount);
    await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('PROCESSING'));
  },
  async shipped({ orderId }) {
    await moves(world, orderId, 'SHIPPED');
  },
  async delivered({ orderId }) {
    await moves(world, orderId, 'DELIVERED');
  },
  async cancelled({ ada, orderId }) {
    await accepted(ada.post(`/orders/${orderId}/cancel`, { reason: 'Changed my mind' }));
    const refund = await firstRow<{ id: string }>(
      world.db,
      'SELECT id FROM payment_refunds WHERE order_id = $1',
      [orderId],
    );
    return { refundId: refund!.id };
  },
  async refundRequested({ ada, orderId }) {
    const body = await accepted(ada.post(`/orders/${orderId}/refund`, { reason: 'It does not fit.' }));
    return { refundRequestId: body.data.refundRequestId };
  },
});

/** Enters a bank transfer of the whole price. */
async function confirmTransfer(world: ShopPlace, orderId: string, amount: number): Promise<void> {
  const token = await signIn(world, await make.admin(world.db));
  const path = `/api/v1/admin/orders/${orderId}/payment`;
  const transfer = { amount, transactionId: `IN-${orderId}` };
  await accepted(world.http.post(path).auth(token, { type: 'bearer' }).send(transfer).then());
}

async function accepted(request: ReturnType<Shopper['post']>) {
  const { status, body } = await request;
  if (status >= 300) throw new Error(`It was refused: ${status} ${JSON.stringify(body)}`);
  return body;
}
