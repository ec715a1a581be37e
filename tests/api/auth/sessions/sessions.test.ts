import { z } from 'zod';
import { v7 } from 'uuid';
import { decodeJwt } from 'jose';
import type { Response } from 'supertest';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import type { User } from '../../../support/builders/make/people';
import { origin, ownIdentityServer } from '../identity-server';

const server = ownIdentityServer();

describe('GET /auth/sessions', () => {
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
});

describe('DELETE /auth/sessions/:id', () => {
  const revoke = async (accessToken: string, id: string) => {
    const { status, body } = await server.http
      .delete(`/api/v1/auth/sessions/${id}`)
      .auth(accessToken, { type: 'bearer' });
    return { status, body, code: body.error?.code };
  };

  async function twice() {
    const user = await make.user(server.db);
    const [mine, other] = [await server.logIn(user), await server.logIn(user)];
    const [current, target] = await server.sessionsOf(user);
    return { user, mine, other, currentId: current!.id, otherId: target!.id };
  }

  test('API2: 200, and its tokens stop at once, while mine go on', async () => {
    const { user, mine, other, otherId } = await twice();
    const { status, body } = await revoke(mine.accessToken, otherId);
    expect(status).toBe(200);
    expect(body).toEqual({ success: true, data: { message: 'The session has ended.', sessionId: otherId } });
    expect(await server.opens(other.accessToken)).toBe(false);
    expect(await server.opens(mine.accessToken)).toBe(true);
    const refreshed = await server.http
      .post('/api/v1/auth/refresh')
      .send({ refreshToken: other.refreshToken });
    expect(refreshed.body.error.code).toBe('SESSION_REVOKED');
    const reasons = (await server.sessionsOf(user)).map(({ revokeReason }) => revokeReason);
    expect(reasons).toEqual([null, 'REVOKED']);
  });

  test('400 CANNOT_REVOKE_CURRENT', async () => {
    const { mine, currentId } = await twice();
    expect(await revoke(mine.accessToken, currentId)).toMatchObject({
      status: 400,
      code: 'CANNOT_REVOKE_CURRENT',
    });
    expect(await server.opens(mine.accessToken)).toBe(true);
  });

  test('400 VALIDATION_ERROR: no UUID', async () => {
    const { mine } = await twice();
    expect(await revoke(mine.accessToken, 'x')).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
  });

  test('API1: 404 SESSION_NOT_FOUND, the same for another’s, an ended one and one that never existed', async () => {
    const { mine, otherId } = await twice();
    const stranger = await twice();
    await revoke(mine.accessToken, otherId);
    const answers = [
      await revoke(mine.accessToken, stranger.otherId),
      await revoke(mine.accessToken, otherId),
      await revoke(mine.accessToken, v7()),
    ];
    expect(answers.map(({ status, code }) => ({ status, code }))).toEqual(
      Array(3).fill({ status: 404, code: 'SESSION_NOT_FOUND' }),
    );
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await server.opens(stranger.other.accessToken)).toBe(true);
  });

  test('of many requests that end one session at once, one succeeds', async () => {
    const { mine, otherId } = await twice();
    const answers = await Promise.all(Array.from({ length: 10 }, () => revoke(mine.accessToken, otherId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(404)]);
  });

  test('401 UNAUTHORIZED without a token', async () => {
    const { otherId, other } = await twice();
    const { status, body } = await server.http.delete(`/api/v1/auth/sessions/${otherId}`);
    expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    expect(await server.opens(other.accessToken)).toBe(true);
  });
});

describe('POST /auth/refresh', () => {
  const refresh = (refreshToken?: string) =>
    server.http.post('/api/v1/auth/refresh').send(refreshToken === undefined ? {} : { refreshToken });

  /** Lets time pass for a user's tokens and sessions by moving their times into the past. */
  async function letPass(user: User, seconds: number): Promise<void> {
    const span = `make_interval(secs => ${seconds})`;
    await execute(
      server.db,
      `UPDATE refresh_tokens t
        SET created_at = t.created_at - ${span}, expires_at = t.expires_at - ${span}, rotated_at = rotated_at - ${span}
       FROM sessions s WHERE s.id = t.session_id AND s.user_id = $1`,
      [user.id],
    );
    await execute(server.db, `UPDATE sessions SET expires_at = expires_at - ${span} WHERE user_id = $1`, [
      user.id,
    ]);
  }

  const expectRefusal = async (request: PromiseLike<Response>, status: number, code: string) => {
    const { status: received, body } = await request;
    expect({ status: received, code: body.error?.code }).toEqual({ status, code });
  };

  const RefreshAnswer = z.strictObject({
    success: z.literal(true),
    data: z.strictObject({
      accessToken: z.string(),
      refreshToken: z.string().regex(/^[\w-]{43}$/),
      expiresIn: z.literal(900),
      tokenType: z.literal('Bearer'),
    }),
  });

  describe('200', () => {
    test('new tokens for the same session, which lives on from now', async () => {
      const user = await make.user(server.db);
      const first = await server.logIn(user);
      await letPass(user, 3600);
      const { status, body, headers } = await refresh(first.refreshToken);
      expect(status).toBe(200);
      const { data } = RefreshAnswer.parse(body);
      expect(data.refreshToken).not.toBe(first.refreshToken);
      expect(decodeJwt(data.accessToken)['sid']).toBe(decodeJwt(first.accessToken)['sid']);
      expect(await server.opens(data.accessToken)).toBe(true);
      expect(headers['set-cookie']).toEqual([
        expect.stringContaining(`svc_access_token=${data.accessToken};`),
        expect.stringContaining(`svc_refresh_token=${data.refreshToken};`),
      ]);
      const session = await server.one<{ seconds: number }>(
        'SELECT extract(epoch FROM expires_at - last_active_at)::int AS seconds FROM sessions WHERE user_id = $1',
        [user.id],
      );
      expect(session).toEqual({ seconds: 7 * 24 * 3600 });
    });

    test('a browser may send the cookie only, on an allowed page', async () => {
      const { refreshToken } = await server.logIn(await make.user(server.db));
      const { status } = await refresh()
        .set('Cookie', `svc_refresh_token=${refreshToken}`)
        .set('Origin', origin);
      expect(status).toBe(200);
    });

    test('the body counts before the cookie', async () => {
      const { refreshToken } = await server.logIn(await make.user(server.db));
      const { status } = await refresh(refreshToken).set('Cookie', 'svc_refresh_token=stale');
      expect(status).toBe(200);
    });
  });

  describe('400 VALIDATION_ERROR', () => {
    test('no token anywhere', async () => {
      const { status, body } = await refresh();
      expect(status).toBe(400);
      expect(body.error).toMatchObject({
        code: 'VALIDATION_ERROR',
        details: { refreshToken: ['is required'] },
      });
    });

    test('no text', async () => {
      const { status, body } = await server.http.post('/api/v1/auth/refresh').send({ refreshToken: 1 });
      expect(status).toBe(400);
      expect(Object.keys(body.error.details)).toEqual(['refreshToken']);
    });
  });

  describe('401 INVALID_REFRESH_TOKEN', () => {
    test('an unknown token', () => expectRefusal(refresh('made-up'), 401, 'INVALID_REFRESH_TOKEN'));

    test('a token used again within 20 s: a client that raced itself, whose session goes on', async () => {
      const user = await make.user(server.db);
      const first = await server.logIn(user);
      const { body } = await refresh(first.refreshToken);
      await letPass(user, 19);
      await expectRefusal(refresh(first.refreshToken), 401, 'INVALID_REFRESH_TOKEN');
      expect((await refresh(body.data.refreshToken)).status).toBe(200);
    });

    test('API2: 7.2.4 of 50 at once exactly one wins, and the session goes on', async () => {
      const user = await make.user(server.db);
      const { refreshToken } = await server.logIn(user);
      const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(refreshToken)));
      const [winner, ...others] = answers.filter(({ status }) => status === 200);
      expect(others).toEqual([]);
      const codes = answers.filter((answer) => answer !== winner).map(({ body }) => body.error.code);
      expect(codes).toEqual(Array(49).fill('INVALID_REFRESH_TOKEN'));
      expect(await server.sessionsOf(user)).toEqual([{ id: expect.any(String), revokeReason: null }]);
      expect(await server.opens(winner!.body.data.accessToken)).toBe(true);
      expect((await refresh(winner!.body.data.refreshToken)).status).toBe(200);
    });
  });

  describe('401 REFRESH_TOKEN_EXPIRED', () => {
    test('after 7 days without a refresh', async () => {
      const user = await make.user(server.db);
      const { refreshToken } = await server.logIn(user);
      await letPass(user, 7 * 24 * 3600);
      await expectRefusal(refresh(refreshToken), 401, 'REFRESH_TOKEN_EXPIRED');
    });
  });

  describe('401 SESSION_REVOKED', () => {
    test('API2: 7.4.1 a token used again later ends its session: the thief is out, and so is the robbed', async () => {
      const user = await make.user(server.db);
      const first = await server.logIn(user);
      const { body } = await refresh(first.refreshToken);
      const elsewhere = await server.logIn(user);
      await letPass(user, 21);
      await expectRefusal(refresh(first.refreshToken), 401, 'SESSION_REVOKED');
      await expectRefusal(refresh(body.data.refreshToken), 401, 'SESSION_REVOKED');
      expect(await server.opens(body.data.accessToken)).toBe(false);
      expect(await server.opens(elsewhere.accessToken)).toBe(true);
      expect((await server.sessionsOf(user)).map(({ revokeReason }) => revokeReason)).toEqual([
        'REUSE',
        null,
      ]);
    });

    test('after logging out', async () => {
      const { accessToken, refreshToken } = await server.logIn(await make.user(server.db));
      await server.http
        .post('/api/v1/auth/logout')
        .auth(accessToken, { type: 'bearer' })
        .send({ refreshToken });
      await expectRefusal(refresh(refreshToken), 401, 'SESSION_REVOKED');
    });

    test('for a user who is no longer ACTIVE', async () => {
      const user = await make.user(server.db);
      const { refreshToken } = await server.logIn(user);
      await execute(server.db, `UPDATE users SET status = 'BANNED' WHERE id = $1`, [user.id]);
      await expectRefusal(refresh(refreshToken), 401, 'SESSION_REVOKED');
    });
  });

  describe('403 FORBIDDEN', () => {
    test.each([undefined, 'https://evil.example'])('by cookie from %s', async (from) => {
      const { refreshToken } = await server.logIn(await make.user(server.db));
      const request = refresh().set('Cookie', `svc_refresh_token=${refreshToken}`);
      if (from !== undefined) request.set('Origin', from);
      await expectRefusal(request, 403, 'FORBIDDEN');
      expect((await refresh(refreshToken)).status).toBe(200);
    });
  });
});
