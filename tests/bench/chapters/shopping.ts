import type { Client } from '../client';
import type { Buyer } from '../setting/people';

/** A buyer at one of the two servers. */
export interface Shopper {
  ask: Client;
  buyer: Buyer;
  methodId: string;
}

let requests = 0;
/** Ours takes the caller from the token, the bare one from a header. */
const headersOf = ({ token, userId }: Buyer) => ({
  authorization: `Bearer ${token}`,
  'x-buyer': userId,
  'idempotency-key': `bench-${++requests}`,
});

const dataOf = (text: string) => JSON.parse(text).data;

/** Puts one unit into the cart; answers the line's id. */
export async function putIntoCart({ ask, buyer }: Shopper, productId: string): Promise<string> {
  const body = { productId, quantity: 1 };
  const { text } = await ask({ method: 'POST', path: '/cart/items', headers: headersOf(buyer), body });
  return dataOf(text).cartItemId;
}

/** Checks the cart out; answers the order's id. */
export async function checkOut({ ask, buyer, methodId }: Shopper): Promise<string> {
  const { text } = await ask({
    method: 'POST',
    path: '/cart/checkout',
    headers: headersOf(buyer),
    body: { shippingAddressId: buyer.addressId, shippingMethodId: methodId, paymentMethod: 'CARD' },
  });
  return dataOf(text).orderId;
}

/** The seven calls of a checkout, from the empty cart to the order; answers its id. */
export async function buy(shopper: Shopper, productId: string): Promise<string> {
  const { ask, buyer } = shopper;
  const look = (path: string) => ask({ path, headers: headersOf(buyer) });
  const line = await putIntoCart(shopper, productId);
  await ask({
    method: 'PATCH',
    path: `/cart/items/${line}`,
    headers: headersOf(buyer),
    body: { quantity: 2 },
  });
  await look('/cart');
  await look('/users/me/addresses');
  await look('/shipping/methods?country=DE');
  const orderId = await checkOut(shopper);
  await look(`/orders/${orderId}`);
  return orderId;
}
