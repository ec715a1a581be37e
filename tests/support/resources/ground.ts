import { v7 } from 'uuid';
import { execute } from '../../../db/sql/query';
import { make } from '../builders/make';
import type { Buyer } from '../builders/make/people';
import { signIn } from '../builders/sign-in';
import type { World } from '../worlds/world';

/** A signed-in user with an address and goods in the cart. */
export interface Person {
  user: Buyer;
  token: string;
}

export type RoleName = 'USER' | 'ADMIN' | 'SUPER_ADMIN';

interface PlacedOrder {
  orderId: string;
  payment: { amount: number };
}

/** The goods that every person has in the cart, and what an order of them takes. */
export interface Goods {
  methodId: string;
  productId: string;
  couponCode: string;
}

/** A platform on which resources are made, by requests where only these leave them as users do. */
export interface Ground extends Goods {
  world: World;
  /** A new user, so that no request touches another's data. */
  person: (role?: RoleName) => Promise<Person>;
  post: (path: string, body: object, as: Person) => Promise<Record<string, unknown>>;
  orderOf: (person: Person, paymentMethod?: 'BALANCE' | 'BANK_TRANSFER' | 'CARD') => Promise<PlacedOrder>;
  /** The id of a parked process. */
  parked: () => Promise<string>;
  /** The id of a refund that a person has to send, and its amount where a settlement has to state it. */
  owedRefund: () => Promise<{ id: string; amount?: number }>;
}

const ROLES: Record<RoleName, RoleName[]> = {
  USER: ['USER'],
  ADMIN: ['USER', 'ADMIN'],
  SUPER_ADMIN: ['USER', 'ADMIN', 'SUPER_ADMIN'],
};

export async function makeGoods({ db }: World): Promise<Goods> {
  const methodId = await make.shippingMethod(db);
  // The zone that the document's example of a method names, as the demo data have it.
  await execute(
    db,
    `WITH zone AS (INSERT INTO shipping_zones (id, name) VALUES ($1, 'European Union') RETURNING id)
     INSERT INTO shipping_zone_countries (zone_id, country) SELECT id, 'MT' FROM zone`,
    [v7()],
  );
  const { id: productId } = await make.product(db, { stock: 100_000 });
  const { code: couponCode } = await make.coupon(db, { usageLimit: null, perUserLimit: null });
  return { methodId, productId, couponCode };
}

/** The requests of people in this world, whose shop has these goods. */
export function peopleOf(
  world: World,
  { methodId, productId }: Goods,
): Pick<Ground, 'person' | 'post' | 'orderOf'> {
  const post: Ground['post'] = async (path, body, as) => {
    const { status, body: answer } = await world.http
      .post(`/api/v1${path}`)
      .auth(as.token, { type: 'bearer' })
      .send(body);
    if (status >= 300) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  const ordered = new Set<string>();
  return {
    post,
    async person(role = 'USER') {
      const user = await make.buyer(world.db, { roles: ROLES[role], kycLevel: 'STANDARD' });
      await make.cart(world.db, user.id, [{ productId }]);
      return { user, token: await signIn(world, user) };
    },
    async orderOf(as, paymentMethod = 'BANK_TRANSFER') {
      if (ordered.has(as.user.id)) await post('/cart/items', { productId, quantity: 1 }, as);
      ordered.add(as.user.id);
      const body = { shippingAddressId: as.user.addressId, shippingMethodId: methodId, paymentMethod };
      const { orderId, payment } = await post('/cart/checkout', body, as);
      return { orderId: String(orderId), payment: payment as PlacedOrder['payment'] };
    },
  };
}
