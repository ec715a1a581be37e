import { z } from 'zod';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../identity-server';

const server = ownIdentityServer();

const list = (accessToken: string, query = '') =>
  server.http.get(`/api/v1/auth/sessions${query}`).auth(accessToken, { type: 'bearer' });

const Answer = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    sessions: z.array(
      z.strictObject({
        id: z.uuid(),
        deviceFingerprint: z.string().nullable(),
        ipAddress: z.string(),
        userAgent: z.string(),
        location: z.strictObject({ country: z.string().nullable(), city: z.string().nullable() }),
        isCurrent: z.boolean(),
        createdAt: z.iso.datetime(),
        lastActiveAt: z.iso.datetime(),
        expiresAt: z.iso.datetime(),
      }),
    ),
  }),
  meta: z.strictObject({ pagination: z.looseObject({ total: z.int() }) }),
});

describe('200', () => {
  test('live sessions of mine, newest first, with the current one marked', async () => {
    const [me, other] = [await make.user(server.db), await make.user(server.db)];
    await server.logIn(other);
    const ended = await server.logIn(me);
    await server.http
      .post('/api/v1/auth/logout')
      .auth(ended.accessToken, { type: 'bearer' })
      .send({ refreshToken: ended.refreshToken });
    await server.http
      .post('/api/v1/auth/login')
      .set('User-Agent', 'Test/1')
      .send({ email: me.email, password: me.password, deviceFingerprint: 'laptop' });
    const { accessToken } = await server.logIn(me);
    const { status, body } = await list(accessToken);
    expect(status).toBe(200);
    const { data, meta } = Answer.parse(body);
    const shown = data.sessions.map(({ deviceFingerprint, isCurrent, userAgent, ipAddress }) => ({
      deviceFingerprint,
      isCurrent,
      userAgent,
      ipAddress,
    }));
    expect(shown).toEqual([
      { deviceFingerprint: null, isCurrent: true, userAgent: '', ipAddress: '127.0.0.1' },
      { deviceFingerprint: 'laptop', isCurrent: false, userAgent: 'Test/1', ipAddress: '127.0.0.1' },
    ]);
    expect(meta.pagination).toMatchObject({ total: 2, page: 1, pageSize: 20 });
    const [newest] = data.sessions;
    expect(Date.parse(newest!.expiresAt) - Date.parse(newest!.createdAt)).toBe(7 * 24 * 3_600_000);
  });

  test('the estimated place of a session is shown', async () => {
    const me = await make.user(server.db);
    const { accessToken } = await server.logIn(me);
    await execute(server.db, `UPDATE sessions SET country = 'DE', city = 'Berlin' WHERE user_id = $1`, [
      me.id,
    ]);
    const { body } = await list(accessToken);
    expect(body.data.sessions[0].location).toEqual({ country: 'DE', city: 'Berlin' });
  });

  test('page by page', async () => {
    const me = await make.user(server.db);
    for (let i = 0; i < 2; i++) await server.logIn(me);
    const { accessToken } = await server.logIn(me);
    const pages = [await list(accessToken, '?pageSize=2'), await list(accessToken, '?pageSize=2&page=2')];
    const ids = pages.flatMap(({ body }) => body.data.sessions.map(({ id }: { id: string }) => id));
    expect(ids).toEqual((await server.sessionsOf(me)).map(({ id }) => id).reverse());
    expect(pages[1]!.body.meta.pagination).toMatchObject({ total: 3, totalPages: 2, hasNext: false });
  });

  test('a session that has expired is not listed', async () => {
    const me = await make.user(server.db);
    const old = await server.logIn(me);
    await execute(server.db, 'UPDATE sessions SET expires_at = now() WHERE user_id = $1', [me.id]);
    const { accessToken } = await server.logIn(me);
    expect((await list(accessToken)).body.data.sessions).toHaveLength(1);
    expect((await list(old.accessToken)).status).toBe(401);
  });
});

test.each(['pageSize=51', 'pageSize=0', 'page=0', 'page=x'])('400 VALIDATION_ERROR: %s', async (query) => {
  const { accessToken } = await server.logIn(await make.user(server.db));
  const { status, body } = await list(accessToken, `?${query}`);
  expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
});

test('401 UNAUTHORIZED without a token', async () => {
  const { status, body } = await server.http.get('/api/v1/auth/sessions');
  expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' });
});
