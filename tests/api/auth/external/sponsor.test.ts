import { firstRow } from '../../../../db/sql/query';
import { startIdentityProvider, type IdentityProvider } from '../../../support/servers/identity-provider';
import { make } from '../../../support/builders/make';
import { startWorld, type World } from '../../../support/worlds/world';

const PUBLIC_URL = 'https://api.example';
const HOME = '/api/v1/auth/external';

let world: World;
let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider(`${PUBLIC_URL}${HOME}/corporate/callback`, {
    ada: { email: 'ada@example.com', email_verified: true },
  });
  const variables = { PUBLIC_URL, EXTERNAL_PROVIDERS: JSON.stringify({ corporate: provider.settings }) };
  world = await startWorld({ worker: false, variables });
});
afterAll(async () => {
  await world.teardown();
  await provider.stop();
});

const cookiesOf = (answer: { headers: Record<string, unknown> }): string =>
  ((answer.headers['set-cookie'] ?? []) as string[]).map((line) => line.split(';')[0]).join('; ');

test('a new person from a partner’s link who signs in elsewhere has that partner as sponsor', async () => {
  const partner = await make.partner(world.db);
  const page = await world.http.get(`/api/v1/products?ref=${partner.referralCode}`);
  const begun = await world.http.get(`${HOME}/corporate`);
  const callback = await provider.signIn(begun.headers['location']!, 'ada');
  const signedIn = await world.http
    .get(callback.slice(PUBLIC_URL.length))
    .set('cookie', `${cookiesOf(page)}; ${cookiesOf(begun)}`);
  expect(signedIn.status).toBe(302);

  const user = await firstRow<{ id: string; sponsorId: string }>(
    world.db,
    `SELECT id, sponsor_id FROM users WHERE email = 'ada@example.com'`,
  );
  expect(user!.sponsorId).toBe(partner.id);
  const touch = await firstRow<{ convertedUserId: string }>(
    world.db,
    `SELECT converted_user_id FROM referral_touches WHERE partner_id = $1`,
    [partner.id],
  );
  expect(touch!.convertedUserId).toBe(user!.id);
});
