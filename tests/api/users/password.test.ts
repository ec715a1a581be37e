import { z } from 'zod';
import { rows } from '../../../db/sql/query';
import { mailsTo } from '../../support/checks/mail';
import { make } from '../../support/builders/make';
import type { User } from '../../support/builders/make/people';
import { ownIdentityServer } from '../auth/identity-server';

const server = ownIdentityServer();
const password = 'Umbrella-7-tango';

const change = (accessToken: string, body: object) =>
  server.http.post('/api/v1/users/me/password').auth(accessToken, { type: 'bearer' }).send(body);
const passwords = (user: User, chosen = password) => ({
  currentPassword: user.password,
  password: chosen,
  confirmPassword: chosen,
});
const logIn = async ({ email }: User, tried: string) =>
  (await server.http.post('/api/v1/auth/login').send({ email, password: tried })).status;

describe('200', () => {
  test('the new password works, the old does not; other sessions end; the owner is informed', async () => {
    const user = await make.user(server.db);
    const [here, there] = [await server.logIn(user), await server.logIn(user)];
    const answer = await change(here.accessToken, passwords(user));
    expect(answer.status).toBe(200);
    z.strictObject({ success: z.literal(true), data: z.strictObject({ message: z.string() }) }).parse(
      answer.body,
    );
    expect([await server.opens(here.accessToken), await server.opens(there.accessToken)]).toEqual([
      true,
      false,
    ]);
    expect((await server.sessionsOf(user)).map(({ revokeReason }) => revokeReason)).toEqual([
      null,
      'PASSWORD',
    ]);
    expect([await logIn(user, user.password), await logIn(user, password)]).toEqual([401, 200]);
    expect(await mailsTo(server.db, user.email)).toMatchObject([{ subject: 'Your password was changed' }]);
  });

  test('a mailed reset token is no longer valid', async () => {
    const user = await make.user(server.db);
    const { accessToken } = await server.logIn(user);
    await rows(
      server.db,
      `INSERT INTO mailed_tokens VALUES (gen_random_uuid(), $1, 'RESET_PASSWORD', 'h', now(), now() + interval '1 hour')
       RETURNING id`,
      [user.id],
    );
    await change(accessToken, passwords(user));
    expect(
      await rows(
        server.db,
        'SELECT superseded_at IS NOT NULL AS superseded FROM mailed_tokens WHERE user_id = $1',
        [user.id],
      ),
    ).toEqual([{ superseded: true }]);
  });

  test("it changes nobody else's, whatever the body says", async () => {
    const [user, other] = [await make.user(server.db), await make.user(server.db)];
    const { accessToken } = await server.logIn(user);
    await change(accessToken, { ...passwords(user), id: other.id, userId: other.id, email: other.email });
    expect([await logIn(other, other.password), await logIn(user, password)]).toEqual([200, 200]);
  });

  test('of two changes at once one wins', async () => {
    const user = await make.user(server.db);
    const { accessToken } = await server.logIn(user);
    const answers = await Promise.all(
      [password, 'Harpsichord-9-moss'].map((chosen) => change(accessToken, passwords(user, chosen))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});

describe('401', () => {
  test('INVALID_PASSWORD: the current password is wrong; ten of them are a lockout', async () => {
    const user = await make.user(server.db);
    const { accessToken } = await server.logIn(user);
    const guess = () => change(accessToken, { ...passwords(user), currentPassword: 'wrong' });
    for (let i = 0; i < 10; i++) {
      const { status, body } = await guess();
      expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'INVALID_PASSWORD' });
    }
    expect((await change(accessToken, passwords(user))).body.error.code).toBe('INVALID_PASSWORD');
    expect(await logIn(user, user.password)).toBe(401);
  });

  test('UNAUTHORIZED without a token', async () => {
    const user = await make.user(server.db);
    const { status, body } = await server.http.post('/api/v1/users/me/password').send(passwords(user));
    expect({ status, code: body.error.code }).toEqual({ status: 401, code: 'UNAUTHORIZED' });
  });
});

describe('400', () => {
  test.each([
    ['PASSWORD_MISMATCH', { confirmPassword: 'Umbrella-8-tango' }],
    ['PASSWORD_TOO_WEAK', { password: 'Lovelace1815', confirmPassword: 'Lovelace1815' }],
    ['PASSWORD_RECENTLY_USED', { password: 'Correct-horse-7!', confirmPassword: 'Correct-horse-7!' }],
    ['VALIDATION_ERROR', { password: 'short', confirmPassword: 'short' }],
    ['VALIDATION_ERROR', { currentPassword: '' }],
  ])('%s: %j', async (code, wrong) => {
    const user = await make.user(server.db);
    const { accessToken } = await server.logIn(user);
    const { status, body } = await change(accessToken, { ...passwords(user), ...wrong });
    expect({ status, code: body.error.code }).toEqual({ status: 400, code });
    expect(await logIn(user, user.password)).toBe(200);
  });

  test('PASSWORD_RECENTLY_USED: an earlier password', async () => {
    const user = await make.user(server.db);
    const { accessToken } = await server.logIn(user);
    await change(accessToken, passwords(user));
    const back = { currentPassword: password, password: user.password, confirmPassword: user.password };
    expect((await change(accessToken, back)).body.error.code).toBe('PASSWORD_RECENTLY_USED');
  });
});
