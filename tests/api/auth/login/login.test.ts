import { decodeJwt, decodeProtectedHeader } from 'jose';
import { z } from 'zod';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../identity-server';
import {
  codesSent,
  forgetSteps,
  guarded,
  lastCode,
  not,
  refusalOf,
  type Guarded,
} from '../two-factor/guarded';

const server = ownIdentityServer();

const logIn = (body: object) => server.http.post('/api/v1/auth/login').send(body);

describe('POST /auth/login', () => {
  const LoginAnswer = z.strictObject({
    success: z.literal(true),
    data: z.strictObject({
      accessToken: z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refreshToken: z.string().regex(/^[\w-]{43}$/),
      expiresIn: z.literal(900),
      tokenType: z.literal('Bearer'),
      user: z.strictObject({
        id: z.uuid(),
        email: z.email(),
        status: z.literal('ACTIVE'),
        profile: z.strictObject({ firstName: z.string(), lastName: z.string(), avatarUrl: z.null() }),
        roles: z.array(z.string()),
        requiresTwoFactor: z.literal(false),
      }),
    }),
  });

  describe('200', () => {
    test('a session begins, and the answer is as in the contract', async () => {
      const user = await make.admin(server.db, { firstName: 'Grace', lastName: 'Hopper' });
      const { status, body } = await logIn({ email: user.email, password: user.password });
      expect(status).toBe(200);
      const { data } = LoginAnswer.parse(body);
      expect(data.user).toMatchObject({
        id: user.id,
        email: user.email,
        profile: { firstName: 'Grace', lastName: 'Hopper' },
        roles: ['USER', 'ADMIN'],
      });
      expect(await server.opens(data.accessToken)).toBe(true);
    });

    test('the access token names user and session, for 15 minutes, and nothing else', async () => {
      const user = await make.user(server.db);
      const { accessToken } = await server.logIn(user);
      const [session] = await server.sessionsOf(user);
      expect(decodeProtectedHeader(accessToken)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: 'test' });
      const claims = decodeJwt(accessToken);
      expect(claims).toEqual({
        sub: user.id,
        sid: session!.id,
        iss: 'marketplace-platform',
        aud: 'marketplace-api',
        iat: expect.any(Number),
        exp: claims.iat! + 900,
        jti: expect.any(String),
      });
    });

    test('browsers get the tokens as cookies out of reach of scripts', async () => {
      const user = await make.user(server.db);
      const { body, headers } = await logIn({ email: user.email, password: user.password });
      const cookies = z.array(z.string()).parse(headers['set-cookie']);
      expect(cookies.map((cookie) => cookie.replace(/Expires=[^;]+/, 'Expires=…'))).toEqual([
        `svc_access_token=${body.data.accessToken}; Max-Age=900; Path=/; Expires=…; HttpOnly; Secure; SameSite=Lax`,
        `svc_refresh_token=${body.data.refreshToken}; Max-Age=604800; Path=/api/v1/auth; Expires=…; HttpOnly; Secure; SameSite=Lax`,
      ]);
    });

    test('the session records its client; the token is stored as a hash only', async () => {
      const user = await make.user(server.db);
      const { body } = await logIn({
        email: user.email,
        password: user.password,
        deviceFingerprint: 'laptop',
      }).set('User-Agent', 'Test/1');
      const session = await server.one<Record<string, unknown>>(
        `SELECT s.user_agent, s.ip_address, s.device_fingerprint, t.token_hash,
              extract(epoch FROM s.expires_at - s.created_at)::int AS seconds, u.last_login_at
         FROM sessions s JOIN refresh_tokens t ON t.session_id = s.id JOIN users u ON u.id = s.user_id
        WHERE u.id = $1`,
        [user.id],
      );
      expect(session).toEqual({
        userAgent: 'Test/1',
        ipAddress: '127.0.0.1',
        deviceFingerprint: 'laptop',
        tokenHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        seconds: 7 * 24 * 3600,
        lastLoginAt: expect.any(Date),
      });
      expect(JSON.stringify(session)).not.toContain(body.data.refreshToken);
    });

    test('the e-mail address is taken without regard to case and space around it', async () => {
      const user = await make.user(server.db, { email: 'mixed.case@example.com' });
      const { status } = await logIn({ email: '  Mixed.Case@Example.COM ', password: user.password });
      expect(status).toBe(200);
    });

    test('unknown fields are dropped, and an idempotency key changes nothing', async () => {
      const user = await make.user(server.db);
      const ask = () => logIn({ ...user, roles: ['SUPER_ADMIN'] }).set('Idempotency-Key', 'once');
      const [first, second] = [await ask(), await ask()];
      expect(first.body.data.user.roles).toEqual(['USER']);
      expect(second.headers['idempotent-replayed']).toBeUndefined();
      expect(second.body.data.refreshToken).not.toBe(first.body.data.refreshToken);
    });
  });

  describe('one account per region', () => {
    test('the cookie says which, then the host, then EU', async () => {
      const http = server.start({ REGION_HOSTS: '{"US":["us.shop.example"]}' });
      const email = 'everywhere@example.com';
      const ids: Record<string, string> = {};
      for (const region of ['EU', 'US', 'APAC'] as const) {
        ids[region] = (await make.user(server.db, { email, region })).id;
      }
      const { password } = await make.user(server.db);
      const signedIn = async (headers: Record<string, string>) =>
        (await http.post('/api/v1/auth/login').set(headers).send({ email, password })).body.data.user.id;
      expect(await signedIn({})).toBe(ids['EU']);
      expect(await signedIn({ Host: 'US.shop.example:443' })).toBe(ids['US']);
      expect(await signedIn({ Host: 'us.shop.example', Cookie: 'svc_region=APAC' })).toBe(ids['APAC']);
      expect(await signedIn({ Cookie: 'svc_region=MARS' })).toBe(ids['EU']);
    });
  });

  describe('400 VALIDATION_ERROR', () => {
    test.each([
      ['email', { password: 'x' }],
      ['email', { email: 'no address', password: 'x' }],
      ['email', { email: ['a@example.com'], password: 'x' }],
      ['password', { email: 'a@example.com' }],
      ['password', { email: 'a@example.com', password: '' }],
      ['password', { email: 'a@example.com', password: 'x'.repeat(1025) }],
      ['password', { email: 'a@example.com', password: 'nul \u0000' }],
      ['deviceFingerprint', { email: 'a@example.com', password: 'x', deviceFingerprint: 7 }],
    ])('%s', async (field, body) => {
      const answer = await logIn(body);
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { [field]: expect.any(Array) },
      });
    });
  });

  describe('403', () => {
    test.each([
      ['PENDING_VERIFICATION', 'ACCOUNT_NOT_VERIFIED'],
      ['SUSPENDED', 'ACCOUNT_SUSPENDED'],
      ['BANNED', 'ACCOUNT_BANNED'],
    ] as const)('%s is refused with %s, to who knows the password only', async (accountStatus, code) => {
      const user = await make.user(server.db, { status: accountStatus });
      const right = await logIn({ email: user.email, password: user.password });
      expect({ status: right.status, code: right.body.error.code }).toEqual({ status: 403, code });
      const wrong = await logIn({ email: user.email, password: 'wrong' });
      expect({ status: wrong.status, code: wrong.body.error.code }).toEqual({
        status: 401,
        code: 'INVALID_CREDENTIALS',
      });
      expect(await server.sessionsOf(user)).toEqual([]);
    });
  });

  describe('at most 10 sessions', () => {
    test('the oldest ends, and its access token with it', async () => {
      const user = await make.user(server.db);
      const first = await server.logIn(user);
      const second = await server.logIn(user);
      for (let i = 0; i < 9; i++) await server.logIn(user);
      const sessions = await server.sessionsOf(user);
      expect(sessions.map(({ revokeReason }) => revokeReason)).toEqual(['TOO_MANY', ...Array(10).fill(null)]);
      expect(await server.opens(first.accessToken)).toBe(false);
      expect(await server.opens(second.accessToken)).toBe(true);
    });

    test('also when they begin at once', async () => {
      const http = server.start({ SESSION_LIMIT: '3' });
      const user = await make.user(server.db);
      await Promise.all(Array.from({ length: 12 }, () => http.post('/api/v1/auth/login').send(user)));
      const live = (await server.sessionsOf(user)).filter(({ revokeReason }) => revokeReason === null);
      expect(live).toHaveLength(3);
    });
  });
});

describe('with a second factor', () => {
  const withPassword = ({ user }: Pick<Guarded, 'user'>, twoFactorCode?: string) =>
    logIn({ email: user.email, password: user.password, twoFactorCode });

  const RequiredAnswer = z.strictObject({
    success: z.literal(true),
    data: z.strictObject({
      requiresTwoFactor: z.literal(true),
      tempToken: z.string().regex(/^[\w-]{43}$/),
      methods: z.array(z.enum(['TOTP', 'SMS', 'EMAIL'])),
    }),
  });

  /** The first step; answers the token to go on with. */
  async function begin(person: Pick<Guarded, 'user'>): Promise<string> {
    return RequiredAnswer.parse((await withPassword(person)).body).data.tempToken;
  }

  describe('200', () => {
    test.each(['TOTP', 'SMS', 'EMAIL'] as const)('%s in two steps', async (method) => {
      const person = await guarded(server, method);
      const { status, body, headers } = await withPassword(person);
      expect(status).toBe(200);
      const { data } = RequiredAnswer.parse(body);
      expect(data.methods).toEqual([method]);
      expect(headers['set-cookie']).toBeUndefined();
      const twoFactorCode = method === 'TOTP' ? person.code() : await lastCode(server, person.user);
      const second = await logIn({ tempToken: data.tempToken, twoFactorCode });
      expect(second.status).toBe(200);
      expect(second.body.data.user).toMatchObject({ id: person.user.id, requiresTwoFactor: false });
      expect(second.headers['set-cookie']).toHaveLength(2);
      expect(await server.opens(second.body.data.accessToken)).toBe(true);
    });

    test('in one step, also with the code of the newest sign-in that waits', async () => {
      const byApp = await guarded(server);
      expect((await withPassword(byApp, byApp.code())).status).toBe(200);
      const byMail = await guarded(server, 'EMAIL');
      await begin(byMail);
      expect((await withPassword(byMail, await lastCode(server, byMail.user))).status).toBe(200);
    });

    test.each(['TOTP', 'SMS', 'EMAIL'] as const)(
      '%s: a backup code stands in, however it is typed',
      async (method) => {
        const person = await guarded(server, method);
        const [first, second] = person.backupCodes;
        const tempToken = await begin(person);
        expect((await logIn({ tempToken, twoFactorCode: first })).status).toBe(200);
        const typed = ` ${second!.toLowerCase().replaceAll('-', ' ')}`;
        expect((await withPassword(person, typed)).status).toBe(200);
      },
    );

    test('the session has the device of the first step, unless the second names one', async () => {
      const person = await guarded(server);
      const { email, password } = person.user;
      const step = async (second: object) => {
        const first = await logIn({ email, password, deviceFingerprint: 'laptop' });
        await forgetSteps(server, person.user);
        await logIn({ tempToken: first.body.data.tempToken, twoFactorCode: person.code(), ...second });
        return server.one(
          'SELECT device_fingerprint FROM sessions WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1',
          [person.user.id],
        );
      };
      expect(await step({})).toEqual({ deviceFingerprint: 'laptop' });
      expect(await step({ deviceFingerprint: 'phone' })).toEqual({ deviceFingerprint: 'phone' });
    });

    test('without a second factor a code changes nothing', async () => {
      const user = await make.user(server.db);
      expect((await withPassword({ user }, '123456')).status).toBe(200);
    });
  });

  describe('401 TWO_FACTOR_REQUIRED', () => {
    test('a tempToken without a code, which stays good', async () => {
      const person = await guarded(server);
      const tempToken = await begin(person);
      expect(await refusalOf(logIn({ tempToken }))).toBe('401 TWO_FACTOR_REQUIRED');
      expect((await logIn({ tempToken, twoFactorCode: person.code() })).status).toBe(200);
    });
  });

  describe('the order of checks', () => {
    test('a wrong password reveals nothing about the second factor, and sends nothing', async () => {
      const { user } = await guarded(server, 'EMAIL');
      const before = (await codesSent(server, user)).length;
      const { email } = user;
      expect(await refusalOf(logIn({ email, password: 'wrong' }))).toBe('401 INVALID_CREDENTIALS');
      expect(await refusalOf(logIn({ email, password: 'wrong', twoFactorCode: '1' }))).toBe(
        '401 INVALID_CREDENTIALS',
      );
      expect(await codesSent(server, user)).toHaveLength(before);
    });

    test.each([
      ['PENDING_VERIFICATION', '403 ACCOUNT_NOT_VERIFIED'],
      ['SUSPENDED', '403 ACCOUNT_SUSPENDED'],
      ['BANNED', '403 ACCOUNT_BANNED'],
    ])('%s between the steps comes before the code', async (status, expected) => {
      const person = await guarded(server);
      const tempToken = await begin(person);
      await execute(server.db, 'UPDATE users SET status = $2 WHERE id = $1', [person.user.id, status]);
      expect(await refusalOf(withPassword(person))).toBe(expected);
      expect(await refusalOf(logIn({ tempToken, twoFactorCode: not(person.code()) }))).toBe(expected);
      expect(await refusalOf(logIn({ tempToken, twoFactorCode: person.code() }))).toBe(expected);
    });

    test('logging out everywhere ends sign-ins that wait', async () => {
      const person = await guarded(server);
      const { body } = await withPassword(person, person.code());
      const tempToken = await begin(person);
      await server.http
        .post('/api/v1/auth/logout')
        .auth(body.data.accessToken, { type: 'bearer' })
        .send({ refreshToken: body.data.refreshToken, allDevices: true });
      expect(await refusalOf(logIn({ tempToken, twoFactorCode: person.code(1) }))).toBe(
        '401 INVALID_TWO_FACTOR_CODE',
      );
    });
  });

  test('400 VALIDATION_ERROR names what is missing', async () => {
    const { body } = await logIn({ twoFactorCode: '123456' });
    expect(body.error.details).toEqual({ email: ['is required'], password: ['is required'] });
  });
});
