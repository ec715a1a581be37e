import { argon2id } from '../../../../api/http/auth/passwords/passwords';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../identity-server';

/** Every verification that ran: with which hash, and what it said. */
const verifications: { passwordHash: string; same: boolean }[] = [];
const server = ownIdentityServer(
  {},
  {
    hash: argon2id.hash,
    async verify(passwordHash, password) {
      const same = await argon2id.verify(passwordHash, password);
      verifications.push({ passwordHash, same });
      return same;
    },
  },
);
beforeEach(() => verifications.splice(0));

const logIn = (body: object) => server.http.post('/api/v1/auth/login').send(body);

describe('401 INVALID_CREDENTIALS', () => {
  const refusal = {
    success: false,
    error: { code: 'INVALID_CREDENTIALS', message: 'E-mail or password is wrong.' },
  };

  test('an unknown address and a wrong password are answered alike, and cost one verification alike', async () => {
    const user = await make.user(server.db);
    const wrong = await logIn({ email: user.email, password: 'wrong' });
    const unknown = await logIn({ email: 'nobody@example.com', password: user.password });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.body).toEqual(refusal);
    expect(unknown.body).toEqual(refusal);
    expect(wrong.headers['set-cookie']).toBeUndefined();
    expect(verifications.map(({ same }) => same)).toEqual([false, false]);
    // The stand-in costs what real hashes cost: same algorithm, same parameters.
    const parameters = verifications.map(({ passwordHash }) => passwordHash.split('$').slice(1, 4).join('$'));
    expect(parameters).toEqual(Array(2).fill('argon2id$v=19$m=19456,t=2,p=1'));
  });

  test('an account without a password cannot be entered by one', async () => {
    const user = await make.user(server.db);
    await execute(server.db, 'UPDATE users SET password_hash = NULL WHERE id = $1', [user.id]);
    expect((await logIn({ email: user.email, password: user.password })).body).toEqual(refusal);
    expect(verifications).toHaveLength(1);
  });

  test('after 10 failures the right password is refused too, until the window has passed', async () => {
    const user = await make.user(server.db);
    const right = () => logIn({ email: user.email, password: user.password });
    const fail = async (times: number) => {
      for (let i = 0; i < times; i++) await logIn({ email: user.email, password: 'wrong' });
    };
    await fail(9);
    expect((await right()).status).toBe(200);
    await fail(1);
    verifications.splice(0);
    expect((await right()).body).toEqual(refusal);
    expect(verifications).toEqual([{ passwordHash: expect.any(String), same: true }]);

    await execute(server.db, `UPDATE rate_limits SET expire = expire - $1 WHERE key LIKE 'failed-login:%'`, [
      15 * 60_000,
    ]);
    expect((await right()).status).toBe(200);
    await fail(1);
    expect((await right()).status).toBe(200);
  });

  test('further guesses do not prolong the lockout', async () => {
    const user = await make.user(server.db);
    const pass = (minutes: number) =>
      execute(server.db, `UPDATE rate_limits SET expire = expire - $1 WHERE key LIKE 'failed-login:%'`, [
        minutes * 60_000,
      ]);
    for (let i = 0; i < 10; i++) await logIn({ email: user.email, password: 'wrong' });
    await pass(14);
    await logIn({ email: user.email, password: 'wrong' });
    expect((await logIn({ email: user.email, password: user.password })).body).toEqual(refusal);
    await pass(1);
    expect((await logIn({ email: user.email, password: user.password })).status).toBe(200);
  });

  test('how many failures lock, and for how long, is policy', async () => {
    const user = await make.user(server.db);
    const http = server.start({ POLICY_LOGIN_FAILURES: '2', POLICY_LOGIN_WINDOW_MINUTES: '60' });
    const ask = (password: string) => http.post('/api/v1/auth/login').send({ email: user.email, password });
    await ask('wrong');
    expect((await ask(user.password)).status).toBe(200);
    await ask('wrong');
    expect((await ask(user.password)).body).toEqual(refusal);
    const pass = (minutes: number) =>
      execute(server.db, `UPDATE rate_limits SET expire = expire - $1 WHERE key LIKE 'failed-login:%'`, [
        minutes * 60_000,
      ]);
    await pass(59);
    expect((await ask(user.password)).body).toEqual(refusal);
    await pass(1);
    expect((await ask(user.password)).status).toBe(200);
  });

  test('guesses that race each other are all counted', async () => {
    const user = await make.user(server.db);
    await Promise.all(Array.from({ length: 12 }, () => logIn({ email: user.email, password: 'wrong' })));
    expect((await logIn({ email: user.email, password: user.password })).body).toEqual(refusal);
  });

  test("one account's failures are not another's", async () => {
    const [locked, other] = [await make.user(server.db), await make.user(server.db)];
    for (let i = 0; i < 10; i++) await logIn({ email: locked.email, password: 'wrong' });
    expect((await logIn({ email: locked.email, password: locked.password })).status).toBe(401);
    expect((await logIn({ email: other.email, password: other.password })).status).toBe(200);
  });
});

test('what is not valid costs no verification', async () => {
  expect((await logIn({ email: 'a@example.com', password: 'x'.repeat(1025) })).status).toBe(400);
  expect(verifications).toEqual([]);
});

describe('429 RATE_LIMIT_EXCEEDED', () => {
  test('5 a minute from one address, counted by all API processes together', async () => {
    await execute(server.db, 'DELETE FROM rate_limits');
    const processes = [server.start({ RATE_LIMIT_SCALE: '1' }), server.start({ RATE_LIMIT_SCALE: '1' })];
    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) {
      const answer = await processes[i % 2]!.post('/api/v1/auth/login').send({
        email: 'x@example.com',
        password: 'x',
      });
      statuses.push(answer.status);
      expect(answer.headers['x-ratelimit-limit']).toBe('5');
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });
});
