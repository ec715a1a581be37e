import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { paymentWebhooks } from '../../../activities/providers/payments/webhooks';
import type { Endpoint } from '../../../api/http/endpoint';
import { park } from '../../../db/administration/operations/parking.writes';
import { firstRow } from '../../../db/sql/query';
import { checkoutProcess } from '../../../workflows/commerce/checkout/checkout.contract';
import { begunVerification, NEEDED } from '../../support/builders/kyc/verifying';
import { CARD } from '../../support/builders/investing/withdrawing';
import { make } from '../../support/builders/make';
import { utcDayAgo } from '../../support/builders/make/reconciliations';
import { saveDetails } from '../../support/builders/paying-out/payees';
import { signIn } from '../../support/builders/sign-in';
import { stripeSecrets } from '../../support/fakes/stripe-events';
import { makeGoods, peopleOf, type Ground, type Person } from '../../support/resources/ground';
import { earningPartnerOf } from '../../support/resources/partners';
import { startWorld, type World } from '../../support/worlds/world';
import { SENT_CODE } from '../bindings';
import { existingIn, type Dictionaries } from './dictionaries';

export type RoleName = 'anonymous' | 'buyer' | 'admin';

/** The role of a run of Schemathesis; its tokens are null for anonymous calls. */
export interface Role {
  name: RoleName;
  token: string | null;
  /** Another user's, for logging out and deleting the account, which ends the user's sessions. */
  leaverToken: string | null;
}

/** True for logging out and for deleting one's account: they end the caller's sessions. */
export const isLeaving = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): boolean =>
  path === '/auth/logout' || (method === 'delete' && path === '/users/me');

/** The parts of a server that Schemathesis uses. */
export interface Fuzzable {
  world: Pick<World, 'url'>;
  dictionaries: Dictionaries;
}

/** A platform with a filled shop, and users to call it as. */
export interface FuzzWorld extends Fuzzable {
  world: World;
  roles: Readonly<Record<RoleName, Role>>;
}

/** Long enough for the long set. */
const LONGEST_TOKEN = { ACCESS_TOKEN_SECONDS: '3600' };
/** Enables Stripe's webhook; the sandbox still takes the payments. */
const STRIPE = { STRIPE_WEBHOOK_SECRETS: stripeSecrets.join(',') };

const RETURNED_AMOUNT = 0.5;

/** A transfer of another amount than its order's: a refund that an operator has to send. */
async function transferToReturn(
  { world, post, orderOf }: Pick<Ground, 'world' | 'post' | 'orderOf'>,
  buyer: Person,
  admin: Person,
): Promise<{ id: string; amount: number }> {
  const { orderId } = await orderOf(buyer);
  const transfer = { amount: RETURNED_AMOUNT, transactionId: randomUUID(), onMismatch: 'RETURN' };
  await post(`/admin/orders/${orderId}/payment`, transfer, admin);
  const refund = await firstRow<{ id: string }>(
    world.db,
    'SELECT id FROM payment_refunds WHERE order_id = $1',
    [orderId],
  );
  return { id: refund!.id, amount: RETURNED_AMOUNT };
}

/** A row of the operators' list; there is no process behind it. */
async function parkedIn({ db }: World): Promise<string> {
  const orderId = v7();
  const workflowId = checkoutProcess.id({ orderId });
  await park(db, {
    ...{ workflowId, type: checkoutProcess.type, entityId: orderId, runId: v7() },
    ...{ reason: 'Could not read the state of the order.', lastError: 'x', since: new Date().toISOString() },
  });
  return workflowId;
}

/** Somebody for whom much is possible: with money, a membership, payout details and a verification that can be submitted. */
async function equipped({ world: { db }, person }: Ground): Promise<Person> {
  const buyer = await person();
  const { user } = buyer;
  await make.money(db, user.id, 1_000_000);
  await earningPartnerOf(db, user.id);
  await saveDetails(db, user.id, CARD);
  await begunVerification(db, { user, documents: NEEDED.ENHANCED });
  return buyer;
}

/** Lets the buyer order these products, which they may then review; gives the item that is in the cart afterwards. */
async function bought(
  { post, orderOf, productId: other }: Ground,
  buyer: Person,
  productIds: readonly (string | number)[],
): Promise<string> {
  for (const productId of productIds) await post('/cart/items', { productId, quantity: 1 }, buyer);
  await orderOf(buyer, 'BALANCE');
  const item = await post('/cart/items', { productId: other, quantity: 1 }, buyer);
  return String(item['cartItemId']);
}

/** Starts the platform and fills it with some of everything that a request can name. */
export async function startFuzzWorld(): Promise<FuzzWorld> {
  const world = await startWorld({ variables: { ...LONGEST_TOKEN, ...STRIPE } });
  const { db } = world;
  const goods = await makeGoods(world);
  const people = peopleOf(world, goods);
  const admin = await people.person('ADMIN');
  const ground: Ground = {
    ...{ world, ...goods, ...people },
    parked: () => parkedIn(world),
    owedRefund: async () => transferToReturn({ world, ...people }, await people.person(), admin),
  };
  const buyer = await equipped(ground);
  const existing = await existingIn(ground, { buyer, admin });
  const inCart = await bought(ground, buyer, existing['own_product'] ?? []);
  const others = [await make.product(db, { stock: null }), await make.product(db, { stock: 0 })];
  const guest = await make.user(db);
  const leaver = async (): Promise<string> => signIn(world, await make.user(db));

  return {
    world,
    roles: {
      anonymous: { name: 'anonymous', token: null, leaverToken: null },
      buyer: { name: 'buyer', token: buyer.token, leaverToken: await leaver() },
      admin: { name: 'admin', token: admin.token, leaverToken: await signIn(world, await make.admin(db)) },
    },
    dictionaries: {
      ...existing,
      own_cart_item: [inCart],
      own_product_named: [...(existing['own_product_named'] ?? []), ...others.map(({ id }) => id)],
      amounts: [25, 1_000],
      countries: ['DE'],
      emails: [guest.email],
      levels: ['ENHANCED'],
      months: [new Date().toISOString().slice(0, 7)],
      passwords: [guest.password],
      phones: ['+4930901820', '+14155552671'],
      providers: paymentWebhooks.map(({ code }) => code),
      sentCodes: [SENT_CODE],
      utcDays: [2, 3, 4].map(utcDayAgo),
    },
  };
}
