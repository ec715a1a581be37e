import { argon2id } from '../../../../api/http/auth/passwords/passwords';
import { execute, type Db } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { ownWorld } from '../../../support/worlds/world';
import { ownIdentityServer } from '../identity-server';

/** A user whose password costs as much to check as one that was set through the API. */
async function person(db: Db): ReturnType<typeof make.user> {
  const user = await make.user(db);
  const stored = [user.id, await argon2id.hash(user.password)];
  await execute(db, 'UPDATE users SET password_hash = $2 WHERE id = $1', stored);
  return user;
}

describe('guesses', () => {
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
      error: { code: 'INVALID_CREDENTIALS', message: 'The email address or the password is wrong.' },
    };

    test('an unknown address and a wrong password are answered alike, and cost one verification alike', async () => {
      const user = await person(server.db);
      const wrong = await logIn({ email: user.email, password: 'wrong' });
      const unknown = await logIn({ email: 'nobody@example.com', password: user.password });
      expect([wrong.status, unknown.status]).toEqual([401, 401]);
      expect(wrong.body).toEqual(refusal);
      expect(unknown.body).toEqual(refusal);
      expect(wrong.headers['set-cookie']).toBeUndefined();
      expect(verifications.map(({ same }) => same)).toEqual([false, false]);
      // The stand-in costs what real hashes cost: same algorithm, same parameters.
      const parameters = verifications.map(({ passwordHash }) =>
        passwordHash.split('$').slice(1, 4).join('$'),
      );
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

      await execute(
        server.db,
        `UPDATE rate_limits SET expire = expire - $1 WHERE key LIKE 'failed-login:%'`,
        [15 * 60_000],
      );
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
});

describe('two passwords are checked at once', () => {
  /** While it is set, every check of a password waits for it. */
  let held: Promise<void> | undefined;
  let checking = 0;
  let mostAtOnce = 0;
  let begun = 0;
  const server = ownIdentityServer(
    { PASSWORD_CHECKS_AT_ONCE: '2' },
    {
      hash: argon2id.hash,
      async verify(passwordHash, password) {
        begun++;
        mostAtOnce = Math.max(mostAtOnce, ++checking);
        try {
          await held;
          return await argon2id.verify(passwordHash, password);
        } finally {
          checking--;
        }
      },
    },
  );

  test('however many log in, two passwords are checked at a time, and everyone else is served meanwhile', async () => {
    const user = await make.user(server.db);
    const { accessToken } = await server.logIn(user);
    let letGo = (): void => undefined;
    held = new Promise((resolve) => {
      letGo = resolve;
    });
    let answered = 0;
    const flood = Array.from({ length: 50 }, async () => {
      const { status } = await server.http.post('/api/v1/auth/login').send(user);
      answered++;
      return status;
    });
    await eventually(() => expect(checking).toBe(2));
    for (let i = 0; i < 10; i++) expect(await server.opens(accessToken)).toBe(true);
    expect({ answered, mostAtOnce }).toEqual({ answered: 0, mostAtOnce: 2 });

    letGo();
    expect(await Promise.all(flood)).toEqual(Array(50).fill(200));
    expect(mostAtOnce).toBe(2);
  });

  /** Two run, and forty wait for each of them. */
  const ROOM = 2 + 80;

  test('a flood is shed: what has no room gets 503 with Retry-After at once, and all is well when it is over', async () => {
    const user = await make.user(server.db);
    const { accessToken } = await server.logIn(user);
    let letGo = (): void => undefined;
    held = new Promise((resolve) => {
      letGo = resolve;
    });
    const answers: { status: number; code: string | undefined; retryAfter: string | undefined }[] = [];
    const flood = Array.from({ length: ROOM + 20 }, async () => {
      const { status, body, headers } = await server.http.post('/api/v1/auth/login').send(user);
      answers.push({ status, code: body.error?.code, retryAfter: headers['retry-after'] });
    });
    await eventually(() => expect(answers).toHaveLength(20));
    expect(answers).toEqual(Array(20).fill({ status: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: '2' }));
    expect(await server.opens(accessToken)).toBe(true);
    letGo();
    await Promise.all(flood);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(ROOM);
    expect((await server.http.post('/api/v1/auth/login').send(user)).status).toBe(200);
  });

  test('a client who has gone gives up its place, and its password is not checked', async () => {
    const user = await make.user(server.db);
    let letGo = (): void => undefined;
    held = new Promise((resolve) => {
      letGo = resolve;
    });
    const url = await server.listening();
    const send = (signal: AbortSignal | null) =>
      fetch(`${url}/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: user.email, password: user.password }),
        signal,
      }).then(({ status }) => status);
    const running = [send(null), send(null)];
    await eventually(() => expect(checking).toBe(2));
    // Whatever is answered on a new connection was read after what came before it.
    const roundTrips = async () => {
      for (let i = 0; i < 5; i++) await (await fetch(`${url}/.well-known/jwks.json`)).text();
    };
    const client = new AbortController();
    const gone = Array.from({ length: 5 }, () => send(client.signal).catch(() => 'gone'));
    await roundTrips();
    begun = 0;
    client.abort();
    expect(new Set(await Promise.all(gone))).toEqual(new Set(['gone']));
    await roundTrips();
    const next = send(null);
    letGo();
    expect(await Promise.all([...running, next])).toEqual([200, 200, 200]);
    expect(begun).toBe(1);
  });
});

describe('a flood over the whole platform', () => {
  const LOGINS = 50;

  const world = ownWorld({ worker: false, variables: { PASSWORD_CHECKS_AT_ONCE: '1' } });

  test('a flood of logins does not delay other requests: they are answered long before it is over', async () => {
    const { email, password } = await person(world.db);
    await make.product(world.db);
    const read = async () => expect((await world.http.get('/api/v1/products?search=flood')).status).toBe(200);
    await read();

    let answered = 0;
    const flood = Array.from({ length: LOGINS }, async () => {
      const { status } = await world.http.post('/api/v1/auth/login').send({ email, password });
      answered++;
      return status;
    });
    const seen: number[] = [];
    for (let i = 0; i < 5; i++) {
      await read();
      seen.push(answered);
    }
    // Passwords are checked a few at a time: five reads, one after another, do not wait for most of fifty logins.
    expect(seen.at(-1)).toBeLessThan(LOGINS / 2);
    // Requests beyond the queue are refused; those in the queue succeed in the end.
    const statuses = await Promise.all(flood);
    expect(new Set([200, 503, ...statuses]).size).toBe(2);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(LOGINS / 2);
  });
});
