import { decodeJwt } from 'jose';
import type { Response } from 'supertest';
import { z } from 'zod';
import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import type { User } from '../../support/builders/make/people';
import { origin, ownIdentityServer } from './identity-server';

const server = ownIdentityServer();

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
    expect((await server.sessionsOf(user)).map(({ revokeReason }) => revokeReason)).toEqual(['REUSE', null]);
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
