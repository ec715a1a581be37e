import { z } from 'zod';
import { make } from '../../support/builders/make';
import { origin, ownIdentityServer } from './identity-server';

const server = ownIdentityServer();

const logOut = (accessToken: string, body: object) =>
  server.http.post('/api/v1/auth/logout').auth(accessToken, { type: 'bearer' }).send(body);

const LogoutAnswer = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({ message: z.string().min(1), sessionsRevoked: z.int() }),
});

const reasonsOf = async (user: { id: string }) =>
  (await server.sessionsOf(user)).map(({ revokeReason }) => revokeReason);

describe('200', () => {
  test('ends the session of the token, at once, and clears the cookies', async () => {
    const user = await make.user(server.db);
    const { accessToken, refreshToken } = await server.logIn(user);
    const elsewhere = await server.logIn(user);
    const { status, body, headers } = await logOut(accessToken, { refreshToken });
    expect(status).toBe(200);
    expect(LogoutAnswer.parse(body).data.sessionsRevoked).toBe(1);
    expect(headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^svc_access_token=; Path=\/; Expires=Thu, 01 Jan 1970 .*HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(/^svc_refresh_token=; Path=\/api\/v1\/auth; Expires=Thu, 01 Jan 1970 /),
    ]);
    expect(await server.opens(accessToken)).toBe(false);
    expect(await server.opens(elsewhere.accessToken)).toBe(true);
  });

  test('the token of another device ends that one', async () => {
    const user = await make.user(server.db);
    const [here, there] = [await server.logIn(user), await server.logIn(user)];
    const { body } = await logOut(here.accessToken, { refreshToken: there.refreshToken });
    expect(body.data.sessionsRevoked).toBe(1);
    expect(await reasonsOf(user)).toEqual([null, 'LOGOUT']);
    expect(await server.opens(here.accessToken)).toBe(true);
  });

  test('a token that was exchanged in the meantime still identifies its session', async () => {
    const user = await make.user(server.db);
    const { accessToken, refreshToken } = await server.logIn(user);
    await server.http.post('/api/v1/auth/refresh').send({ refreshToken });
    expect((await logOut(accessToken, { refreshToken })).status).toBe(200);
    expect(await reasonsOf(user)).toEqual(['LOGOUT']);
  });

  test('allDevices ends every session of the user, and nobody else’s', async () => {
    const [user, other] = [await make.user(server.db), await make.user(server.db)];
    const { accessToken, refreshToken } = await server.logIn(user);
    await server.logIn(user);
    await server.logIn(user);
    const others = await server.logIn(other);
    const { body } = await logOut(accessToken, { refreshToken, allDevices: true });
    expect(body.data.sessionsRevoked).toBe(3);
    expect(await reasonsOf(user)).toEqual(['LOGOUT', 'LOGOUT', 'LOGOUT']);
    expect(await server.opens(others.accessToken)).toBe(true);
  });
});

describe('400', () => {
  test.each([
    ['refreshToken', {}],
    ['refreshToken', { refreshToken: '' }],
    ['allDevices', { refreshToken: 'x', allDevices: 'yes' }],
  ])('VALIDATION_ERROR names %s', async (field, wrong) => {
    const { accessToken } = await server.logIn(await make.user(server.db));
    const { status, body } = await logOut(accessToken, wrong);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { [field]: expect.any(Array) } });
  });

  test('INVALID_REFRESH_TOKEN for an unknown token, that of another user, or of an ended session', async () => {
    const [user, other] = [await make.user(server.db), await make.user(server.db)];
    const { accessToken } = await server.logIn(user);
    const ended = await server.logIn(user);
    await logOut(accessToken, { refreshToken: ended.refreshToken });
    const foreign = await server.logIn(other);
    for (const refreshToken of ['made-up', foreign.refreshToken, ended.refreshToken]) {
      const { status, body } = await logOut(accessToken, { refreshToken, allDevices: true });
      expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'INVALID_REFRESH_TOKEN' });
    }
    expect(await reasonsOf(user)).toEqual([null, 'LOGOUT']);
    expect(await reasonsOf(other)).toEqual([null]);
  });
});

describe('401 UNAUTHORIZED', () => {
  test('without an access token', async () => {
    const { refreshToken } = await server.logIn(await make.user(server.db));
    const { status, body } = await server.http.post('/api/v1/auth/logout').send({ refreshToken });
    expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' });
  });
});

describe('403 FORBIDDEN', () => {
  test('signed in by cookie from a page that is not allowed', async () => {
    const { accessToken, refreshToken } = await server.logIn(await make.user(server.db));
    const from = (page: string) =>
      server.http
        .post('/api/v1/auth/logout')
        .set('Cookie', `svc_access_token=${accessToken}`)
        .set('Origin', page)
        .send({ refreshToken });
    const { status, body } = await from('https://evil.example');
    expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'FORBIDDEN' });
    expect((await from(origin)).status).toBe(200);
  });
});
