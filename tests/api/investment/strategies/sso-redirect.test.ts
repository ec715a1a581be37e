import { createHmac, randomUUID } from 'node:crypto';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { execute, rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import type { MadeProvider } from '../../../support/builders/make/providers';
import type { User } from '../../../support/builders/make/people';
import { signIn } from '../../../support/builders/sign-in';
import { ownWorld } from '../../../support/worlds/world';
import { outcomeOf } from '../../admin/admin-world';

const lines: string[] = [];
let provider: MadeProvider;
let user: User;
let token: string;
const world = ownWorld({ worker: false, lines });
beforeEach(async () => {
  provider = await make.provider(world.db);
  user = await make.user(world.db, { firstName: 'Ada', lastName: 'Byron' });
  token = await signIn(world, user);
});

const ask = (id: string, as: string | null = token) => {
  const request = world.http.post(`/api/v1/investment/strategies/${id}/sso-redirect`);
  return as === null ? request : request.auth(as, { type: 'bearer' });
};
const strategyOf = (options: Parameters<typeof make.strategy>[1] = {}) =>
  make.strategy(world.db, { providerCode: provider.code, ...options });

/** The provider's side: reads the token from the address as its own program would. */
const verifiedBy = (redirectUrl: string, { code, ssoKey }: MadeProvider, audience = `${code}.example`) =>
  jwtVerify(new URL(redirectUrl).searchParams.get('token')!, Buffer.from(ssoKey, 'base64url'), {
    ...{ algorithms: ['HS256'], typ: 'JWT', issuer: 'marketplace-platform', audience },
    requiredClaims: ['jti', 'iat', 'exp', 'sub'],
  });

describe('POST /investment/strategies/:id/sso-redirect', () => {
  test('200: the provider learns who comes, from which strategy, for five minutes', async () => {
    const strategy = await strategyOf({ strategyCode: 'steady-12' });
    const answer = await ask(strategy.id);
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    const { redirectUrl, expiresAt } = answer.body.data as Record<string, string>;
    expect(Object.keys(answer.body.data as object)).toEqual(['redirectUrl', 'expiresAt']);
    expect(redirectUrl).toMatch(`https://${provider.code}.example/api/sso?token=`);

    const { payload, protectedHeader } = await verifiedBy(redirectUrl!, provider);
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'JWT' });
    const { iat, jti, ...claims } = payload;
    expect(claims).toEqual({
      ...{ iss: 'marketplace-platform', aud: `${provider.code}.example`, sub: user.id, exp: iat! + 300 },
      ...{ userId: user.id, email: user.email, fullName: 'Ada Byron', strategyCode: 'steady-12' },
      ...{ kycStatus: 'NOT_STARTED', kycLevel: 'BASIC' },
    });
    expect(jti).toMatch(/^[0-9a-f-]{36}$/);
    expect(Math.abs(iat! - Date.now() / 1000)).toBeLessThan(30);
    expect(expiresAt).toBe(new Date((iat! + 300) * 1000).toISOString());
  });

  test('200: to the sign-in page of a provider that has one, with or without an API', async () => {
    const ssoUrl = 'https://app.alpha.example/sign-in';
    for (const more of [{}, { apiBase: null }]) {
      provider = await make.provider(world.db, { ssoUrl, ...more });
      const { redirectUrl } = (await ask((await strategyOf()).id)).body.data as { redirectUrl: string };
      expect(redirectUrl).toMatch(`${ssoUrl}?token=`);
      expect((await verifiedBy(redirectUrl, provider)).payload.sub).toBe(user.id);
    }
  });

  test('by slug as well, and each token has a jti of its own', async () => {
    const { slug } = await strategyOf();
    const jtis = await Promise.all(
      [1, 2].map(async () => {
        const { body } = await ask(slug);
        return (await verifiedBy(body.data.redirectUrl as string, provider)).payload.jti;
      }),
    );
    expect(new Set(jtis).size).toBe(2);
  });

  test('the verification is the one in force: not an approval that is over', async () => {
    const { id } = await strategyOf();
    const claims = async () => {
      const { body } = await ask(id);
      return (await verifiedBy(body.data.redirectUrl as string, provider)).payload;
    };
    await execute(
      world.db,
      `UPDATE users SET kyc_status = 'APPROVED', kyc_level = 'STANDARD' WHERE id = $1`,
      [user.id],
    );
    const kycId = await make.verified(world.db, user.id);
    expect(await claims()).toMatchObject({ kycStatus: 'APPROVED', kycLevel: 'STANDARD' });
    await execute(world.db, `UPDATE kyc_verifications SET expires_at = now() WHERE id = $1`, [kycId]);
    expect(await claims()).toMatchObject({ kycStatus: 'NOT_STARTED', kycLevel: 'BASIC' });
  });

  test('after a rotation, the new key signs', async () => {
    const { id } = await strategyOf();
    const superAdmin = await signIn(world, await make.superAdmin(world.db));
    const { body } = await world.http
      .post(`/api/v1/admin/providers/${provider.code}/rotate-secret`)
      .auth(superAdmin, { type: 'bearer' })
      .send({ secret: 'SSO' });
    const { redirectUrl } = (await ask(id)).body.data as { redirectUrl: string };
    await expect(verifiedBy(redirectUrl, provider)).rejects.toThrow('signature verification failed');
    const { payload } = await verifiedBy(redirectUrl, { ...provider, ssoKey: body.data.ssoKey as string });
    expect(payload.sub).toBe(user.id);
  });

  test.each(['PAUSED', 'CLOSED'] as const)(
    '400 STRATEGY_NOT_ACTIVE: a %s strategy leads only those who take part in it',
    async (status) => {
      const { id } = await strategyOf();
      await make.participation(world.db, { userId: user.id, strategyId: id, status: 'ACTIVE' });
      await execute(world.db, 'UPDATE investment_strategies SET status = $2 WHERE id = $1', [id, status]);
      expect((await ask(id)).status).toBe(200);
      const stranger = await signIn(world, await make.user(world.db));
      expect(outcomeOf(await ask(id, stranger))).toBe('400 STRATEGY_NOT_ACTIVE');
    },
  );

  test('400 STRATEGY_NOT_ACTIVE: a cancelled participation is none', async () => {
    const { id } = await strategyOf();
    const { id: participationId } = await make.participation(world.db, { userId: user.id, strategyId: id });
    await execute(
      world.db,
      `UPDATE participations SET status = 'CANCELLED', ended_at = now() WHERE id = $1`,
      [participationId],
    );
    await execute(world.db, `UPDATE investment_strategies SET status = 'PAUSED' WHERE id = $1`, [id]);
    expect(outcomeOf(await ask(id))).toBe('400 STRATEGY_NOT_ACTIVE');
  });

  test('404 STRATEGY_NOT_FOUND, 401 UNAUTHORIZED', async () => {
    expect(outcomeOf(await ask(randomUUID()))).toBe('404 STRATEGY_NOT_FOUND');
    expect(outcomeOf(await ask('no-such-strategy'))).toBe('404 STRATEGY_NOT_FOUND');
    expect(outcomeOf(await ask((await strategyOf()).id, null))).toBe('401 UNAUTHORIZED');
  });

  test.each([
    ['without an address', { apiBase: null }],
    ['without an audience', { ssoAudience: null }],
    ['that is not active', { isActive: false }],
  ])('503 PROVIDER_NOT_CONFIGURED: a provider %s', async (_, options) => {
    provider = await make.provider(world.db, options);
    expect(outcomeOf(await ask((await strategyOf()).id))).toBe('503 PROVIDER_NOT_CONFIGURED');
  });

  test('the token is in no log and no table, also of a request under a key', async () => {
    const { id } = await strategyOf();
    const { body } = await ask(id).set('Idempotency-Key', 'sso-1');
    const signed = new URL(body.data.redirectUrl as string).searchParams.get('token')!;
    const [, , signature] = signed.split('.');
    expect(lines.join('')).toContain('sso-redirect');
    expect(lines.join('')).not.toContain(signature);
    const kept = await rows(world.db, 'SELECT 1 FROM idempotency_keys WHERE body::text LIKE $1', [
      `%${signature!}%`,
    ]);
    expect(kept).toEqual([]);
    const again = await ask(id).set('Idempotency-Key', 'sso-1');
    expect(again.headers['idempotent-replayed']).toBeUndefined();
    expect(again.body.data.redirectUrl).not.toBe(body.data.redirectUrl);
  });
});

describe('a token for a provider signs nobody in here', () => {
  /** Even of a provider whose audience is our own. */
  async function tokenForUs(): Promise<string> {
    provider = await make.provider(world.db, { ssoAudience: 'marketplace-api' });
    const { body } = await ask((await strategyOf()).id);
    const { redirectUrl } = body.data as { redirectUrl: string };
    await verifiedBy(redirectUrl, provider, 'marketplace-api');
    return new URL(redirectUrl).searchParams.get('token')!;
  }

  test('not as a bearer, not in the cookie', async () => {
    const signed = await tokenForUs();
    const me = () => world.http.get('/api/v1/users/me');
    expect(outcomeOf(await me().auth(signed, { type: 'bearer' }))).toBe('401 UNAUTHORIZED');
    expect(outcomeOf(await me().set('Cookie', `svc_access_token=${signed}`))).toBe('401 UNAUTHORIZED');
    const change = world.http.patch('/api/v1/users/me/profile').set('Cookie', `svc_access_token=${signed}`);
    expect(outcomeOf(await change.set('Origin', world.url).send({ firstName: 'Eve' }))).toBe(
      '401 UNAUTHORIZED',
    );
  });

  test('not as a refresh token, a temporary token, or one from a mail', async () => {
    const signed = await tokenForUs();
    const send = (path: string, body: object) => world.http.post(`/api/v1/auth/${path}`).send(body);
    // Longer than all of ours, and no better where it is cut to their length.
    for (const text of [signed, signed.slice(-43)]) {
      const answers = await Promise.all([
        send('refresh', { refreshToken: text }),
        send('login', { tempToken: text, twoFactorCode: '123456' }),
        send('verify-email', { token: text }),
        send('undo', { token: text }),
      ]);
      for (const { status, headers } of answers) {
        expect([400, 401]).toContain(status);
        expect(headers['set-cookie']).toBeUndefined();
      }
    }
  });

  test('nor re-made under the header of our own tokens', async () => {
    const signed = await tokenForUs();
    const [, payload] = signed.split('.');
    const { kid } = decodeProtectedHeader(token);
    const header = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'at+jwt', kid })).toString('base64url');
    const mac = createHmac('sha256', Buffer.from(provider.ssoKey, 'base64url')).update(
      `${header}.${payload}`,
    );
    const forged = `${header}.${payload}.${mac.digest('base64url')}`;
    const answer = await world.http.get('/api/v1/users/me').auth(forged, { type: 'bearer' });
    expect(outcomeOf(answer)).toBe('401 UNAUTHORIZED');
  });
});
