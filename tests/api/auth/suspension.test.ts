import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { ownIdentityServer } from './identity-server';

const server = ownIdentityServer();

test('API2: 7.4.2 suspending a user stops their access token at once, in two API processes', async () => {
  const processes = [server.start(), server.start()];
  const user = await make.user(server.db);
  const { accessToken, refreshToken } = await server.logIn(user);
  const ask = () =>
    Promise.all(
      processes.map(async (http) => {
        const answer = await http.get('/api/v1/auth/sessions').auth(accessToken, { type: 'bearer' });
        return answer.status;
      }),
    );
  expect(await ask()).toEqual([200, 200]);
  await execute(server.db, `UPDATE users SET status = 'SUSPENDED' WHERE id = $1`, [user.id]);
  expect(await ask()).toEqual([401, 401]);
  const refreshed = await processes[1]!.post('/api/v1/auth/refresh').send({ refreshToken });
  expect(refreshed.body.error.code).toBe('SESSION_REVOKED');
});

test('API2: what one process ends, the other refuses at once', async () => {
  const [here, there] = [server.start(), server.start()];
  const user = await make.user(server.db);
  const [mine, other] = [await server.logIn(user), await server.logIn(user)];
  const [, otherSession] = await server.sessionsOf(user);
  const ended = await here
    .delete(`/api/v1/auth/sessions/${otherSession!.id}`)
    .auth(mine.accessToken, { type: 'bearer' });
  expect(ended.status).toBe(200);
  const refused = await there.get('/api/v1/auth/sessions').auth(other.accessToken, { type: 'bearer' });
  expect(refused.status).toBe(401);
});
