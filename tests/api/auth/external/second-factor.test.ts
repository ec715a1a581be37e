import speakeasy from 'speakeasy';
import { startIdentityProvider, type IdentityProvider } from '../../../support/servers/identity-provider';
import { startWorld, type World } from '../../../support/worlds/world';

const PUBLIC_URL = 'https://api.example';
const HOME = '/api/v1/auth/external';
const RETURN_URL = 'https://shop.example/welcome';

let world: World;
let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider(`${PUBLIC_URL}${HOME}/corporate/callback`, {
    ada: { email: 'ada@example.com', email_verified: true },
  });
  world = await startWorld({
    worker: false,
    variables: {
      PUBLIC_URL,
      EXTERNAL_PROVIDERS: JSON.stringify({ corporate: provider.settings }),
      EXTERNAL_RETURN_URL: RETURN_URL,
    },
  });
});
afterAll(async () => {
  await world.teardown();
  await provider.stop();
});

const cookieOf = (answer: { headers: Record<string, unknown> }, name: string): string | undefined =>
  ((answer.headers['set-cookie'] ?? []) as string[])
    .find((line) => line.startsWith(`${name}=`))
    ?.split(';')[0];

async function signIn() {
  const begun = await world.http.get(`${HOME}/corporate`);
  const callback = await provider.signIn(begun.headers['location']!, 'ada');
  return world.http
    .get(callback.slice(PUBLIC_URL.length))
    .set('cookie', cookieOf(begun, 'svc_external_state')!);
}

test('a second factor is required with any provider', async () => {
  const cookie = cookieOf(await signIn(), 'svc_access_token')!;
  const asAda = (path: string) =>
    world.http.post(`/api/v1/auth/2fa${path}`).set('cookie', cookie).set('origin', PUBLIC_URL);
  const { secret } = (await asAda('/setup').send({ method: 'TOTP' })).body.data;
  const code = (stepsAhead: number): string =>
    speakeasy.totp({ secret, encoding: 'base32', time: Date.now() / 1000 + 30 * stepsAhead });
  expect((await asAda('/verify').send({ code: code(0) })).body.data.enabled).toBe(true);

  const half = await signIn();
  expect(half.status).toBe(302);
  expect(cookieOf(half, 'svc_access_token')).toBeUndefined();
  const location = new URL(half.headers['location']!);
  expect(location.href.split('#')[0]).toBe(RETURN_URL);
  const fragment = new URLSearchParams(location.hash.slice(1));
  expect(fragment.get('methods')).toBe('TOTP');

  const tempToken = fragment.get('tempToken');
  const whole = await world.http.post('/api/v1/auth/login').send({ tempToken, twoFactorCode: code(1) });
  expect(whole.status).toBe(200);
  expect(whole.body.data.user.email).toBe('ada@example.com');
});
