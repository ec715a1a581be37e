import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../identity-server';
import { guarded, lastCode, letCodesExpire, not, refusalOf, type Guarded } from '../two-factor/guarded';

const server = ownIdentityServer();

const logIn = (body: object) => server.http.post('/api/v1/auth/login').send(body);

describe('the second step', () => {
  const withPassword = ({ user }: Pick<Guarded, 'user'>, twoFactorCode?: string) =>
    logIn({ email: user.email, password: user.password, twoFactorCode });

  /** The first step; answers the token to go on with. */
  const begin = async (person: Pick<Guarded, 'user'>): Promise<string> =>
    (await withPassword(person)).body.data.tempToken;

  const liveSessions = async (person: Guarded): Promise<number> =>
    (await server.sessionsOf(person.user)).filter(({ revokeReason }) => revokeReason === null).length;

  describe('401 INVALID_TWO_FACTOR_CODE', () => {
    const invalid = '401 INVALID_TWO_FACTOR_CODE';

    test('a wrong code, with the password or with the tempToken', async () => {
      const person = await guarded(server);
      expect(await refusalOf(withPassword(person, not(person.code())))).toBe(invalid);
      const tempToken = await begin(person);
      expect(await refusalOf(logIn({ tempToken, twoFactorCode: 'not-a-code' }))).toBe(invalid);
      expect(await refusalOf(logIn({ tempToken: 'made-up', twoFactorCode: person.code() }))).toBe(invalid);
      expect(await liveSessions(person)).toBe(1);
    });

    test('API2: 6.5.1 a code is good once, and so is a backup code', async () => {
      const person = await guarded(server);
      const code = person.code();
      expect((await withPassword(person, code)).status).toBe(200);
      expect(await refusalOf(withPassword(person, code))).toBe(invalid);
      expect(await refusalOf(withPassword(person, person.code(-1)))).toBe(invalid);
      const [backup] = person.backupCodes;
      expect((await withPassword(person, backup)).status).toBe(200);
      expect(await refusalOf(withPassword(person, backup))).toBe(invalid);
    });

    test('API2: 6.6.3 a tempToken dies with the 5th wrong code', async () => {
      const person = await guarded(server);
      const tempToken = await begin(person);
      const wrong = not(person.code());
      for (let i = 0; i < 5; i++)
        expect(await refusalOf(logIn({ tempToken, twoFactorCode: wrong }))).toBe(invalid);
      expect(await refusalOf(logIn({ tempToken, twoFactorCode: person.code() }))).toBe(invalid);
      expect((await logIn({ tempToken: await begin(person), twoFactorCode: person.code() })).status).toBe(
        200,
      );
    });

    test('API2: a tempToken is good once and for 5 minutes', async () => {
      const person = await guarded(server);
      const used = await begin(person);
      await logIn({ tempToken: used, twoFactorCode: person.code() });
      expect(await refusalOf(logIn({ tempToken: used, twoFactorCode: person.code(1) }))).toBe(invalid);
      const late = await begin(person);
      const row = await server.one(
        `SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM login_challenges
        WHERE user_id = $1 AND used_at IS NULL`,
        [person.user.id],
      );
      expect(row).toEqual({ seconds: 300 });
      await execute(server.db, `UPDATE login_challenges SET expires_at = now() WHERE user_id = $1`, [
        person.user.id,
      ]);
      expect(await refusalOf(logIn({ tempToken: late, twoFactorCode: person.code(1) }))).toBe(invalid);
    });

    test('API2: 9.2.2 a tempToken opens nothing by itself', async () => {
      const person = await guarded(server);
      const tempToken = await begin(person);
      expect(await server.opens(tempToken)).toBe(false);
      const refreshed = server.http.post('/api/v1/auth/refresh').send({ refreshToken: tempToken });
      expect(await refusalOf(refreshed)).toBe('401 INVALID_REFRESH_TOKEN');
    });

    test('API2: 6.6.2 a code that was sent belongs to its sign-in, and to its owner', async () => {
      const person = await guarded(server, 'EMAIL');
      const first = await begin(person);
      const codeOfFirst = await lastCode(server, person.user);
      const second = await begin(person);
      const codeOfSecond = await lastCode(server, person.user);
      if (codeOfFirst !== codeOfSecond)
        expect(await refusalOf(logIn({ tempToken: second, twoFactorCode: codeOfFirst }))).toBe(invalid);
      const other = await guarded(server, 'EMAIL');
      const theirs = await begin(other);
      if ((await lastCode(server, other.user)) !== codeOfFirst)
        expect(await refusalOf(logIn({ tempToken: theirs, twoFactorCode: codeOfFirst }))).toBe(invalid);
      expect((await logIn({ tempToken: first, twoFactorCode: codeOfFirst })).status).toBe(200);
      expect((await logIn({ tempToken: second, twoFactorCode: codeOfSecond })).status).toBe(200);
    });

    test('API2: 6.5.5 a code that was sent is good for 10 minutes', async () => {
      const person = await guarded(server, 'SMS');
      const tempToken = await begin(person);
      const row = await server.one(
        `SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM sent_codes
        WHERE user_id = $1 AND purpose = 'LOGIN'`,
        [person.user.id],
      );
      expect(row).toEqual({ seconds: 600 });
      await letCodesExpire(server, person.user);
      const code = await lastCode(server, person.user);
      expect(await refusalOf(logIn({ tempToken, twoFactorCode: code }))).toBe(invalid);
    });

    test('API2: 6.6.3 10 wrong codes in 15 minutes lock the account, whatever tokens they came with', async () => {
      const person = await guarded(server);
      for (let token = 0; token < 2; token++) {
        const tempToken = await begin(person);
        for (let i = 0; i < 5; i++) await logIn({ tempToken, twoFactorCode: not(person.code()) });
      }
      expect(await refusalOf(withPassword(person, person.code()))).toBe('401 INVALID_CREDENTIALS');
      await execute(server.db, `UPDATE rate_limits SET expire = 0 WHERE key LIKE 'failed-login:%'`);
      expect((await withPassword(person, person.code())).status).toBe(200);
    });

    test('a secret that was moved to another account’s row lets nobody in there', async () => {
      const [victim, other] = [await guarded(server), await guarded(server)];
      await execute(
        server.db,
        `UPDATE second_factors SET secret_sealed = (SELECT secret_sealed FROM second_factors WHERE user_id = $2)
        WHERE user_id = $1`,
        [victim.user.id, other.user.id],
      );
      expect((await withPassword(victim, other.code())).status).not.toBe(200);
      expect((await withPassword(other, other.code())).status).toBe(200);
    });
  });
});

describe('races', () => {
  const TIMES = 100;

  const liveSessions = async (user: { id: string }): Promise<number> =>
    (await server.sessionsOf(user)).filter(({ revokeReason }) => revokeReason === null).length;

  /** Begins this number of sign-ins, as that many devices would. */
  async function begun({ user: { email, password } }: Pick<Guarded, 'user'>): Promise<string[]> {
    const answers = await Promise.all(Array.from({ length: TIMES }, () => logIn({ email, password })));
    return answers.map(({ body }) => body.data.tempToken);
  }

  const statusesOf = async (
    requests: readonly PromiseLike<{ status: number }>[],
  ): Promise<[number, number][]> => {
    const counts = new Map<number, number>();
    for (const { status } of await Promise.all(requests)) counts.set(status, (counts.get(status) ?? 0) + 1);
    return [...counts].sort();
  };

  test('API2: 100 parallel logins with one backup code, each with its own tempToken: one session', async () => {
    const person = await guarded(server);
    const [twoFactorCode] = person.backupCodes;
    const tokens = await begun(person);
    expect(await statusesOf(tokens.map((tempToken) => logIn({ tempToken, twoFactorCode })))).toEqual([
      [200, 1],
      [401, TIMES - 1],
    ]);
    expect(await liveSessions(person.user)).toBe(2);
  });

  test('API2: 100 parallel logins with one TOTP code: exactly one success', async () => {
    const person = await guarded(server);
    const { email, password } = person.user;
    const twoFactorCode = person.code();
    const requests = Array.from({ length: TIMES }, () => logIn({ email, password, twoFactorCode }));
    expect(await statusesOf(requests)).toEqual([
      [200, 1],
      [401, TIMES - 1],
    ]);
    expect(await liveSessions(person.user)).toBe(2);
  });

  test('API2: 100 parallel uses of one tempToken and its code: one session', async () => {
    const person = await guarded(server, 'EMAIL');
    const { email, password } = person.user;
    const { body } = await logIn({ email, password });
    const second = { tempToken: body.data.tempToken, twoFactorCode: await lastCode(server, person.user) };
    expect(await statusesOf(Array.from({ length: TIMES }, () => logIn(second)))).toEqual([
      [200, 1],
      [401, TIMES - 1],
    ]);
    expect(await liveSessions(person.user)).toBe(2);
  });

  test('API2: guesses that race each other are all counted: after 10 the right code is refused too', async () => {
    const person = await guarded(server);
    const tokens = await begun(person);
    const wrong = not(person.code());
    await statusesOf(tokens.map((tempToken) => logIn({ tempToken, twoFactorCode: wrong })));
    const counted = await server.one<{ tries: number }>(
      'SELECT sum(tries)::int AS tries FROM login_challenges WHERE user_id = $1',
      [person.user.id],
    );
    expect(counted).toEqual({ tries: 10 });
    const answer = await logIn({ tempToken: tokens[0], twoFactorCode: person.code() });
    expect(answer.body.error.code).toBe('INVALID_TWO_FACTOR_CODE');
  });

  test('API2: a second factor that is turned on while others log in by password lets none of them stay', async () => {
    const person = await guarded(server);
    const { id, email, password } = person.user;
    await execute(server.db, 'UPDATE second_factors SET enabled_at = NULL WHERE user_id = $1', [id]);
    await execute(server.db, 'DELETE FROM backup_codes WHERE user_id = $1', [id]);
    // Fewer than the sessions that somebody may have: more would end the one that turns it on.
    const logins = Array.from({ length: 8 }, () => logIn({ email, password }));
    const verified = person.post('/auth/2fa/verify', { code: person.code() });
    const answers = await Promise.all([verified, ...logins]);
    expect(answers[0].status).toBe(200);
    const live = (await server.sessionsOf(person.user)).filter(({ revokeReason }) => revokeReason === null);
    expect(live).toHaveLength(1);
    expect(await server.opens(person.accessToken)).toBe(true);
  });

  test('of 60 parallel logins 10 sessions live, and only their access tokens open anything', async () => {
    const user = await make.user(server.db);
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => logIn({ email: user.email, password: user.password })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200));
    expect(await liveSessions(user)).toBe(10);
    const open = await Promise.all(answers.map(({ body }) => server.opens(body.data.accessToken)));
    expect(open.filter(Boolean)).toHaveLength(10);
  });
});
