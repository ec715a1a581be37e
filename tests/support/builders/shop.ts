import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { make } from './make';
import type { Buyer } from './make/people';
import { signIn } from './sign-in';
import type { World } from '../worlds/world';

/** What shopping needs of a world. */
export type ShopWorld = Pick<World, 'db' | 'http'>;

/** What a buyer may send to checkout beside the usual. */
type CheckoutWishes = Partial<{
  shippingAddressId: string;
  billingAddressId: string;
  shippingMethodId: string;
  paymentMethod: 'CARD' | 'BANK_TRANSFER' | 'EWALLET' | 'BALANCE';
  couponCodes: string[];
  notes: string;
  usePartnerBalance: boolean;
}>;

/** A signed-in buyer with goods in the cart, one request away from an order. */
export interface Shopper {
  buyer: Buyer;
  token: string;
  methodId: string;
  checkout: (wishes?: CheckoutWishes, key?: string) => Promise<Response>;
  get: (path: string) => Promise<Response>;
  post: (path: string, body: object, key?: string) => Promise<Response>;
  /** Checks out and answers the placed order; fails the test when it was refused. */
  order: (wishes?: CheckoutWishes) => Promise<PlacedOrder>;
}

export interface PlacedOrder {
  orderId: string;
  orderNumber: string;
  payment: { method: string; amount: number; paymentUrl?: string; expiresAt: string };
  summary: { subtotal: number; discount: number; shipping: number; tax: number; total: number };
}

const methods = new WeakMap<ShopWorld, Promise<string>>();

/** One shipping method serves all shoppers of a world. */
function methodOf(world: ShopWorld): Promise<string> {
  const known = methods.get(world) ?? make.shippingMethod(world.db);
  methods.set(world, known);
  return known;
}

/** Puts goods into somebody's cart and signs them in. */
export async function shopper(
  world: ShopWorld,
  goods: { productId: string; variantId?: string; quantity?: number }[],
  wishes: Parameters<typeof make.buyer>[1] = {},
): Promise<Shopper> {
  const buyer = await make.buyer(world.db, wishes);
  await make.cart(world.db, buyer.id, goods);
  const methodId = await methodOf(world);
  const token = await signIn(world, buyer);
  const post = async (path: string, body: object, key: string = randomUUID()): Promise<Response> =>
    world.http
      .post(`/api/v1${path}`)
      .set('authorization', `Bearer ${token}`)
      .set('idempotency-key', key)
      .send(body);
  const checkout = (asked: CheckoutWishes = {}, key?: string): Promise<Response> =>
    post(
      '/cart/checkout',
      { shippingAddressId: buyer.addressId, shippingMethodId: methodId, paymentMethod: 'CARD', ...asked },
      key,
    );
  return {
    buyer,
    token,
    methodId,
    checkout,
    post,
    get: async (path) => world.http.get(`/api/v1${path}`).set('authorization', `Bearer ${token}`),
    async order(asked) {
      const answer = await checkout(asked);
      if (answer.status !== 201) throw new Error(`Checkout answered ${answer.status}: ${answer.text}`);
      return answer.body.data as PlacedOrder;
    },
  };
}
