import { setTimeout as pause } from 'node:timers/promises';
import { deliver, giveBack } from './after-sale';
import type { Client } from '../asking/client';
import type { Random } from '../random';
import type { Buyer, Shop } from './shop';

/** How likely each story is. A fault that needs certain ones raises their numbers. */
export const usualStories = {
  pays: 30,
  declinedThenPays: 10,
  paysLate: 8,
  paysTwice: 10,
  cancelsUnpaid: 8,
  paysThenCancels: 12,
  isDelivered: 6,
  givesBack: 14,
  cancelsWhilePaying: 6,
  paysFromBalance: 10,
  sendsTransfer: 6,
  walksAway: 6,
};

export type Stories = Record<keyof typeof usualStories, number>;
type Button = 'pay' | 'decline' | 'pay-late' | 'pay-twice';
type Method = 'CARD' | 'EWALLET' | 'BANK_TRANSFER' | 'BALANCE';

interface Scene {
  client: Client;
  /** Who moves orders and decides on refunds. */
  staff: Client;
  buyer: Buyer;
  shop: Shop;
  random: Random;
}

/** A buyer's way through the shop: into the cart, to the checkout, and whatever became of the payment. */
export async function liveStory(scene: Scene, stories: Stories): Promise<void> {
  const { client, random } = scene;
  const story = random.weighted(stories);
  await pause(random.int(0, 2_500));
  await client.ask({ operation: 'clear', method: 'DELETE', path: '/api/v1/cart' });
  for (let lines = random.int(1, 2); lines > 0; lines--) await addGoods(scene);
  const method: Method =
    story === 'paysFromBalance'
      ? 'BALANCE'
      : story === 'sendsTransfer'
        ? 'BANK_TRANSFER'
        : random.pick(['CARD', 'CARD', 'EWALLET']);
  const order = await checkOut(scene, method);
  if (order) await afterwards(scene, story, order);
  await client.ask({ operation: 'read', method: 'GET', path: '/api/v1/orders' });
}

async function addGoods({ client, shop, random }: Scene): Promise<void> {
  const productId = random.chance(0.3) ? shop.scarce : random.pick(shop.goods);
  const body = { productId, quantity: random.int(1, 2) };
  const path = '/api/v1/cart/items';
  await client.ask({ operation: 'add', method: 'POST', path, body, goods: body, keyed: true });
}

interface Order {
  id: string;
  paymentUrl: string | null;
}

async function checkOut(
  { client, buyer, shop, random }: Scene,
  paymentMethod: Method,
): Promise<Order | null> {
  const asked = await client.ask({
    operation: 'checkout',
    method: 'POST',
    path: '/api/v1/cart/checkout',
    keyed: true,
    body: {
      shippingAddressId: buyer.addressId,
      shippingMethodId: shop.methodId,
      paymentMethod,
      ...(random.chance(0.25) && { couponCodes: [shop.couponCode] }),
      ...(random.chance(0.2) && { notes: 'Please ring twice.' }),
    },
  });
  if (asked.outcome !== 'ok' || asked.orderId === null) return null;
  return { id: asked.orderId, paymentUrl: paymentUrlIn(asked.answer?.body.data) };
}

function paymentUrlIn(data: Record<string, unknown> | undefined): string | null {
  const payment = data?.['payment'];
  if (typeof payment !== 'object' || payment === null || !('paymentUrl' in payment)) return null;
  return typeof payment.paymentUrl === 'string' ? payment.paymentUrl : null;
}

async function afterwards(scene: Scene, story: keyof Stories, order: Order): Promise<void> {
  switch (story) {
    case 'pays':
      return press(scene, order, 'pay');
    case 'declinedThenPays':
      await press(scene, order, 'decline');
      return press(scene, await payAgain(scene, order), 'pay');
    case 'paysLate':
      return press(scene, order, 'pay-late');
    case 'paysTwice':
      return press(scene, order, 'pay-twice');
    case 'cancelsUnpaid':
      return cancel(scene, order);
    case 'paysThenCancels':
      await press(scene, order, 'pay');
      await pause(scene.random.int(0, 1_500));
      return cancel(scene, order);
    case 'isDelivered':
    case 'givesBack':
      await press(scene, order, 'pay');
      if ((await deliver(scene, order.id)) && story === 'givesBack') await giveBack(scene, order.id);
      return;
    case 'cancelsWhilePaying':
      await Promise.all([press(scene, order, 'pay'), cancel(scene, order)]);
      return;
    case 'paysFromBalance':
    case 'sendsTransfer':
      if (scene.random.chance(0.4)) await cancel(scene, order);
      return;
    case 'walksAway':
      return;
  }
}

async function press({ client }: Scene, { id, paymentUrl }: Order, button: Button): Promise<void> {
  if (paymentUrl === null) return;
  const { pathname, search } = new URL(paymentUrl);
  await client.ask({
    operation: 'press',
    method: 'POST',
    path: `${pathname}/${button}${search}`,
    orderId: id,
  });
}

async function payAgain({ client }: Scene, { id }: Order): Promise<Order> {
  const path = `/api/v1/orders/${id}/pay`;
  const body = { paymentMethod: 'CARD' };
  const asked = await client.ask({ operation: 'pay', method: 'POST', path, body, keyed: true, orderId: id });
  return { id, paymentUrl: paymentUrlIn(asked.answer?.body.data) };
}

async function cancel({ client }: Scene, { id }: Order): Promise<void> {
  const path = `/api/v1/orders/${id}/cancel`;
  const body = { reason: 'I changed my mind.' };
  await client.ask({ operation: 'cancel', method: 'POST', path, body, keyed: true, orderId: id });
}
