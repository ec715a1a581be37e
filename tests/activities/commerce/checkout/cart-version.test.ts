import { v7 } from 'uuid';
import { addCoupon } from '../../../../api/cart/coupons/add.command';
import { removeCoupon } from '../../../../api/cart/coupons/remove.command';
import { addItem } from '../../../../api/cart/items/add.command';
import { changeQuantity } from '../../../../api/cart/items/change.command';
import { removeItem } from '../../../../api/cart/items/remove.command';
import { pricedCart } from '../../../../api/cart/priced-cart';
import { showUserCart } from '../../../../api/cart/show.command';
import { cartToOrder } from '../../../../db/commerce/cart/cart-to-order.reads';
import { execute, firstRow } from '../../../../db/sql/query';
import type { OrderRequest } from '../../../../activities/commerce/checkout/order-draft';
import { given } from '../../../support/builders/given';
import type { OrderToPlace } from '../../../support/builders/given/steps';
import { make } from '../../../support/builders/make';
import { NOTHING_HELD, orderState, orderSteps } from '../../../support/builders/ordering';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();
const policy = { cartDays: 90, cartLines: 100 };

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

/** A cart with a product of 25 USD, twice, and a coupon, and the request that the API makes of it. */
async function accepted() {
  const { db } = own;
  const order = await given(db).cart({ discountBp: 0, method: 'BALANCE', walletMinor: 100_000 });
  const coupon = await make.coupon(db, { percentageBp: 1_000 });
  await addCoupon(db, order.userId, coupon.code, policy);
  const [line] = (await pricedCart(db, order.userId, policy))?.lines ?? [];
  if (!line) throw new Error('The cart has no line.');
  return { ...order, coupon, line, request: await request(order) };
}
type Accepted = Awaited<ReturnType<typeof accepted>>;

/** A request for the cart as it is now. */
async function request(order: OrderToPlace): Promise<OrderRequest> {
  const orderId = v7();
  const { version } = await cartToOrder(own.db, { orderId, userId: order.userId, cartDays: 90 });
  const ids = { orderId, userId: order.userId, attemptId: v7() };
  return { ...order.input, ...ids, cartVersion: version!, at: new Date().toISOString() };
}

/** One more product in the cart; answers its line. */
async function added(userId: string): Promise<string> {
  const { id: productId } = await make.product(own.db, { priceMinor: 1_000, stock: 5 });
  return (await addItem(own.db, userId, { productId, variantId: null, added: 1 }, policy)).itemId;
}

const setPrice = (productId: string, priceMinor: number) =>
  execute(own.db, 'UPDATE products SET price_minor = $2 WHERE id = $1', [productId, priceMinor]);

describe('an order of a cart that has changed since the API accepted the request is refused', () => {
  const changes: [string, (cart: Accepted) => Promise<unknown>][] = [
    ['other goods were added', ({ userId }) => added(userId)],
    [
      'the same goods were added',
      ({ userId, line }) =>
        addItem(own.db, userId, { productId: line.product.id, variantId: null, added: 1 }, policy),
    ],
    [
      'a quantity was changed',
      ({ userId, line }) => changeQuantity(own.db, userId, { itemId: line.itemId, quantity: 1 }, policy),
    ],
    [
      'goods were replaced by others',
      async ({ userId, line }) => {
        await added(userId);
        await removeItem(own.db, userId, line.itemId, policy);
      },
    ],
    [
      'a new price was shown',
      async ({ userId, line }) => {
        await setPrice(line.product.id, 2_600);
        await showUserCart(own.db, userId, policy);
      },
    ],
    [
      'a coupon was added',
      async ({ userId }) => addCoupon(own.db, userId, (await make.coupon(own.db)).code, policy),
    ],
    ['a coupon was removed', ({ userId, coupon }) => removeCoupon(own.db, userId, coupon.code, policy)],
    [
      'another discount was shown',
      async ({ userId, coupon }) => {
        await execute(own.db, 'UPDATE coupons SET percentage_bp = 500 WHERE id = $1', [coupon.id]);
        await showUserCart(own.db, userId, policy);
      },
    ],
  ];

  test.each(changes)('%s', async (_what, change) => {
    const cart = await accepted();
    await change(cart);
    const before = await pricedCart(own.db, cart.userId, policy);

    await expect(orderSteps(own.db).placeOrder(cart.request)).rejects.toMatchObject({
      type: 'PRICE_CHANGED',
      details: [{ items: before?.lines.map(({ product }) => product.sku) }],
    });

    expect(await orderState(own.db, { ...cart, orderId: cart.request.orderId })).toMatchObject({
      order: null,
      walletMinor: 100_000,
      ...NOTHING_HELD,
    });
    expect(await pricedCart(own.db, cart.userId, policy)).toEqual(before);
    const again = await orderSteps(own.db).placeOrder(await request(cart));
    expect(again.standing.status).toBe('PAID');
  });

  test('another order took the goods, and the buyer has put the same ones into the cart again', async () => {
    const cart = await accepted();
    await orderSteps(own.db).placeOrder(await request(cart));
    await expect(orderSteps(own.db).placeOrder(cart.request)).rejects.toMatchObject({ type: 'CART_EMPTY' });
    const goods = { productId: cart.line.product.id, variantId: null, added: 2 };
    await addItem(own.db, cart.userId, goods, policy);
    await addCoupon(own.db, cart.userId, cart.coupon.code, policy);
    await expect(orderSteps(own.db).placeOrder(cart.request)).rejects.toMatchObject({
      type: 'PRICE_CHANGED',
    });
  });
});

describe('an order of the same cart is placed', () => {
  test('after the buyer only looked at it', async () => {
    const cart = await accepted();
    await showUserCart(own.db, cart.userId, policy);
    expect((await orderSteps(own.db).placeOrder(cart.request)).standing.status).toBe('PAID');
  });

  test('once: repeated with the cart empty or filled again, the step answers the same', async () => {
    const cart = await accepted();
    const placed = await orderSteps(own.db).placeOrder(cart.request);
    expect(await orderSteps(own.db).placeOrder(cart.request)).toEqual(placed);
    await added(cart.userId);
    expect(await orderSteps(own.db).placeOrder(cart.request)).toEqual(placed);
    expect((await pricedCart(own.db, cart.userId, policy))?.lines).toHaveLength(1);
  });
});

describe('the number of an order', () => {
  const ask = ({ userId }: { userId: string }, orderId: string) =>
    cartToOrder(own.db, { orderId, userId, cartDays: 90 });
  const lastDrawn = async (): Promise<string> =>
    (await firstRow<{ last: string }>(own.db, 'SELECT last_value::text AS last FROM order_numbers'))!.last;
  const numberOf = async (request: OrderRequest & { orderNumber?: string }): Promise<string> =>
    (await orderSteps(own.db).placeOrder(request)).orderNumber;

  test('is not drawn for an empty cart, nor for an order that is placed, which keeps its own', async () => {
    const cart = await accepted();
    const drawn = await ask(cart, cart.request.orderId);
    expect(await numberOf({ ...cart.request, orderNumber: drawn.orderNumber! })).toBe(drawn.orderNumber);

    const before = await lastDrawn();
    expect(await ask(cart, v7())).toEqual({ version: null, isPlaced: false, orderNumber: null });
    await added(cart.userId);
    expect(await ask(cart, cart.request.orderId)).toMatchObject({
      isPlaced: true,
      orderNumber: drawn.orderNumber,
    });
    expect(await lastDrawn()).toBe(before);
  });

  test('that another order has, as after the database was restored, is replaced by a new one', async () => {
    const [one, other] = [await accepted(), await accepted()];
    const orderNumber = await numberOf(one.request);
    const next = await numberOf({ ...other.request, orderNumber });
    expect(next).toMatch(/^ORD-\d{4}-\d{8}$/);
    expect(next).not.toBe(orderNumber);
    expect(await numberOf({ ...other.request, orderNumber })).toBe(next);
  });
});
