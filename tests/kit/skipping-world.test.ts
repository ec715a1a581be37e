import { v7 } from 'uuid';
import { cartToOrder } from '../../db/commerce/cart/cart-to-order.reads';
import { firstRow } from '../../db/sql/query';
import { checkoutProcess, placeOrder } from '../../workflows/commerce/checkout/checkout.contract';
import { PROVIDER_QUEUES } from '../../workers/queues';
import { make } from '../support/builders/make';
import { ownSkippingWorld } from '../support/worlds/skipping-world';

const world = ownSkippingWorld({ queues: ['interactive', ...PROVIDER_QUEUES] });

test('half an hour is skipped: an unpaid order is cancelled and its stock is released', async () => {
  const { db, processes, temporal } = world;
  const product = await make.product(db, { stock: 5 });
  const shippingMethodId = await make.shippingMethod(db);
  const buyer = await make.buyer(db);
  await make.cart(db, buyer.id, [{ productId: product.id, quantity: 2 }]);
  const order = { orderId: v7(), userId: buyer.id };
  const stock = () =>
    firstRow(db, 'SELECT available, reserved FROM stock_items WHERE id = $1', [product.stockItemId]);

  const { version } = await cartToOrder(world.db, { ...order, cartDays: 90 });
  const command = {
    attemptId: v7(),
    shippingAddressId: buyer.addressId,
    billingAddressId: null,
    shippingMethodId,
    paymentMethod: 'CARD' as const,
    couponCodes: [],
    usePartnerBalance: false,
    noteId: null,
    cartVersion: version,
  };
  const placed = await processes.open(checkoutProcess, order, placeOrder, command, {
    updateId: v7(),
  });
  expect(placed.standing.status).toBe('PENDING_PAYMENT');
  expect(await stock()).toEqual({ available: 3, reserved: 2 });

  const begun = await world.now();
  expect(await temporal.workflow.getHandle(checkoutProcess.id(order)).result()).toBe('CANCELLED');
  expect(+(await world.now()) - +begun).toBeGreaterThanOrEqual(29 * 60_000);
  expect(await stock()).toEqual({ available: 5, reserved: 0 });
});
