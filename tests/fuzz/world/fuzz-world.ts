import type { Endpoint } from '../../../api/http/endpoint';
import { v7 } from 'uuid';
import { execute, rows, type Db } from '../../../db/sql/query';
import { moves } from '../../support/builders/delivering';
import { eventually } from '../../support/checks/eventually';
import { invested, PRINCIPAL_MINOR } from '../../support/builders/investing/invested';
import { make } from '../../support/builders/make';
import { orderRow } from '../../support/builders/sandbox';
import { shopper } from '../../support/builders/shop';
import { signIn } from '../../support/builders/sign-in';
import { begunVerification, NEEDED } from '../../support/builders/kyc/verifying';
import { stripeSecrets } from '../../support/fakes/stripe-events';
import { documentIn, submittedCase, verificationIn } from '../../api/admin/kyc/cases';
import { startWorld, type World } from '../../support/worlds/world';
import { programmeIn } from './fuzz-programme';
import { reportsIn } from './fuzz-reports';
import { strategiesIn } from './fuzz-strategies';
import { payoutsIn } from './fuzz-payouts';
import { topUpsIn } from './fuzz-top-ups';
import { bankFilesIn } from './fuzz-bank-files';
import { withdrawalsIn } from './fuzz-withdrawals';

/** Existing ids, codes and amounts by kind, so that fuzzing gets past NOT_FOUND. */
export type Dictionaries = Readonly<Record<string, readonly (string | number)[]>>;

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

/** The number of things of each kind that requests may remove. */
const SPARE = 4;

/** The buyer's sessions without the first, which the calls use. */
async function spareSessionsOf(db: Db, userId: string): Promise<string[]> {
  const sessions = await rows<{ id: string }>(
    db,
    'SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at, id OFFSET 1',
    [userId],
  );
  return sessions.map(({ id }) => id);
}

/** Products for administrators to change and delete, each with a variant and a picture. */
async function spareGoods(db: Db): Promise<Dictionaries> {
  const spareProducts: string[] = [];
  const spareVariants: string[] = [];
  const spareImages: string[] = [];
  for (let i = 0; i < SPARE; i++) {
    const { id } = await make.product(db);
    spareProducts.push(id);
    spareVariants.push((await make.variant(db, id)).id);
    spareImages.push(await make.image(db, id));
  }
  return { spareProducts, spareVariants, spareImages };
}

const RETURNED_AMOUNT = 0.5;

/** A transfer of another amount than its order's: a refund that an operator has to send. */
async function transferToReturn({ db, http }: World, token: string, orderId: string): Promise<string> {
  const transfer = { amount: RETURNED_AMOUNT, transactionId: 'FUZZ-1', onMismatch: 'RETURN' };
  const path = `/api/v1/admin/orders/${orderId}/payment`;
  const { status } = await http.post(path).auth(token, { type: 'bearer' }).send(transfer);
  expect(status).toBe(200);
  const refunds = await rows<{ id: string }>(db, 'SELECT id FROM payment_refunds WHERE order_id = $1', [
    orderId,
  ]);
  return refunds[0]!.id;
}

/** Verifications to review, and one that was rejected for good; the documents are of the first. */
async function verificationsIn(world: World): Promise<Dictionaries> {
  const final = await verificationIn(world, { status: 'REJECTED', canResubmit: false });
  const cases = await Promise.all(Array.from({ length: SPARE }, () => submittedCase(world)));
  const document = await documentIn(world, final, { type: 'NATIONAL_ID' });
  return {
    verifications: [...cases, final].map(({ id }) => id),
    documents: [...Object.values(cases[0]!.documents), document],
  };
}

/** Starts the platform and fills it: goods of each kind, a cart, orders before and after payment, a coupon. */
export async function startFuzzWorld(): Promise<FuzzWorld> {
  const world = await startWorld({ variables: { ...LONGEST_TOKEN, ...STRIPE } });
  const { db } = world;
  const category = await make.category(db);
  const product = await make.product(db, { categoryId: category.id, tags: ['new'], stock: 100_000 });
  const uncounted = await make.product(db, { stock: null });
  const soldOut = await make.product(db, { stock: 0 });
  const variant = await make.variant(db, product.id, { stock: 100_000 });
  const coupon = await make.coupon(db, { usageLimit: null, perUserLimit: null });

  const goods = [{ productId: product.id, quantity: 2 }];
  const { buyer, token, methodId, order, post } = await shopper(world, goods, { walletMinor: 1_000_000 });
  const orders = [await order()];
  for (const paymentMethod of ['BANK_TRANSFER', 'BALANCE', 'BALANCE'] as const) {
    await post('/cart/items', goods[0]!);
    orders.push(await order({ paymentMethod }));
  }
  const { orderId: left } = orders.at(-1)!;
  await eventually(async () => expect((await orderRow(world, left)).status).toBe('PROCESSING'));
  await moves(world, left, 'SHIPPED');
  const called = await post(`/orders/${left}/refund`, { reason: 'It does not fit.' });
  const item = await post('/cart/items', goods[0]!);
  const guest = await make.user(db);
  const { documentIds } = await begunVerification(db, { user: buyer, documents: NEEDED.ENHANCED });
  const spareAddresses = await Promise.all(
    Array.from({ length: SPARE }, () => make.address(db, buyer.id, { city: 'Spare' })),
  );
  await Promise.all(Array.from({ length: SPARE }, () => signIn(world, buyer)));
  const spareCategories = await Promise.all(Array.from({ length: SPARE }, () => make.category(db)));
  const spareCoupons = await Promise.all(Array.from({ length: SPARE }, () => make.coupon(db)));
  const spareShippingMethods = await Promise.all(
    Array.from({ length: SPARE }, () => make.shippingMethod(db)),
  );
  // The zone that the document's example of a method names, as the demo data have it.
  await execute(db, `INSERT INTO shipping_zones (id, name) VALUES ($1, 'European Union')`, [v7()]);
  const people = await Promise.all(Array.from({ length: SPARE }, () => make.user(db)));
  const reviews = await Promise.all(
    people.map(({ id }) => make.review(db, { userId: id, productId: product.id })),
  );
  const adminToken = await signIn(world, await make.admin(db));
  const investments = await Promise.all(
    Array.from({ length: SPARE }, () => invested(db, { method: 'BANK_TRANSFER' })),
  );

  return {
    world,
    roles: {
      anonymous: { name: 'anonymous', token: null, leaverToken: null },
      buyer: { name: 'buyer', token, leaverToken: await signIn(world, await make.user(db)) },
      admin: { name: 'admin', token: adminToken, leaverToken: await signIn(world, await make.admin(db)) },
    },
    dictionaries: {
      products: [product.id, uncounted.id, soldOut.id],
      ...(await spareGoods(db)),
      ...(await verificationsIn(world)),
      ...(await strategiesIn(db, SPARE)),
      variants: [variant.id],
      categories: [category.id],
      spareCategories: spareCategories.map(({ id }) => id),
      orders: orders.map(({ orderId }) => orderId),
      shippedOrders: [left],
      participations: investments.map(({ id }) => id),
      amounts: [...orders.map(({ payment }) => payment.amount), PRINCIPAL_MINOR / 100],
      cartItems: [item.body.data.cartItemId],
      addresses: [buyer.addressId],
      shippingMethods: [methodId],
      spareShippingMethods,
      coupons: [coupon.code],
      spareCoupons: spareCoupons.map(({ id }) => id),
      spareAddresses,
      // Without these it can still be submitted.
      kycDocuments: [documentIds.ADDRESS_PROOF!, documentIds.INCOME_PROOF!],
      spareSessions: await spareSessionsOf(db, buyer.id),
      people: people.map(({ id }) => id),
      reviews: reviews.map(({ id }) => id),
      ...(await withdrawalsIn(db, buyer.id, SPARE)),
      ...{ ...(await payoutsIn(db, buyer.id, SPARE)), ...(await bankFilesIn(db, SPARE)) },
      ...{ ...(await programmeIn(db, buyer.id, SPARE)), ...(await topUpsIn(db, buyer.id, SPARE)) },
      refunds: [called.body.data.refundRequestId],
      paymentRefunds: [await transferToReturn(world, adminToken, orders[1]!.orderId)],
      returnedAmounts: [RETURNED_AMOUNT],
      sentCodes: ['123456'],
      providers: ['sandbox', 'stripe'],
      ...(await reportsIn(db)),
      countries: ['DE'],
      phones: ['+4930901820', '+14155552671'],
      emails: [guest.email],
      passwords: [guest.password],
    },
  };
}
