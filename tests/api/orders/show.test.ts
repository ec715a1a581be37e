import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { make } from '../../support/builders/make';
import { shopper } from '../../support/builders/shop';
import { startWorld, type World } from '../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.teardown());

const place = {
  street: z.string(),
  city: z.string(),
  region: z.string(),
  country: z.string(),
  postalCode: z.string(),
};
const Detail = z.strictObject({
  id: z.uuid(),
  orderNumber: z.string(),
  status: z.literal('PENDING_PAYMENT'),
  paymentStatus: z.literal('PENDING'),
  items: z.array(
    z.strictObject({
      id: z.uuid(),
      product: z.strictObject({
        id: z.uuid(),
        name: z.string(),
        sku: z.string(),
        thumbnailUrl: z.string().nullable(),
      }),
      variantId: z.uuid().nullable(),
      variantAttributes: z.record(z.string(), z.string()).nullable(),
      quantity: z.number(),
      unitPrice: z.number(),
      totalPrice: z.number(),
    }),
  ),
  pricing: z.strictObject({
    subtotal: z.number(),
    discount: z.number(),
    shipping: z.number(),
    tax: z.number(),
    total: z.number(),
    currency: z.string(),
  }),
  shippingAddress: z.strictObject({ recipientName: z.string(), ...place, phone: z.string().nullable() }),
  billingAddress: z.strictObject(place).nullable(),
  shippingMethod: z.strictObject({
    name: z.string(),
    carrier: z.string().nullable(),
    estimatedDelivery: z.iso.date().nullable(),
  }),
  payment: z.strictObject({
    method: z.literal('CARD'),
    transactionId: z.null(),
    paidAt: z.null(),
  }),
  appliedCoupons: z.array(z.strictObject({ code: z.string(), discount: z.number() })),
  notes: z.string().nullable(),
  statusHistory: z.array(
    z.strictObject({ status: z.string(), changedAt: z.iso.datetime(), note: z.string().nullable() }),
  ),
  canCancel: z.literal(true),
  canRefund: z.literal(false),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

describe('GET /orders/:id', () => {
  it('shows the whole order, as it was ordered', async () => {
    const mug = await make.product(world.db, { name: 'Mug', priceMinor: 1_250 });
    const shirt = await make.product(world.db, { name: 'Shirt', stock: null });
    const red = await make.variant(world.db, shirt.id, {
      name: 'Red',
      priceMinor: 2_000,
      attributes: { colour: 'red' },
    });
    const ada = await shopper(world, [
      { productId: mug.id, quantity: 2 },
      { productId: shirt.id, variantId: red.id },
    ]);
    const billingAddressId = await make.address(world.db, ada.buyer.id, { city: 'Hamburg' });
    const { orderId } = await ada.order({ billingAddressId });

    const answer = await ada.get(`/orders/${orderId}`);

    expect(answer.status).toBe(200);
    const order = Detail.parse(answer.body.data);
    expect(
      order.items.map((item) => [item.product.name, item.quantity, item.unitPrice, item.totalPrice]),
    ).toEqual([
      ['Mug', 2, 12.5, 25],
      ['Shirt, Red', 1, 20, 20],
    ]);
    expect(order.items[1]).toMatchObject({ variantId: red.id, variantAttributes: { colour: 'red' } });
    expect(order.billingAddress?.city).toBe('Hamburg');
    expect(order.pricing).toMatchObject({ subtotal: 45, shipping: 5, total: 50, currency: 'USD' });
    expect(order.statusHistory).toHaveLength(1);
    expect(answer.headers['cache-control']).toContain('no-store');
  });

  it("refuses another's order like one that is none, and a malformed id", async () => {
    const mug = await make.product(world.db);
    const ada = await shopper(world, [{ productId: mug.id }]);
    const { orderId } = await ada.order();
    const bob = await shopper(world, []);
    const foreign = await bob.get(`/orders/${orderId}`);
    expect([foreign.status, foreign.body.error.code]).toEqual([404, 'ORDER_NOT_FOUND']);
    expect((await bob.get(`/orders/${randomUUID()}`)).body).toEqual(foreign.body);
    expect((await bob.get('/orders/nope')).body.error.code).toBe('VALIDATION_ERROR');
    expect((await world.http.get(`/api/v1/orders/${orderId}`)).body.error.code).toBe('UNAUTHORIZED');
  });
});
