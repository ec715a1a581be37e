import { endpoints } from '../../../api/endpoints';
import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import type { User } from '../../support/builders/make/people';
import { signIn } from '../../support/builders/sign-in';
import { ownWorld } from '../../support/worlds/world';
import { anotherProcess } from '../another-process';

const shop = 'https://shop.example';
let ada: User & { token: string };
let bob: User & { token: string };
const world = ownWorld({ worker: false, variables: { CORS_ORIGINS: shop } });
beforeAll(async () => {
  const newUser = async () => {
    const user = await make.user(world.db);
    return { ...user, token: await signIn(world, user) };
  };
  ada = await newUser();
  bob = await newUser();
});

const me = '/api/v1/users/me';
const cookieOf = (token: string) => `svc_access_token=${token}`;

test.each(['/api/v1/products', '/api/v1/users/me', '/api/v1/nowhere', '/health/live', '/api/docs/', '/'])(
  'API8: %s carries the security headers and does not say what it runs on',
  async (path) => {
    const { headers } = await world.http.get(path);
    expect(headers).toMatchObject({
      'strict-transport-security': expect.stringMatching(/^max-age=\d{7,}/) as string,
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'") as string,
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  },
);

test('API8: an internal error reveals nothing but that it happened', async () => {
  await execute(world.owner, 'ALTER TABLE addresses RENAME TO addresses_gone');
  const answer = await world.http.get('/api/v1/users/me/addresses').auth(ada.token, { type: 'bearer' });
  await execute(world.owner, 'ALTER TABLE addresses_gone RENAME TO addresses');
  expect([answer.status, answer.body]).toEqual([
    500,
    { success: false, error: { code: 'INTERNAL_ERROR', message: expect.any(String) as string } },
  ]);
  expect(answer.text).not.toMatch(/\bat \S+:\d+|node_modules|\.ts\b|\.js\b|addresses|SELECT|relation/);
});

test('API8: TRACE and other odd methods are refused', async () => {
  const traced = await world.http.trace('/api/v1/products').set('authorization', 'Bearer secret');
  expect(traced.status).toBe(405);
  expect(traced.text).not.toContain('secret');
  expect((await world.http.put('/api/v1/products')).status).toBe(405);
});

test('API8: a thousand forged X-Forwarded-For are one client', async () => {
  const { http, close } = anotherProcess(world, { RATE_LIMIT_SCALE: '1' });
  let [taken, refused] = [0, 0];
  for (let i = 0; i < 1000; i++) {
    const forged = `198.51.${i >> 8}.${i & 255}`;
    const { status } = await http.get('/api/v1/categories').set('x-forwarded-for', forged);
    if (status === 429) refused++;
    else taken++;
  }
  await close();
  const { limit } = endpoints.find(({ path }) => path === '/categories')!;
  expect(taken).toBeLessThanOrEqual(2 * limit.requests); // Twice: a new minute may begin meanwhile.
  expect(refused).toBe(1000 - taken);
});

test.each([
  ['text/plain', '{"label":"x"}'],
  ['application/x-www-form-urlencoded', 'label=x'],
  [
    'multipart/form-data; boundary=x',
    '--x\r\nContent-Disposition: form-data; name="label"\r\n\r\nx\r\n--x--',
  ],
])('API8: a body of %s, which any page can make a browser send, is refused', async (type, body) => {
  const answer = await world.http
    .post('/api/v1/users/me/addresses')
    .set({ cookie: cookieOf(ada.token), origin: shop, 'content-type': type })
    .send(body);
  expect([answer.status, answer.body.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
});

test('API8: the token of the cookie takes precedence over a different one in the header', async () => {
  const whoIs = async (cookie: string, token: string) =>
    (await world.http.get(me).set('cookie', cookieOf(cookie)).auth(token, { type: 'bearer' })).body.data
      ?.email;
  expect(await whoIs(ada.token, bob.token)).toBe(ada.email);
  expect(await whoIs(bob.token, ada.token)).toBe(bob.email);
  expect(await whoIs('stale', bob.token)).toBe(bob.email);
  expect(await whoIs('stale', 'stale')).toBeUndefined();
});

test('API8: an additional header does not remove the origin check of a cookie', async () => {
  const change = (origin: string | null) => {
    const request = world.http
      .patch('/api/v1/users/me/profile')
      .set('cookie', cookieOf(ada.token))
      .auth(bob.token, { type: 'bearer' });
    if (origin !== null) void request.set('origin', origin);
    return request.send({ city: 'Potsdam' });
  };
  for (const origin of ['https://evil.example', 'null', null]) {
    const { status, body } = await change(origin);
    expect([status, body.error?.code]).toEqual([403, 'FORBIDDEN']);
  }
  expect((await change(shop)).status).toBe(200);
  const cityOf = async (token: string) =>
    (await world.http.get(me).auth(token, { type: 'bearer' })).body.data.profile.city;
  expect([await cityOf(ada.token), await cityOf(bob.token)]).toEqual(['Potsdam', null]);
});
