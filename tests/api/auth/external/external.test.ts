import { decodeJwt } from 'jose';
import speakeasy from 'speakeasy';
import { firstRow, rows } from '../../../../db/sql/query';
import { freePort } from '../../../../local/machine/ports';
import { startIdentityProvider, type IdentityProvider } from '../../../support/servers/identity-provider';
import { held, waiting } from '../../../support/checks/held-locks';
import { make } from '../../../support/builders/make';
import { startWorld, type World } from '../../../support/worlds/world';

const people = {
  ada: { email: 'Ada@Example.com', email_verified: true, given_name: 'Ada', family_name: 'Lovelace' },
  grace: { email: 'grace@example.com', email_verified: true, name: 'Grace Brewster Hopper' },
  nameless: { email: 'nameless.one@example.com', email_verified: true },
  odd: {
    email: 'odd.one@example.com',
    email_verified: true,
    given_name: 'Zoe\u0308\u0000',
    family_name: `Bcc: eve@example.com\r\n${'x'.repeat(10_000)}`,
    name: { text: 'Zoe' },
  },
  unverified: {
    email: 'unverified@example.com',
    email_verified: false,
    given_name: 'Eve',
    family_name: 'Eve',
  },
  silent: {},
  taken: { email: 'taken@example.com', email_verified: true, given_name: 'Eve', family_name: 'Eve' },
  banned: { email: 'banned@example.com', email_verified: true },
  racer: { email: 'racer@example.com', email_verified: true },
  guarded: { email: 'guarded@example.com', email_verified: true },
  changed: { email: 'changed@example.com', email_verified: true },
  recruit: { email: 'recruit@example.com', email_verified: true },
};

const RETURN_URL = 'https://shop.example/welcome';
const PUBLIC_URL = 'https://api.example';
const HOME = '/api/v1/auth/external';

let world: World;
let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider(`${PUBLIC_URL}${HOME}/corporate/callback`, people);
  const gone = { issuer: `http://127.0.0.1:${await freePort()}`, clientId: 'x', clientSecret: 'x' };
  world = await startWorld({
    worker: false,
    variables: {
      PUBLIC_URL,
      EXTERNAL_PROVIDERS: JSON.stringify({ corporate: provider.settings, gone }),
      EXTERNAL_RETURN_URL: RETURN_URL,
    },
  });
});
afterAll(async () => {
  await world.teardown();
  await provider.stop();
});

describe('sign-in', () => {
  const cookiesOf = (answer: { headers: Record<string, unknown> }): Map<string, string> =>
    new Map(
      ((answer.headers['set-cookie'] ?? []) as string[]).map((line) => [
        line.split('=')[0]!,
        line.split(';')[0]!,
      ]),
    );

  /** The first answer: the provider's address, and the cookie to return with. */
  async function begin(): Promise<{ address: string; cookie: string }> {
    const answer = await world.http.get(`${HOME}/corporate`);
    expect(answer.status).toBe(302);
    expect(answer.body).toEqual({ success: true, data: { location: answer.headers['location'] } });
    return { address: answer.headers['location']!, cookie: cookiesOf(answer).get('svc_external_state')! };
  }

  const comeBack = (callback: string, cookie: string) =>
    world.http.get(callback.slice(PUBLIC_URL.length)).set('cookie', cookie);

  async function signIn(login: string) {
    const { address, cookie } = await begin();
    return comeBack(await provider.signIn(address, login), cookie);
  }

  const userOf = (email: string) =>
    firstRow<Record<string, unknown>>(
      world.db,
      `SELECT id, status, roles, first_name, last_name, kyc_level,
       email_verified_at IS NOT NULL AS verified, password_hash
     FROM users WHERE email = $1`,
      [email],
    );

  test('a new person gets an account and a session, in cookies, and is redirected', async () => {
    const answer = await signIn('ada');
    expect(answer.status).toBe(302);
    expect(answer.headers['location']).toBe(RETURN_URL);
    const user = await userOf('ada@example.com');
    expect(user).toMatchObject({
      status: 'ACTIVE',
      roles: ['USER'],
      firstName: 'Ada',
      lastName: 'Lovelace',
      kycLevel: 'BASIC',
      verified: true,
      passwordHash: null,
    });
    const token = cookiesOf(answer).get('svc_access_token')!;
    expect(decodeJwt(token.split('=')[1]!).sub).toBe(user!['id']);
    const mine = await world.http.get('/api/v1/users/me/addresses').set('cookie', token);
    expect(mine.status).toBe(200);
  });

  test('a returning person gets the same account, also with another address', async () => {
    await signIn('grace');
    const first = await userOf('grace@example.com');
    expect(first).toMatchObject({ firstName: 'Grace', lastName: 'Brewster Hopper' });
    await world.db.sequelize.query(
      `UPDATE users SET email = 'admiral@example.com' WHERE email = 'grace@example.com'`,
    );
    expect((await signIn('grace')).status).toBe(302);
    expect(await userOf('grace@example.com')).toBeNull();
    expect(await rows(world.db, `SELECT 1 FROM sessions WHERE user_id = $1`, [first!['id']])).toHaveLength(2);
  });

  test('without a name one is made from the address', async () => {
    expect((await signIn('nameless')).status).toBe(302);
    expect(await userOf('nameless.one@example.com')).toMatchObject({
      firstName: 'nameless one',
      lastName: 'Member',
    });
  });

  test('names are stored by the rules of the platform, in NFC, whatever the provider says', async () => {
    expect((await signIn('odd')).status).toBe(302);
    const { firstName, lastName } = (await userOf('odd.one@example.com'))!;
    expect(firstName).toBe('Zoë');
    expect(lastName).toMatch(/^Bcc eve example com x+$/);
    expect(String(lastName).length).toBeLessThanOrEqual(100);
  });

  test('an account is never handed over for an address alone (stack.md: key on issuer and subject)', async () => {
    const owner = await make.user(world.db, { email: 'taken@example.com' });
    const answer = await signIn('taken');
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('INVALID_TOKEN');
    expect(await rows(world.db, `SELECT 1 FROM sessions WHERE user_id = $1`, [owner.id])).toEqual([]);
    expect(await rows(world.db, `SELECT 1 FROM external_accounts WHERE user_id = $1`, [owner.id])).toEqual(
      [],
    );
  });

  test.each(['unverified', 'silent'])(
    'an address that is not verified makes no account: %s',
    async (login) => {
      const answer = await signIn(login);
      expect([answer.status, answer.body.error?.code]).toEqual([400, 'INVALID_TOKEN']);
      expect(await userOf('unverified@example.com')).toBeNull();
    },
  );

  test.each([
    ['SUSPENDED', 'ACCOUNT_SUSPENDED'],
    ['BANNED', 'ACCOUNT_BANNED'],
    ['PENDING_VERIFICATION', 'ACCOUNT_NOT_VERIFIED'],
  ])('an account that is %s is refused and gets no session', async (status, code) => {
    await signIn('banned');
    await world.db.sequelize.query(
      `UPDATE users SET status = '${status}' WHERE email = 'banned@example.com'`,
    );
    const answer = await signIn('banned');
    expect([answer.status, answer.body.error.code]).toEqual([403, code]);
    expect(cookiesOf(answer).has('svc_access_token')).toBe(false);
    await world.db.sequelize.query(`UPDATE users SET status = 'ACTIVE' WHERE email = 'banned@example.com'`);
  });

  test('the same person twice at once gets one account', async () => {
    const answers = await Promise.all([signIn('racer'), signIn('racer'), signIn('racer')]);
    expect(answers.map(({ status }) => status)).toEqual([302, 302, 302]);
    expect(await rows(world.db, `SELECT 1 FROM users WHERE email = 'racer@example.com'`)).toHaveLength(1);
  });

  describe('an account that changes after it was read and before it is locked', () => {
    /** Signs in while somebody holds the account, who then changes it in this way. */
    async function signInDuring(change: string): Promise<[number, string | undefined, boolean]> {
      await signIn('changed');
      const { id } = (await userOf('changed@example.com'))!;
      const { address, cookie } = await begin();
      const callback = await provider.signIn(address, 'changed');
      const changing = await held(world.db, change.replace('$id', `'${String(id)}'`));
      const [answer] = await Promise.all([
        comeBack(callback, cookie),
        waiting(world.db, 1).finally(() => changing.release()),
      ]);
      return [answer.status, answer.body.error?.code, cookiesOf(answer).has('svc_access_token')];
    }

    const password = (hash: string) => `UPDATE users SET password_hash = '${hash}' WHERE id = $id`;
    const secondFactor = `WITH owner AS (SELECT id FROM users WHERE id = $id FOR UPDATE)
      INSERT INTO second_factors (user_id, method, created_at, enabled_at)
      SELECT id, 'EMAIL', now(), now() FROM owner`;

    test.each([
      ['another password', password('one'), 400, 'INVALID_TOKEN'],
      ['a second factor', secondFactor, 400, 'INVALID_TOKEN'],
      ['another password beside a second factor', password('two'), 400, 'INVALID_TOKEN'],
      ['a suspension', `UPDATE users SET status = 'SUSPENDED' WHERE id = $id`, 403, 'ACCOUNT_SUSPENDED'],
    ])('%s', async (_, change, status, code) => {
      expect(await signInDuring(change)).toEqual([status, code, false]);
    });
  });

  describe('a returning sign-in is accepted', () => {
    test('only in the browser that began it (login CSRF)', async () => {
      const { address } = await begin();
      const callback = await provider.signIn(address, 'ada');
      const elsewhere = await begin();
      for (const cookie of ['', elsewhere.cookie]) {
        const answer = await comeBack(callback, cookie);
        expect([answer.status, answer.body.error.code]).toEqual([400, 'INVALID_TOKEN']);
      }
    });

    test('only once', async () => {
      const { address, cookie } = await begin();
      const callback = await provider.signIn(address, 'ada');
      expect((await comeBack(callback, cookie)).status).toBe(302);
      const again = await comeBack(callback, cookie);
      expect([again.status, again.body.error.code]).toEqual([400, 'INVALID_TOKEN']);
    });

    test('only in time', async () => {
      const { address, cookie } = await begin();
      const callback = await provider.signIn(address, 'ada');
      await world.db.sequelize.query(`UPDATE external_sign_ins SET expires_at = now() - interval '1 second'`);
      expect((await comeBack(callback, cookie)).status).toBe(400);
    });

    test('not with another code, and not when the person declined', async () => {
      const { address, cookie } = await begin();
      const callback = new URL(await provider.signIn(address, 'ada'));
      callback.searchParams.set('code', 'made-up');
      expect((await comeBack(callback.href, cookie)).body.error.code).toBe('INVALID_TOKEN');
      const other = await begin();
      const declined = await provider.decline(other.address);
      expect(declined).toContain('error=access_denied');
      expect((await comeBack(declined, other.cookie)).body.error.code).toBe('INVALID_TOKEN');
    });
  });
});

describe('second factor', () => {
  const cookieOf = (answer: { headers: Record<string, unknown> }, name: string): string | undefined =>
    ((answer.headers['set-cookie'] ?? []) as string[])
      .find((line) => line.startsWith(`${name}=`))
      ?.split(';')[0];

  async function signIn() {
    const begun = await world.http.get(`${HOME}/corporate`);
    const callback = await provider.signIn(begun.headers['location']!, 'guarded');
    return world.http
      .get(callback.slice(PUBLIC_URL.length))
      .set('cookie', cookieOf(begun, 'svc_external_state')!);
  }

  test('a second factor is required with any provider', async () => {
    const cookie = cookieOf(await signIn(), 'svc_access_token')!;
    const asThem = (path: string) =>
      world.http.post(`/api/v1/auth/2fa${path}`).set('cookie', cookie).set('origin', PUBLIC_URL);
    const { secret } = (await asThem('/setup').send({ method: 'TOTP' })).body.data;
    const code = (stepsAhead: number): string =>
      speakeasy.totp({ secret, encoding: 'base32', time: Date.now() / 1000 + 30 * stepsAhead });
    expect((await asThem('/verify').send({ code: code(0) })).body.data.enabled).toBe(true);

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
    expect(whole.body.data.user.email).toBe('guarded@example.com');
  });
});

describe('sponsor', () => {
  const cookiesOf = (answer: { headers: Record<string, unknown> }): string =>
    ((answer.headers['set-cookie'] ?? []) as string[]).map((line) => line.split(';')[0]).join('; ');

  test('a new person from a partner’s link who signs in elsewhere has that partner as sponsor', async () => {
    const partner = await make.partner(world.db);
    const page = await world.http.get(`/api/v1/products?ref=${partner.referralCode}`);
    // A browser sends them with both requests.
    const begun = await world.http.get(`${HOME}/corporate`).set('cookie', cookiesOf(page));
    const callback = await provider.signIn(begun.headers['location']!, 'recruit');
    const signedIn = await world.http
      .get(callback.slice(PUBLIC_URL.length))
      .set('cookie', `${cookiesOf(page)}; ${cookiesOf(begun)}`);
    expect(signedIn.status).toBe(302);

    const user = await firstRow<{ id: string; sponsorId: string }>(
      world.db,
      `SELECT id, sponsor_id FROM users WHERE email = 'recruit@example.com'`,
    );
    expect(user!.sponsorId).toBe(partner.id);
    const touch = await firstRow<{ convertedUserId: string }>(
      world.db,
      `SELECT converted_user_id FROM referral_touches WHERE partner_id = $1`,
      [partner.id],
    );
    expect(touch!.convertedUserId).toBe(user!.id);
  });
});

describe('providers', () => {
  describe.each(['', '/callback'])('GET /auth/external/:provider%s', (tail) => {
    test.each([
      ['nobody', 404, 'PROVIDER_NOT_FOUND'],
      ['constructor', 404, 'PROVIDER_NOT_FOUND'],
      ['google', 503, 'PROVIDER_NOT_CONFIGURED'],
      ['apple', 503, 'PROVIDER_NOT_CONFIGURED'],
    ])('%s: %i %s', async (name, status, code) => {
      const answer = await world.http.get(`${HOME}/${name}${tail}`);
      expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    });
  });

  test('an unavailable provider is 503, and is tried again the next time', async () => {
    for (const _time of [1, 2]) {
      const answer = await world.http.get(`${HOME}/gone`);
      expect([answer.status, answer.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    }
  });
});
