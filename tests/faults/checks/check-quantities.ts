import { rows, type Db } from '../../../db/sql/query';
import type { ClientLog, Entry } from '../requests/client-log';

interface Bounds {
  least: number;
  most: number;
}

/**
 * Compares the items of orders with what their buyers put into the cart: a confirmed addition is there once, a refused
 * one is not, and an unanswered one at most once.
 */
export async function untrueQuantities(db: Db, log: ClientLog): Promise<string[]> {
  const expected = expectedQuantities(log.entries);
  const found = await rows<{ orderId: string; productId: string; quantity: number }>(
    db,
    `SELECT order_id, product_id, sum(quantity)::int AS quantity
     FROM order_items WHERE order_id = ANY ($1::uuid[]) GROUP BY order_id, product_id`,
    [[...expected.keys()]],
  );
  return found.flatMap(({ orderId, productId, quantity }) => {
    const { least, most } = expected.get(orderId)?.get(productId) ?? { least: 0, most: 0 };
    return quantity >= least && quantity <= most
      ? []
      : [`order ${orderId} has ${quantity} of ${productId}; its buyer put in ${least} to ${most}`];
  });
}

/** By order and product. A cart that may not have been emptied before proves nothing, so its order is left out. */
function expectedQuantities(entries: readonly Entry[]): Map<string, Map<string, Bounds>> {
  const orders = new Map<string, Map<string, Bounds>>();
  const carts = new Map<string, Map<string, Bounds> | null>();
  for (const { operation, userId, outcome, orderId, goods } of entries) {
    const cart = carts.get(userId);
    if (operation === 'clear') carts.set(userId, outcome === 'ok' ? new Map() : null);
    else if (operation === 'add' && goods && cart && outcome !== 'fail') {
      const { least, most } = cart.get(goods.productId) ?? { least: 0, most: 0 };
      const sure = outcome === 'ok' ? goods.quantity : 0;
      cart.set(goods.productId, { least: least + sure, most: most + goods.quantity });
    } else if (operation === 'checkout') {
      if (cart && orderId !== null && outcome === 'ok') orders.set(orderId, cart);
      carts.set(userId, null);
    }
  }
  return orders;
}
