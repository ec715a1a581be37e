import { v7 } from 'uuid';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../identity-server';

const server = ownIdentityServer();

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
  const refreshed = await server.http.post('/api/v1/auth/refresh').send({ refreshToken: other.refreshToken });
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
