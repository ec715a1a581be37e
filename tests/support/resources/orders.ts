import { firstRow } from '../../../db/sql/query';
import { moves } from '../builders/delivering';
import { make } from '../builders/make';
import { orderRow } from '../builders/sandbox';
import { eventually } from '../checks/eventually';
import type { Ground } from './ground';
import type { Make, Makes, Place } from './make';

/** An order that waits for a transfer: its amount pays it. */
const waiting: Make = async ({ orderOf }, { owner }) => {
  const { orderId, payment } = await orderOf(await owner());
  return { id: orderId, fields: { amount: payment.amount } };
};

/** An order that was paid from the balance and moved on. */
async function paid(
  { world, orderOf }: Ground,
  { owner }: Place,
  ...on: Parameters<typeof moves>[2][]
): Promise<string> {
  const person = await owner();
  await make.money(world.db, person.user.id, 1_000_000);
  const { orderId } = await orderOf(person, 'BALANCE');
  await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('PROCESSING'));
  if (on.length > 0) await moves(world, orderId, ...on);
  return orderId;
}

/** An order on its way, and where it can move. */
const shipped: Make = async (ground, place) => ({
  id: await paid(ground, place, 'SHIPPED'),
  fields: { status: 'DELIVERED' },
});

/** An order that was delivered; units to give back would have to be its own. */
const delivered: Make = async (ground, place) => ({
  id: await paid(ground, place, 'SHIPPED', 'DELIVERED'),
  fields: { items: undefined, itemIds: undefined },
});

/** The refund that a buyer has requested. */
const requested: Make = async (ground, place) => {
  const buyer = await place.owner();
  const orderId = await paid(ground, place, 'SHIPPED', 'DELIVERED');
  const refund = await ground.post(`/orders/${orderId}/refund`, { reason: 'It does not fit.' }, buyer);
  return String(refund['refundRequestId']);
};

const ownRow = async ({ world: { db } }: Ground, text: string, id: string): Promise<string> => {
  const found = await firstRow<{ id: string }>(db, text, [id]);
  if (!found) throw new Error(`Nothing is found by ${text}`);
  return found.id;
};

/** Carts, orders, and the money that goes back. */
export const orders = {
  cart: {
    any: async (ground, { owner }) =>
      ownRow(ground, 'SELECT id FROM carts WHERE user_id = $1', (await owner()).user.id),
  },
  'cart item': {
    any: async (ground, { owner }) => {
      const person = await owner();
      const text = 'SELECT i.id FROM cart_items i JOIN carts c ON c.id = i.cart_id WHERE c.user_id = $1';
      const known = await firstRow<{ id: string }>(ground.world.db, text, [person.user.id]);
      if (known) return known.id;
      const added = await ground.post('/cart/items', { productId: ground.productId, quantity: 1 }, person);
      return String(added['cartItemId']);
    },
  },
  order: {
    any: shipped,
    PENDING_PAYMENT: waiting,
    PROCESSING: paid,
    SHIPPED: shipped,
    DELIVERED: delivered,
  },
  'order item': {
    any: async (ground, place) => {
      const orderId = place.within.order ?? (await paid(ground, place));
      return ownRow(ground, 'SELECT id FROM order_items WHERE order_id = $1 LIMIT 1', orderId);
    },
  },
  refund: { any: requested, PENDING_REVIEW: requested },
  'payment refund': {
    any: async ({ owedRefund }) => {
      const { id, amount } = await owedRefund();
      return { id, fields: { amount } };
    },
  },
  'payment difference': { any: async ({ world: { db } }) => (await make.difference(db)).id },
} satisfies Record<string, Makes>;
