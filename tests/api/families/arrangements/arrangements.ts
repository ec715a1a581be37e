import { Webhook } from 'standardwebhooks';
import { v7 } from 'uuid';
import type { Endpoint } from '../../../../api/http/endpoint';
import { firstRow } from '../../../../db/sql/query';
import { ordinaryRequest } from '../../../fuzz/nasty/ordinary-request';
import { make } from '../../../support/builders/make';
import { testVariables } from '../../../support/worlds/variables';
import { accountArrangements, someEmail, somePhone } from './account-arrangements';
import type { Arrange, Arranged } from './arranged';
import { goodsArrangements } from './goods-arrangements';
import { orderArrangements } from './order-arrangements';
import { refundArrangements } from './refund-arrangements';
import { reviewArrangements } from './review-arrangements';
import { nameOf, type Person, type Scene } from './scene';
import { sellingArrangements } from './selling-arrangements';

const category: Arrange = async ({ world }) => ({ params: { id: (await make.category(world.db)).id } });
const cartItem: Arrange = async (scene, as) => {
  const item = await firstRow<{ id: string }>(
    scene.world.db,
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
const parked: Arrange = async ({ stuck }) => ({
  params: { workflowId: (await stuck.stuckRefund()).workflowId },
});
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

/** Every endpoint that needs more than its own example. */
const arrangements: Readonly<Record<string, Arrange>> = {
  ...accountArrangements,
  ...reviewArrangements,
  'POST /payments/webhooks/:provider': report,
  'GET /products/:id': ({ productId }) => ({ params: { id: productId } }),
  'GET /categories/:id': category,
  'POST /cart/items': ({ productId }) => ({ body: { productId, variantId: undefined } }),
  'PATCH /cart/items/:id': cartItem,
  'DELETE /cart/items/:id': cartItem,
  'POST /cart/coupons': ({ couponCode }) => ({ body: { code: couponCode } }),
  'DELETE /cart/coupons/:code': async (scene, as) => {
    await scene.ask('/cart/coupons', { code: scene.couponCode }, as);
    return { params: { code: scene.couponCode } };
  },
  'POST /cart/checkout': ({ methodId, couponCode }, { user }) => ({
    body: {
      shippingAddressId: user.addressId,
      billingAddressId: undefined,
      shippingMethodId: methodId,
      couponCodes: [couponCode],
    },
  }),
  ...orderArrangements,
  ...refundArrangements,
  ...sellingArrangements,
  ...goodsArrangements,
  'GET /shipping/methods': () => ({ query: { country: 'DE' } }),
  'GET /admin/users/:id': target('ACTIVE'),
  'PATCH /admin/users/:id': async (scene, as) => ({
    ...(await target('ACTIVE')(scene, as)),
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
  'POST /admin/operations/:workflowId/retry': parked,
  'POST /admin/operations/:workflowId/abandon': parked,
};

/** Endpoints whose success needs what this world has not, and where it is shown instead. */
export const notArranged: Readonly<Record<string, string>> = {
  'GET /auth/external/:provider': 'needs an identity provider: tests/api/auth/external',
  'GET /auth/external/:provider/callback': 'needs an identity provider: tests/api/auth/external',
};

/** The request that makes this endpoint succeed for this person: the document's example, with what exists put in. */
export async function arrangedFor(scene: Scene, endpoint: Endpoint, as: Person): Promise<Arranged> {
  const arranged = await (arrangements[nameOf(endpoint)]?.(scene, as) ?? {});
  const { body } = ordinaryRequest(endpoint, {});
  return body === null ? arranged : { ...arranged, body: { ...body, ...arranged.body } };
}

/** All that somebody told something of. */
export const namesArranged: readonly string[] = [...Object.keys(arrangements), ...Object.keys(notArranged)];

/** Whether somebody told what this endpoint needs; each with a parameter in its path needs to be told. */
export const isArranged = (endpoint: Endpoint): boolean =>
  nameOf(endpoint) in arrangements || !endpoint.path.includes(':');
