import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Test } from 'supertest';
import { v7 } from 'uuid';
import type { Endpoint } from '../../../api/http/endpoint';
import { firstRow } from '../../../db/sql';
import { ordinaryRequest } from '../../fuzz/ordinary-request';
import { eventually } from '../../support/eventually';
import { make } from '../../support/make';
import { registered } from '../../support/registering';
import { forgotten } from '../../support/resetting';
import { signIn } from '../../support/sign-in';
import { testVariables } from '../../support/variables';
import { picture } from '../users/pictures';
import { nameOf, type Person, type Scene } from './scene';

/** What makes a request to an endpoint succeed. What is left out is as the document's example has it. */
export interface Arranged {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Sends something else than JSON. */
  sending?: (request: Test) => Test;
}

type Arrange = (scene: Scene, as: Person) => Promise<Arranged> | Arranged;

let phones = 0;
const somePhone = (): string => `+49309018${String(1000 + phones++)}`;
let addresses = 0;
const someEmail = (): string => `family${addresses++}@example.com`;

const order: Arrange = async (scene, as) => ({ params: { id: (await scene.orderOf(as)).orderId } });
const cartItem: Arrange = async (scene, as) => {
  const item = await firstRow<{ id: string }>(
    scene.world.db,
    'SELECT i.id FROM cart_items i JOIN carts c ON c.id = i.cart_id WHERE c.user_id = $1',
    [as.user.id],
  );
  return { params: { id: item!.id } };
};
const address: Arrange = async (scene, as) => ({
  params: { id: await make.address(scene.world.db, as.user.id) },
});
const target =
  (status: 'ACTIVE' | 'SUSPENDED' | 'BANNED'): Arrange =>
  async ({ world }) => ({ params: { id: (await make.user(world.db, { status })).id } });
const parked: Arrange = async ({ stuck }) => ({
  params: { workflowId: (await stuck.stuckRefund()).workflowId },
});
const session: Arrange = async ({ world }, as) => {
  await signIn(world, as.user);
  const newest = await firstRow<{ id: string }>(
    world.db,
    'SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1',
    [as.user.id],
  );
  return { params: { id: newest!.id } };
};
const refreshToken: Arrange = async ({ world }, { user }) => {
  const { body } = await world.http
    .post('/api/v1/auth/login')
    .send({ email: user.email, password: user.password });
  return { body: { refreshToken: body.data.refreshToken } };
};
const newPassword = 'Umbrella-9-tango-Walrus';
const mailedCode = (scene: Scene, recipient: string): Promise<string> =>
  eventually(async () => {
    const mail = await firstRow<{ code: string | null }>(
      scene.world.db,
      `SELECT payload ->> 'code' AS code FROM outbox_messages WHERE recipient = $1 AND payload ->> 'code' IS NOT NULL
        ORDER BY created_at DESC LIMIT 1`,
      [recipient],
    );
    return mail!.code!;
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
  'POST /auth/register': () => ({
    body: { email: someEmail(), phone: somePhone(), referralCode: undefined },
  }),
  'POST /auth/verify-email': async ({ world }) => ({ body: { token: (await registered(world)).token } }),
  'POST /auth/resend-verification': async ({ world }) => ({
    body: { email: (await registered(world)).email },
  }),
  'POST /auth/forgot-password': (_, { user }) => ({ body: { email: user.email } }),
  'POST /auth/reset-password': async ({ world }, { user }) => ({
    body: { token: await forgotten(world, user.email), password: newPassword, confirmPassword: newPassword },
  }),
  'POST /auth/login': (_, { user: { email, password } }) => ({ body: { email, password } }),
  'POST /auth/logout': refreshToken,
  'POST /auth/refresh': refreshToken,
  'DELETE /auth/sessions/:id': session,
  'POST /auth/2fa/setup': () => ({ body: { method: 'EMAIL' } }),
  'POST /auth/2fa/verify': async (scene, as) => {
    await scene.ask('/auth/2fa/setup', { method: 'EMAIL' }, as);
    return { body: { code: await mailedCode(scene, as.user.email) } };
  },
  'POST /auth/2fa/disable': async (scene, as) => {
    await scene.ask('/auth/2fa/setup', { method: 'EMAIL' }, as);
    const code = await mailedCode(scene, as.user.email);
    const { backupCodes } = await scene.ask('/auth/2fa/verify', { code }, as);
    return { body: { password: as.user.password, code: (backupCodes as string[])[0] } };
  },
  'DELETE /users/me': (_, { user }) => ({ body: { password: user.password } }),
  'POST /users/me/avatar': async () => {
    const file = await picture('png');
    return { sending: (request) => request.attach('file', file, 'me.png') };
  },
  'POST /users/me/password': (_, { user }) => ({
    body: { currentPassword: user.password, password: newPassword, confirmPassword: newPassword },
  }),
  'POST /users/me/phone': () => ({ body: { phone: somePhone() } }),
  'POST /users/me/phone/verify': async (scene, as) => {
    const phone = somePhone();
    await scene.ask('/users/me/phone', { phone }, as);
    return { body: { code: await mailedCode(scene, phone) } };
  },
  'PATCH /users/me/addresses/:id': address,
  'DELETE /users/me/addresses/:id': address,
  'POST /payments/webhooks/:provider': report,
  'GET /products/:id': ({ productId }) => ({ params: { id: productId } }),
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
  'GET /orders/:id': order,
  'POST /orders/:id/cancel': order,
  'POST /orders/:id/pay': order,
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
  'POST /admin/orders/:id/payment': async (scene) => {
    const { orderId, payment } = await scene.orderOf(await scene.person());
    return { params: { id: orderId }, body: { amount: payment.amount, transactionId: randomUUID() } };
  },
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
