import { execute } from '../../../../db/sql/query';
import { ownIdentityServer } from '../identity-server';
import { guarded, lastCode, letCodesExpire, not, refusalOf, type Guarded } from '../two-factor/guarded';

const server = ownIdentityServer();

const logIn = (body: object) => server.http.post('/api/v1/auth/login').send(body);
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
    expect((await logIn({ tempToken: await begin(person), twoFactorCode: person.code() })).status).toBe(200);
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
