import { z } from 'zod';
import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { shopper, type Shopper } from '../../support/builders/shop';
import { startWorld, type World } from '../../support/worlds/world';

let world: World;
let ada: Shopper;
let orderIds: string[];
beforeAll(async () => {
  world = await startWorld();
  const product = await make.product(world.db);
  ada = await shopper(world, [{ productId: product.id }]);
  orderIds = [];
  for (let n = 0; n < 3; n++) {
    if (n > 0) await ada.post('/cart/items', { productId: product.id, quantity: 1 });
    const { orderId } = await ada.order();
    orderIds.unshift(orderId);
    await execute(world.db, `UPDATE orders SET created_at = $2 WHERE id = $1`, [
      orderId,
      `2026-03-0${n + 1}T12:00:00Z`,
    ]);
  }
});
afterAll(() => world.teardown());

const Summary = z.strictObject({
  id: z.uuid(),
  orderNumber: z.string(),
  status: z.string(),
  paymentStatus: z.string(),
  itemCount: z.number().int(),
  total: z.number(),
  currency: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
const ids = (body: { data: { orders: { id: string }[] } }): string[] =>
  body.data.orders.map((order) => order.id);

describe('GET /orders', () => {
  it('lists own orders, newest first, in pages', async () => {
    const all = await ada.get('/orders');
    expect(all.status).toBe(200);
    expect(z.array(Summary).parse(all.body.data.orders)).toHaveLength(3);
    expect(ids(all.body)).toEqual(orderIds);
    expect(all.body.meta.pagination).toEqual({
      total: 3,
      page: 1,
      pageSize: 20,
      totalPages: 1,
      hasNext: false,
      hasPrevious: false,
    });
    const second = await ada.get('/orders?pageSize=2&page=2');
    expect(ids(second.body)).toEqual(orderIds.slice(2));
  });

  it('filters by status and by date', async () => {
    expect(ids((await ada.get('/orders?status=PENDING_PAYMENT')).body)).toHaveLength(3);
    expect(ids((await ada.get('/orders?status=SHIPPED')).body)).toEqual([]);
    const march2 = await ada.get('/orders?dateFrom=2026-03-02&dateTo=2026-03-02T23:59:59Z');
    expect(ids(march2.body)).toEqual([orderIds[1]]);
  });

  it.each(['status=LOST', 'page=0', 'pageSize=51', 'dateFrom=yesterday'])('refuses %s', async (query) => {
    const answer = await ada.get(`/orders?${query}`);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(Object.keys(answer.body.error.details)).toEqual([query.split('=')[0]]);
  });

  it("shows only the caller's orders, and nothing without a token", async () => {
    const bob = await shopper(world, []);
    expect(ids((await bob.get('/orders')).body)).toEqual([]);
    expect((await world.http.get('/api/v1/orders')).body.error.code).toBe('UNAUTHORIZED');
  });
});
