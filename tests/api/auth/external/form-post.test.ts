import { generateKeyPairSync } from 'node:crypto';
import { firstRow, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { startIdentityProvider, type IdentityProvider } from '../../../support/servers/identity-provider';
import type { Returned } from '../../../support/servers/identity-provider/browser';
import { startWorld, type World } from '../../../support/worlds/world';

/** Sign-ins whose answer the provider's page posts to us, and secrets that are signed from a key, as with Apple. */
const ODD_NAMES = {
  'no json': '{',
  'a text': '"Ada"',
  'other json': '{"name":["Ada"]}',
  'no texts': '{"name":{"firstName":7,"lastName":null}}',
  'no names': JSON.stringify({ name: { firstName: '\u0000', lastName: '😀' } }),
};
const emailOf = (login: string): string => `${login.replace(' ', '.')}@example.com`;
/** People of whom Apple posts such names. It writes `email_verified` as a text. */
const odd = Object.fromEntries(
  Object.keys(ODD_NAMES).map((login) => [login, { email: emailOf(login), email_verified: 'true' }] as const),
);

const people = {
  ...odd,
  ada: { email: 'ada@example.com', email_verified: true },
  recruit: { email: 'recruit@example.com', email_verified: true },
  suspended: { email: 'suspended@example.com', email_verified: true },
  returning: { email: 'returning@example.com', email_verified: true },
  worker: { email: 'worker@example.com', email_verified: true, given_name: 'Mary', family_name: 'Ann' },
};

const PUBLIC_URL = 'https://api.example';
const HOME = '/api/v1/auth/external';
const RETURN_URL = 'https://shop.example/welcome';
const callbackOf = (provider: string): string => `${PUBLIC_URL}${HOME}/${provider}/callback`;

const pem = {
  privateKey: { type: 'pkcs8', format: 'pem' },
  publicKey: { type: 'spki', format: 'pem' },
} as const;
const keyPair = () =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: pem.privateKey,
    publicKeyEncoding: pem.publicKey,
  });

let world: World;
let apple: IdentityProvider;
let corporate: IdentityProvider;
beforeAll(async () => {
  const { publicKey, privateKey } = keyPair();
  const names = ['apple', 'other-key', 'other-team', 'other-audience'];
  apple = await startIdentityProvider(names.map(callbackOf), people, {
    ...{ teamId: 'TEAM123456', keyId: 'KEY1234567', publicKey },
  });
  corporate = await startIdentityProvider(callbackOf('adfs'), people);
  const { issuer, clientId } = apple.settings;
  const clientKey = { teamId: 'TEAM123456', keyId: 'KEY1234567', privateKey };
  const posted = { issuer, clientId, responseMode: 'form_post' };
  world = await startWorld({
    worker: false,
    variables: {
      PUBLIC_URL,
      EXTERNAL_RETURN_URL: RETURN_URL,
      EXTERNAL_PROVIDERS: JSON.stringify({
        apple: { issuer, clientId, clientKey },
        'other-key': { ...posted, clientKey: { ...clientKey, privateKey: keyPair().privateKey } },
        'other-team': { ...posted, clientKey: { ...clientKey, teamId: 'SOMEONEELS' } },
        'other-audience': { ...posted, clientKey: { ...clientKey, audience: 'https://other.example' } },
        adfs: { ...corporate.settings, responseMode: 'form_post' },
      }),
    },
  });
});
afterAll(async () => {
  await world.teardown();
  await apple.stop();
  await corporate.stop();
});

const linesOf = (answer: { headers: Record<string, unknown> }): string[] =>
  (answer.headers['set-cookie'] ?? []) as string[];
const cookieOf = (answer: { headers: Record<string, unknown> }, name: string): string | undefined =>
  linesOf(answer)
    .find((line) => line.startsWith(`${name}=`))
    ?.split(';')[0];

/** The provider's address, and the cookie to return with. */
async function begin(provider = 'apple', cookies = ''): Promise<{ address: string; cookie: string }> {
  const answer = await world.http.get(`${HOME}/${provider}`).set('cookie', cookies);
  expect(answer.status).toBe(302);
  return { address: answer.headers['location']!, cookie: cookieOf(answer, 'svc_external_state')! };
}

/** Posts the form as the browser does from the provider's page, which is another site. */
const post = ({ address, form }: Returned, cookie: string, more: object = {}) =>
  world.http
    .post(new URL(address).pathname)
    .type('form')
    .set('origin', apple.issuer)
    .set('cookie', cookie)
    .send({ ...form, ...more });

async function signIn(login: string, more: object = {}, provider = 'apple') {
  const { address, cookie } = await begin(provider);
  const company = provider === 'adfs' ? corporate : apple;
  return post(await company.signInByForm(address, login), cookie, more);
}

const userOf = (email: string) =>
  firstRow<{ id: string; firstName: string; lastName: string; sponsorId: string | null }>(
    world.db,
    'SELECT id, first_name, last_name, sponsor_id FROM users WHERE email = $1',
    [email],
  );
const sessionsOf = async (email: string): Promise<number> =>
  (
    await rows(world.db, 'SELECT 1 FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1', [
      email,
    ])
  ).length;

const outcomeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body.error?.code,
];
const REFUSED = [400, 'INVALID_TOKEN'];

test('Apple is asked to post its answer, and for what it knows; the cookie comes with the form', async () => {
  const answer = await world.http.get(`${HOME}/apple`);
  const { searchParams } = new URL(answer.headers['location']!);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    ...{ response_mode: 'form_post', scope: 'openid email name', redirect_uri: callbackOf('apple') },
    ...{ client_id: 'marketplace', code_challenge_method: 'S256' },
  });
  const [line] = linesOf(answer);
  expect(line).toMatch(/^svc_external_state=/);
  expect(line).toContain('SameSite=None');
  expect(line).toContain('Secure');
  expect(line).toContain('HttpOnly');
});

test('a new person gets an account with the names that Apple posts once, a session, and is redirected', async () => {
  const user = JSON.stringify({
    name: { firstName: 'Ada', lastName: 'Lovelace' },
    email: 'someone.else@example.com',
  });
  const answer = await signIn('ada', { user });
  expect([answer.status, answer.headers['location']]).toEqual([302, RETURN_URL]);
  expect(answer.body).toEqual({ success: true, data: { location: RETURN_URL } });
  expect(await userOf('ada@example.com')).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace' });
  expect(await userOf('someone.else@example.com')).toBeNull();
  const token = cookieOf(answer, 'svc_access_token')!;
  const mine = await world.http.get('/api/v1/users/me').set('cookie', token);
  expect(mine.body.data.email).toBe('ada@example.com');
  const cleared = linesOf(answer).find((line) => line.startsWith('svc_external_state='));
  expect(cleared).toContain('Expires=Thu, 01 Jan 1970');
  expect(cleared).toContain('SameSite=None');
});

test('a returning person keeps their names, whatever is posted', async () => {
  const named = (firstName: string, lastName: string) => ({
    user: JSON.stringify({ name: { firstName, lastName } }),
  });
  await signIn('returning', named('Ruth', 'Bo'));
  expect((await signIn('returning', named('Eve', 'Evans'))).status).toBe(302);
  expect(await userOf('returning@example.com')).toMatchObject({ firstName: 'Ruth', lastName: 'Bo' });
  expect(await sessionsOf('returning@example.com')).toBe(2);
});

test.each(Object.entries(ODD_NAMES))('posted names that are %s are left out', async (login, user) => {
  expect((await signIn(login, { user })).status).toBe(302);
  // As without names: from the address.
  expect(await userOf(emailOf(login))).toMatchObject({ firstName: login, lastName: 'Member' });
});

test('another provider may be set to post its answer, with a secret in text', async () => {
  const { address } = await begin('adfs');
  expect(new URL(address).searchParams.get('scope')).toBe('openid email profile');
  expect((await signIn('worker', {}, 'adfs')).status).toBe(302);
  expect(await userOf('worker@example.com')).toMatchObject({ firstName: 'Mary', lastName: 'Ann' });
});

test('a new person from a partner’s link has that partner as sponsor, though no cookie of it comes back', async () => {
  const partner = await make.partner(world.db);
  const page = await world.http.get(`/api/v1/products?ref=${partner.referralCode}`);
  const cookies = linesOf(page).map((line) => line.split(';')[0]);
  const { address, cookie } = await begin('apple', cookies.join('; '));
  expect((await post(await apple.signInByForm(address, 'recruit'), cookie)).status).toBe(302);
  const user = await userOf('recruit@example.com');
  expect(user!.sponsorId).toBe(partner.id);
  const touch = await firstRow<{ convertedUserId: string }>(
    world.db,
    'SELECT converted_user_id FROM referral_touches WHERE partner_id = $1',
    [partner.id],
  );
  expect(touch!.convertedUserId).toBe(user!.id);
});

test('a suspended account is refused: ACCOUNT_SUSPENDED', async () => {
  await signIn('suspended');
  await world.db.sequelize.query(
    `UPDATE users SET status = 'SUSPENDED' WHERE email = 'suspended@example.com'`,
  );
  expect(outcomeOf(await signIn('suspended'))).toEqual([403, 'ACCOUNT_SUSPENDED']);
});

test.each(['other-key', 'other-team', 'other-audience'])(
  'a secret of %s is refused by the provider',
  async (provider) => {
    expect(outcomeOf(await signIn('ada', {}, provider))).toEqual(REFUSED);
  },
);

describe('a posted answer is accepted', () => {
  test('only in the browser that began the sign-in: not without its cookie, and not with another’s', async () => {
    const { address } = await begin();
    const returned = await apple.signInByForm(address, 'ada');
    const before = await sessionsOf('ada@example.com');
    const elsewhere = await begin();
    for (const cookie of ['', elsewhere.cookie])
      expect(outcomeOf(await post(returned, cookie))).toEqual(REFUSED);
    const stolen = { ...returned, form: { ...returned.form, state: elsewhere.cookie.split('=')[1]! } };
    // The code belongs to the other sign-in, as PKCE and the nonce show.
    expect(outcomeOf(await post(stolen, elsewhere.cookie))).toEqual(REFUSED);
    expect(await sessionsOf('ada@example.com')).toBe(before);
  });

  test('only with its state', async () => {
    const { address, cookie } = await begin();
    const returned = await apple.signInByForm(address, 'ada');
    for (const state of ['made-up', ''])
      expect(outcomeOf(await post(returned, cookie, { state }))).toEqual(REFUSED);
    const { state: _, ...form } = returned.form!;
    expect(outcomeOf(await post({ ...returned, form }, cookie))).toEqual(REFUSED);
  });

  test('only once, also of two at the same time', async () => {
    const { address, cookie } = await begin();
    const returned = await apple.signInByForm(address, 'ada');
    const before = await sessionsOf('ada@example.com');
    const answers = await Promise.all([post(returned, cookie), post(returned, cookie)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([302, 400]);
    expect(outcomeOf(await post(returned, cookie))).toEqual(REFUSED);
    expect(await sessionsOf('ada@example.com')).toBe(before + 1);
  });

  test('only at the provider that the sign-in went to', async () => {
    const { address, cookie } = await begin();
    const returned = await apple.signInByForm(address, 'ada');
    expect(outcomeOf(await post({ ...returned, address: callbackOf('adfs') }, cookie))).toEqual(REFUSED);
  });

  test('not when the person declined', async () => {
    const { address, cookie } = await begin();
    const declined = await apple.declineByForm(address);
    expect(declined.form).toMatchObject({ error: 'access_denied' });
    expect(outcomeOf(await post(declined, cookie))).toEqual(REFUSED);
  });

  test('only as a form of a bounded size, each field once', async () => {
    const { address, cookie } = await begin();
    const { form } = await apple.signInByForm(address, 'ada');
    const path = new URL(callbackOf('apple')).pathname;
    const send = (type: string, body: string) =>
      world.http.post(path).set('content-type', type).set('cookie', cookie).send(body);
    const encoded = new URLSearchParams(form!).toString();
    const urlencoded = 'application/x-www-form-urlencoded';
    expect(outcomeOf(await send('application/json', JSON.stringify(form)))).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ]);
    expect(outcomeOf(await send(urlencoded, `${encoded}&user=${'x'.repeat(70_000)}`))).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
    ]);
    for (const wrong of [
      `${encoded}&code=twice`,
      `${encoded}&user=${'x'.repeat(5_000)}`,
      `${encoded}&iss=%00`,
    ])
      expect(outcomeOf(await send(urlencoded, wrong))).toEqual([400, 'VALIDATION_ERROR']);
    // None of them has used the sign-in up; what is unknown is ignored.
    expect((await send(urlencoded, `${encoded}&__proto__=x&session_state=y`)).status).toBe(302);
  });
});

test.each([
  ['nobody', 404, 'PROVIDER_NOT_FOUND'],
  ['google', 503, 'PROVIDER_NOT_CONFIGURED'],
])('POST /auth/external/%s/callback: %i %s', async (name, status, code) => {
  expect(outcomeOf(await world.http.post(`${HOME}/${name}/callback`))).toEqual([status, code]);
});
