import { firstRow } from '../../../db/sql/query';
import { shopper, type Shopper } from '../../support/builders/shop';
import type { World } from '../../support/worlds/world';

/** The buyer of an order says what it is like, and somebody finds that helpful. */
export async function reviewed(
  world: World,
  { ada, orderId }: { ada: Shopper; orderId: string },
): Promise<void> {
  const item = await firstRow<{ productId: string }>(
    world.db,
    'SELECT product_id FROM order_items WHERE order_id = $1',
    [orderId],
  );
  const path = `/products/${item!.productId}/reviews`;
  const written = await ada.post(path, { rating: 4, content: 'It does what it should.' });
  expect([written.status, written.body.data?.status]).toEqual([201, 'PUBLISHED']);
  const bob = await shopper(world, []);
  const voted = await bob.post(`${path}/${written.body.data.id}/helpful`, {});
  expect([voted.status, voted.body.data?.helpfulCount]).toEqual([200, 1]);
}
