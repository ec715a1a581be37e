import { decodeJwt, decodeProtectedHeader } from 'jose';
import { z } from 'zod';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../identity-server';

const server = ownIdentityServer();

const logIn = (body: object) => server.http.post('/api/v1/auth/login').send(body);

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
