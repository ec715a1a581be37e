import { randomUUID } from 'node:crypto';
import type { Auth } from '../../../../api/http/handler-context';
import { make } from '../../../support/builders/make';
import type { Buyer } from '../../../support/builders/make/people';
import { signIn } from '../../../support/builders/sign-in';
import type { World } from '../../../support/worlds/world';
import { startStuckWorld, type StuckWorld } from '../../admin/operations/stuck-refund';

/** A signed-in user with an address and goods in the cart. */
export interface Person {
  user: Buyer;
  token: string;
}

type RoleName = 'USER' | 'ADMIN' | 'SUPER_ADMIN';

/** The platform on which every endpoint is called. */
export interface FamilyWorld {
  world: World;
  stuck: StuckWorld;
  methodId: string;
  productId: string;
  couponCode: string;
  /** A new user, so that no request touches another's data. */
  person: (role?: RoleName) => Promise<Person>;
  post: (path: string, body: object, as: Person) => Promise<Record<string, unknown>>;
  orderOf: (person: Person, paymentMethod?: 'BALANCE' | 'BANK_TRANSFER' | 'CARD') => Promise<PlacedOrder>;
}

interface PlacedOrder {
  orderId: string;
  payment: { amount: number };
}

const ROLES: Record<RoleName, RoleName[]> = {
  USER: ['USER'],
  ADMIN: ['USER', 'ADMIN'],
  SUPER_ADMIN: ['USER', 'ADMIN', 'SUPER_ADMIN'],
};

/** The least role that an endpoint requires; null for none. */
export const roleFor = (auth: Auth): RoleName | null =>
  (({ public: null, optional: 'USER', user: 'USER', admin: 'ADMIN', 'super-admin': 'SUPER_ADMIN' }) as const)[
    auth
  ];

/** The goods that every person has in the cart, and what an order of them takes. */
type Goods = Pick<FamilyWorld, 'methodId' | 'productId' | 'couponCode'>;

async function makeGoods({ db }: World): Promise<Goods> {
  const methodId = await make.shippingMethod(db);
  const { id: productId } = await make.product(db, { stock: 100_000 });
  const { code: couponCode } = await make.coupon(db, { usageLimit: null, perUserLimit: null });
  return { methodId, productId, couponCode };
}

/** Starts the platform; `goodsIn` fills the shop. */
export async function startFamilyWorld(goodsIn = makeGoods): Promise<FamilyWorld> {
  const stuck = await startStuckWorld();
  const { world } = stuck;
  const goods = await goodsIn(world);
  const { methodId, productId } = goods;

  const person: FamilyWorld['person'] = async (role = 'USER') => {
    const user = await make.buyer(world.db, {
      roles: ROLES[role],
      kycLevel: 'STANDARD',
    });
    await make.cart(world.db, user.id, [{ productId }]);
    return { user, token: await signIn(world, user) };
  };
  const post: FamilyWorld['post'] = async (path, body, as) => {
    const { status, body: answer } = await world.http
      .post(`/api/v1${path}`)
      .auth(as.token, { type: 'bearer' })
      .send(body);
    if (status >= 300) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  return {
    world,
    stuck,
    ...goods,
    person,
    post,
    async orderOf(as, paymentMethod = 'BANK_TRANSFER') {
      const body = { shippingAddressId: as.user.addressId, shippingMethodId: methodId, paymentMethod };
      const { orderId, payment } = await post('/cart/checkout', body, as);
      return { orderId: String(orderId), payment: payment as PlacedOrder['payment'] };
    },
  };
}

/** Values for the parameters of a path; a random id where none is given. */
export const filled = (path: string, params: Readonly<Record<string, string>> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? randomUUID()));
