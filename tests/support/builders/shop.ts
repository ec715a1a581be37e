import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { make } from './make';
import type { Buyer } from './make/people';
import { signIn } from './sign-in';
import type { World } from '../worlds/world';

/** The parts of a world that a shopper uses. */
export type ShopWorld = Pick<World, 'db' | 'http'>;

/** Fields of a checkout that differ from the usual ones. */
type CheckoutOptions = Partial<{
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
  checkout: (options?: CheckoutOptions, key?: string) => Promise<Response>;
  get: (path: string) => Promise<Response>;
  post: (path: string, body: object, key?: string) => Promise<Response>;
  /** Checks out and answers the placed order; fails the test if it is refused. */
  order: (options?: CheckoutOptions) => Promise<PlacedOrder>;
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

/** A new buyer, signed in, with these goods in the cart. */
export async function shopper(
  world: ShopWorld,
  goods: { productId: string; variantId?: string; quantity?: number }[],
  options: Parameters<typeof make.buyer>[1] = {},
): Promise<Shopper> {
  const buyer = await make.buyer(world.db, options);
  await make.cart(world.db, buyer.id, goods);
  const methodId = await methodOf(world);
  const token = await signIn(world, buyer);
  const post = async (path: string, body: object, key: string = randomUUID()): Promise<Response> =>
    world.http
      .post(`/api/v1${path}`)
      .set('authorization', `Bearer ${token}`)
      .set('idempotency-key', key)
      .send(body);
  const checkout = (options: CheckoutOptions = {}, key?: string): Promise<Response> =>
    post(
      '/cart/checkout',
      { shippingAddressId: buyer.addressId, shippingMethodId: methodId, paymentMethod: 'CARD', ...options },
      key,
    );
  return {
    buyer,
    token,
    methodId,
    checkout,
    post,
    get: async (path) => world.http.get(`/api/v1${path}`).set('authorization', `Bearer ${token}`),
    async order(options) {
      const answer = await checkout(options);
      if (answer.status !== 201) throw new Error(`Checkout answered ${answer.status}: ${answer.text}`);
      return answer.body.data as PlacedOrder;
    },
  };
}
