import { setTimeout as pause } from 'node:timers/promises';
import { deliver, returnGoods } from './after-sale';
import { provesIdentity } from './identity';
import { invests } from './investing';
import { joins } from './partners';
import type { Client } from '../requests/client';
import type { Random } from '../random';
import type { Buyer, Shop } from './shop';
import { topsUp } from './wallets';

/** The weight of each journey. A fault that requires certain ones raises their weights. */
export const usualJourneys = {
  pays: 30,
  declinedThenPays: 10,
  paysLate: 8,
  paysTwice: 10,
  cancelsUnpaid: 8,
  paysThenCancels: 12,
  isDelivered: 6,
  returnsGoods: 14,
  cancelsWhilePaying: 6,
  paysFromBalance: 10,
  sendsTransfer: 6,
  walksAway: 6,
  provesIdentity: 14,
  invests: 24,
  joins: 14,
  topsUp: 14,
};

export type Journeys = Record<keyof typeof usualJourneys, number>;
type Button = 'pay' | 'decline' | 'pay-late' | 'pay-twice';
type Method = 'CARD' | 'EWALLET' | 'BANK_TRANSFER' | 'BALANCE';

interface Actors {
  client: Client;
  /** Somebody else, whose identity is not verified. */
  newcomer: Client;
  /** An administrator, who moves orders, decides on refunds and reviews identities. */
  staff: Client;
  buyer: Buyer;
  shop: Shop;
  random: Random;
  /** The port that providers send their reports to. */
  port: () => number;
}

/** A buyer's way through the shop: cart, checkout, and what a randomly chosen journey does after it. */
export async function runJourney(actors: Actors, journeys: Journeys): Promise<void> {
  const { client, random } = actors;
  const journey = random.weighted(journeys);
  await pause(random.int(0, 2_500));
  if (journey === 'provesIdentity') return provesIdentity(actors);
  if (journey === 'invests') return invests(actors);
  if (journey === 'joins') return joins(actors);
  if (journey === 'topsUp') return topsUp(actors);
  await client.send({ operation: 'clear', method: 'DELETE', path: '/api/v1/cart' });
  for (let lines = random.int(1, 2); lines > 0; lines--) await addGoods(actors);
  const method: Method =
    journey === 'paysFromBalance'
      ? 'BALANCE'
      : journey === 'sendsTransfer'
        ? 'BANK_TRANSFER'
        : random.pick(['CARD', 'CARD', 'EWALLET']);
  const order = await checkOut(actors, method);
  if (order) await afterwards(actors, journey, order);
  await client.send({ operation: 'read', method: 'GET', path: '/api/v1/orders' });
}

async function addGoods({ client, shop, random }: Actors): Promise<void> {
  const productId = random.chance(0.3) ? shop.scarce : random.pick(shop.goods);
  const body = { productId, quantity: random.int(1, 2) };
  const path = '/api/v1/cart/items';
  await client.send({ operation: 'add', method: 'POST', path, body, goods: body, keyed: true });
}

interface Order {
  id: string;
  paymentUrl: string | null;
}

async function checkOut(
  { client, buyer, shop, random }: Actors,
  paymentMethod: Method,
): Promise<Order | null> {
  const entry = await client.send({
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
  if (entry.outcome !== 'ok' || entry.orderId === null) return null;
  return { id: entry.orderId, paymentUrl: paymentUrlIn(entry.answer?.body.data) };
}

function paymentUrlIn(data: Record<string, unknown> | undefined): string | null {
  const payment = data?.['payment'];
  if (typeof payment !== 'object' || payment === null || !('paymentUrl' in payment)) return null;
  return typeof payment.paymentUrl === 'string' ? payment.paymentUrl : null;
}

async function afterwards(actors: Actors, journey: keyof Journeys, order: Order): Promise<void> {
  switch (journey) {
    case 'pays':
      return press(actors, order, 'pay');
    case 'declinedThenPays':
      await press(actors, order, 'decline');
      return press(actors, await payAgain(actors, order), 'pay');
    case 'paysLate':
      return press(actors, order, 'pay-late');
    case 'paysTwice':
      return press(actors, order, 'pay-twice');
    case 'cancelsUnpaid':
      return cancel(actors, order);
    case 'paysThenCancels':
      await press(actors, order, 'pay');
      await pause(actors.random.int(0, 1_500));
      return cancel(actors, order);
    case 'isDelivered':
    case 'returnsGoods':
      await press(actors, order, 'pay');
      if ((await deliver(actors, order.id)) && journey === 'returnsGoods')
        await returnGoods(actors, order.id);
      return;
    case 'cancelsWhilePaying':
      await Promise.all([press(actors, order, 'pay'), cancel(actors, order)]);
      return;
    case 'paysFromBalance':
    case 'sendsTransfer':
      if (actors.random.chance(0.4)) await cancel(actors, order);
      return;
    case 'walksAway':
    case 'provesIdentity':
    case 'invests':
    case 'joins':
    case 'topsUp':
      return;
  }
}

async function press({ client }: Actors, { id, paymentUrl }: Order, button: Button): Promise<void> {
  if (paymentUrl === null) return;
  const { pathname, search } = new URL(paymentUrl);
  await client.send({
    operation: 'press',
    method: 'POST',
    path: `${pathname}/${button}${search}`,
    orderId: id,
  });
}

async function payAgain({ client }: Actors, { id }: Order): Promise<Order> {
  const path = `/api/v1/orders/${id}/pay`;
  const body = { paymentMethod: 'CARD' };
  const entry = await client.send({ operation: 'pay', method: 'POST', path, body, keyed: true, orderId: id });
  return { id, paymentUrl: paymentUrlIn(entry.answer?.body.data) };
}

async function cancel({ client }: Actors, { id }: Order): Promise<void> {
  const path = `/api/v1/orders/${id}/cancel`;
  const body = { reason: 'I changed my mind.' };
  await client.send({ operation: 'cancel', method: 'POST', path, body, keyed: true, orderId: id });
}
