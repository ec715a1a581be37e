import { Webhook } from 'standardwebhooks';
import { v7 } from 'uuid';
import type { Endpoint } from '../../../../api/http/endpoint';
import { firstRow } from '../../../../db/sql/query';
import { ordinaryRequest } from '../../../fuzz/nasty/ordinary-request';
import { make } from '../../../support/builders/make';
import { testVariables } from '../../../support/worlds/variables';
import { accountArrangements, someEmail, somePhone } from './account-arrangements';
import type { Arrange, Arranged } from './arranged';
import { commissionArrangements } from './partners/commission-arrangements';
import { goodsArrangements } from './goods-arrangements';
import { participationArrangements } from './investment/participation-arrangements';
import { providerArrangements } from './investment/provider-arrangements';
import { reportArrangements } from './investment/report-arrangements';
import { strategyArrangements } from './investment/strategy-arrangements';
import { membershipArrangements } from './partners/membership-arrangements';
import { operationArrangements } from './operations/operation-arrangements';
import { orderArrangements } from './order-arrangements';
import { networkArrangements } from './partners/network-arrangements';
import { payoutArrangements } from './partners/payout-arrangements';
import { poolArrangements } from './partners/pool-arrangements';
import { refundArrangements } from './refund-arrangements';
import { bankFileArrangements } from './investment/bank-file-arrangements';
import { withdrawalArrangements } from './investment/withdrawal-arrangements';
import { reviewingArrangements } from './reviewing-arrangements';
import { reviewArrangements } from './review-arrangements';
import { type Person, type FamilyWorld } from './family-world';
import { routeOf } from '../../../../api/docs/path';
import { sellingArrangements } from './selling-arrangements';
import { topUpArrangements } from './wallets/top-up-arrangements';

const category: Arrange = async ({ world }) => ({ params: { id: (await make.category(world.db)).id } });
const cartItem: Arrange = async (family, as) => {
  const item = await firstRow<{ id: string }>(
    family.world.db,
    'SELECT i.id FROM cart_items i JOIN carts c ON c.id = i.cart_id WHERE c.user_id = $1',
    [as.user.id],
  );
  return { params: { id: item!.id } };
};
const target =
  (status: 'ACTIVE' | 'SUSPENDED' | 'BANNED'): Arrange =>
  async ({ world }) => ({ params: { id: (await make.user(world.db, { status })).id } });
const withSecondFactor: Arrange = async ({ world }) => {
  const { id } = await make.user(world.db);
  await make.secondFactor(world.db, id);
  return { params: { id } };
};
const report: Arrange = () => {
  const [id, at] = [v7(), new Date()];
  const text = JSON.stringify({ type: 'payment.seen', timestamp: at.toISOString(), data: { key: v7() } });
  const signature = new Webhook(testVariables['SANDBOX_SECRET']!).sign(id, at, text);
  return {
    params: { provider: 'sandbox' },
    sending: (request) =>
      request
        .set('content-type', 'application/json')
        .set('webhook-id', id)
        .set('webhook-timestamp', String(Math.floor(at.getTime() / 1000)))
        .set('webhook-signature', signature)
        .send(text),
  };
};

/** All endpoints that require more than their own example. */
const arrangements: Readonly<Record<string, Arrange>> = {
  ...accountArrangements,
  ...reviewArrangements,
  ...withdrawalArrangements,
  ...bankFileArrangements,
  ...commissionArrangements,
  'POST /payments/webhooks/:provider': report,
  'GET /products/:id': ({ productId }) => ({ params: { id: productId } }),
  'GET /categories/:id': category,
  'POST /cart/items': ({ productId }) => ({ body: { productId, variantId: undefined } }),
  'PATCH /cart/items/:id': cartItem,
  'DELETE /cart/items/:id': cartItem,
  'POST /cart/coupons': ({ couponCode }) => ({ body: { code: couponCode } }),
  'DELETE /cart/coupons/:code': async (family, as) => {
    await family.post('/cart/coupons', { code: family.couponCode }, as);
    return { params: { code: family.couponCode } };
  },
  'POST /cart/checkout': ({ methodId, couponCode }, { user }) => ({
    body: {
      shippingAddressId: user.addressId,
      billingAddressId: undefined,
      shippingMethodId: methodId,
      couponCodes: [couponCode],
    },
  }),
  ...participationArrangements,
  ...orderArrangements,
  ...networkArrangements,
  ...poolArrangements,
  ...payoutArrangements,
  ...refundArrangements,
  ...reportArrangements,
  ...reviewingArrangements,
  ...sellingArrangements,
  ...goodsArrangements,
  ...participationArrangements,
  ...strategyArrangements,
  ...providerArrangements,
  ...membershipArrangements,
  ...topUpArrangements,
  'GET /shipping/methods': () => ({ query: { country: 'DE' } }),
  'GET /admin/users/:id': target('ACTIVE'),
  'PATCH /admin/users/:id': async (family, as) => ({
    ...(await target('ACTIVE')(family, as)),
    body: { email: someEmail(), phone: somePhone(), roles: undefined },
  }),
  'POST /admin/users/:id/suspend': target('ACTIVE'),
  'POST /admin/users/:id/activate': target('SUSPENDED'),
  'POST /admin/users/:id/ban': target('ACTIVE'),
  'POST /admin/users/:id/unban': target('BANNED'),
  'POST /admin/users/:id/reset-two-factor': withSecondFactor,
  'POST /admin/categories': () => ({ body: { slug: undefined, parentId: null } }),
  'PATCH /admin/categories/:id': category,
  'DELETE /admin/categories/:id': category,
  ...operationArrangements,
};

/** Endpoints whose success requires what this world lacks, and the test that shows it instead. */
export const notArranged: Readonly<Record<string, string>> = {
  'GET /auth/external/:provider': 'needs an identity provider: tests/api/auth/external',
  'GET /auth/external/:provider/callback': 'needs an identity provider: tests/api/auth/external',
};

/** The request with which this endpoint succeeds for this user: the document's example with existing values. */
export async function arrangedFor(family: FamilyWorld, endpoint: Endpoint, as: Person): Promise<Arranged> {
  const arranged = await (arrangements[routeOf(endpoint)]?.(family, as) ?? {});
  const { body } = ordinaryRequest(endpoint, {});
  return body === null ? arranged : { ...arranged, body: { ...body, ...arranged.body } };
}

/** The names of all arranged endpoints. */
export const namesArranged: readonly string[] = [...Object.keys(arrangements), ...Object.keys(notArranged)];

/** False for an endpoint with a parameter in its path that has no arrangement. */
export const isArranged = (endpoint: Endpoint): boolean =>
  routeOf(endpoint) in arrangements || !endpoint.path.includes(':');
