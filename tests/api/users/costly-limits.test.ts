import { make } from '../../support/builders/make';
import { signIn } from '../../support/builders/sign-in';
import { ownIdentityServer } from '../auth/identity-server';

/** As in production. The tests cover the limits that these endpoints have in addition to the stated one. */
const server = ownIdentityServer({ RATE_LIMIT_SCALE: '1' });

const signedIn = async () => signIn(server, await make.user(server.db));
type Http = typeof server.http;
const asks = {
  'POST /users/me/password': (http: Http) =>
    http.post('/api/v1/users/me/password').send({
      currentPassword: 'x',
      password: 'Umbrella-7-tango',
      confirmPassword: 'Umbrella-7-tangos',
    }),
  'POST /auth/2fa/disable': (http: Http) => http.post('/api/v1/auth/2fa/disable').send({ password: 'x' }),
  'GET /users/me/export': (http: Http) => http.get('/api/v1/users/me/export'),
  'POST /users/me/avatar': (http: Http) => http.post('/api/v1/users/me/avatar').send({}),
};

test.each([
  ['POST /users/me/password', 5, 60],
  ['POST /auth/2fa/disable', 5, 60],
  ['GET /users/me/export', 5, 3600],
  ['POST /users/me/avatar', 10, 3600],
] as const)(
  '%s is answered %d times in %d s for each user, by all processes together',
  async (name, most, seconds) => {
    const token = await signedIn();
    const processes = [server.http, server.start()];
    let answered = 0;
    let retryAfter = 0;
    // After more than a second, the refusal is not by the burst limit.
    for (let i = 0; i < 100 && retryAfter <= 1; i++) {
      const answer = await asks[name](processes[i % 2]!).auth(token, { type: 'bearer' });
      if (answer.status !== 429) answered++;
      else retryAfter = Number(answer.headers['retry-after']);
    }
    expect(answered).toBe(most);
    expect(retryAfter).toBeGreaterThan(seconds / 2);
    expect(retryAfter).toBeLessThanOrEqual(seconds);
    const other = await asks[name](server.http).auth(await signedIn(), { type: 'bearer' });
    expect(other.status).not.toBe(429);
  },
);
