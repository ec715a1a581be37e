import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { make } from '../../../support/builders/make';
import { askAuth, newcomer, password } from '../../../support/builders/registering';
import { signIn } from '../../../support/builders/sign-in';
import { eventually } from '../../../support/checks/eventually';
import { latestToken } from '../../../support/checks/mail';
import { takeAllEvents } from '../../../support/checks/take-events';
import { ownWorld } from '../../../support/worlds/world';

const world = ownWorld({ queues: ['interactive'] });
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0';

/** The requests of one visitor, who keeps cookies and has a token after signing in. */
function visitor() {
  let [cookie, token] = ['', ''];
  const headers = () => ({
    'User-Agent': BROWSER,
    ...(cookie !== '' && { Cookie: cookie }),
    ...(token !== '' && { Authorization: `Bearer ${token}` }),
  });
  const get = (path: string): Promise<Response> =>
    world.http
      .get(`/api/v1${path}`)
      .set(headers())
      .then((answer) => answer);
  const post = async (path: string, body: object): Promise<Response> => {
    const answer = await world.http
      .post(`/api/v1${path}`)
      .set({ ...headers(), 'Idempotency-Key': randomUUID() })
      .send(body);
    expect([path, answer.body.error]).toEqual([path, undefined]);
    return answer;
  };
  return {
    get,
    post,
    async follow(url: string) {
      const answer = await get(`/categories${new URL(url).search}`);
      cookie = (answer.headers['set-cookie'] as unknown as string[])
        .map((line) => line.split(';')[0]!)
        .join('; ');
    },
    async register() {
      const body = newcomer();
      const registered = await askAuth(world, 'register', body, headers());
      expect(registered.status).toBe(201);
      await askAuth(world, 'verify-email', { token: await latestToken(world.db, body.email) });
      const signedIn = await askAuth(world, 'login', { email: body.email, password });
      token = signedIn.body.data.accessToken as string;
      return registered.body.data.id as string;
    },
  };
}

test('who comes by a link, registers and pays an order is a conversion of the link, once', async () => {
  const partner = await make.partner(world.db);
  const auth = await signIn(world, { id: partner.userId });
  const asked = world.http.post('/api/v1/mlm/referrals/links').auth(auth, { type: 'bearer' });
  const link = (await asked.send({ name: 'Newsletter' })).body.data as { id: string; url: string };
  const totals = async () => {
    const path = `/api/v1/mlm/referrals/links/${link.id}/stats`;
    return (await world.http.get(path).auth(auth, { type: 'bearer' })).body.data.totals as object;
  };

  const ada = visitor();
  await ada.follow(link.url);
  await eventually(async () =>
    expect(await totals()).toEqual({ clicks: 1, registrations: 0, conversions: 0 }),
  );
  const userId = await ada.register();
  expect(await totals()).toEqual({ clicks: 1, registrations: 1, conversions: 0 });

  await make.money(world.db, userId, 1_000_00);
  const { id: productId } = await make.product(world.db, { stock: 9 });
  const shippingMethodId = await make.shippingMethod(world.db);
  const address = { recipientName: 'Grace Hopper', street: 'Unter den Linden 1', city: 'Berlin' };
  const { body } = await ada.post('/users/me/addresses', { ...address, country: 'DE', postalCode: '10117' });
  const buy = async () => {
    await ada.post('/cart/items', { productId, quantity: 1 });
    const order = { shippingAddressId: body.data.id as string, shippingMethodId, paymentMethod: 'BALANCE' };
    const { orderId } = (await ada.post('/cart/checkout', order)).body.data as { orderId: string };
    await eventually(async () =>
      expect((await ada.get(`/orders/${orderId}`)).body.data.paymentStatus).toBe('PAID'),
    );
    await takeAllEvents(world.db);
  };
  for (const _ of [1, 2]) {
    await buy();
    expect(await totals()).toEqual({ clicks: 1, registrations: 1, conversions: 1 });
  }
});
