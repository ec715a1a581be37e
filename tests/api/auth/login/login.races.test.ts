import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../identity-server';
import { guarded, lastCode, not, type Guarded } from '../two-factor/guarded';

const server = ownIdentityServer();
const TIMES = 100;

const logIn = (body: object) => server.http.post('/api/v1/auth/login').send(body);

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
  const logins = Array.from({ length: 20 }, () => logIn({ email, password }));
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
