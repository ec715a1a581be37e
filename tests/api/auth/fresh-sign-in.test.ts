import { z } from 'zod';
import { execute, firstRow } from '../../../db/sql/query';
import { endOtherSessions } from '../../../db/identity/session/session.writes';
import { lockUserForSignIn } from '../../../db/identity/user/user-lock.writes';
import { inTransaction } from '../../../db/sql/transaction';
import { ageSessions } from '../../support/builders/aging';
import { eventually } from '../../support/checks/eventually';
import { mailsTo } from '../../support/checks/mail';
import { ownIdentityServer } from './identity-server';
import {
  codesSent,
  guarded,
  lastCode,
  letCodesExpire,
  not,
  refusalOf,
  signedIn,
  subjectsTo,
  type Person,
} from './two-factor/guarded';

const server = ownIdentityServer();

describe('requests that need a fresh sign-in', () => {
  const details = { method: 'EWALLET', accountHolder: 'Ada Lovelace', walletId: 'ada@wallet.example' };
  let phones = 0;
  const ask = (method: 'post' | 'patch', path: string, body: object) => (person: Person, more: object) =>
    server.http[method](`/api/v1${path}`)
      .auth(person.accessToken, { type: 'bearer' })
      .send({ ...body, ...more });

  /** The requests that require a fresh sign-in; deletion, which requires Temporal, has its own tests. */
  const guardedRequests = [
    ['POST /auth/2fa/setup TOTP', ask('post', '/auth/2fa/setup', { method: 'TOTP' })],
    ['POST /auth/2fa/setup EMAIL', ask('post', '/auth/2fa/setup', { method: 'EMAIL' })],
    ['PATCH /users/me payoutDetails', ask('patch', '/users/me', { payoutDetails: details })],
    ['PATCH /users/me payoutDetails: null', ask('patch', '/users/me', { payoutDetails: null })],
    [
      'POST /users/me/phone',
      (person: Person, more: object) =>
        ask('post', '/users/me/phone', { phone: `+49309018${1000 + phones++}` })(person, more),
    ],
  ] as const;

  /** The rows that such requests change. */
  const traces = async ({ user }: Person) => ({
    mails: await subjectsTo(server, user),
    ...(await firstRow<object>(
      server.db,
      `SELECT payout_method AS payout, (SELECT count(*)::int FROM second_factors WHERE user_id = u.id) AS factors,
            (SELECT count(*)::int FROM sent_codes WHERE user_id = u.id) AS codes FROM users u WHERE id = $1`,
      [user.id],
    )),
  });

  describe.each(guardedRequests)('%s', (_name, send) => {
    test('200 on a session just opened, with any password', async () => {
      expect((await send(await signedIn(server), {})).status).toBe(200);
      expect((await send(await signedIn(server), { password: 'not looked at' })).status).toBe(200);
    });

    test('403 REAUTHENTICATION_REQUIRED on an older one, and nothing is done', async () => {
      const person = await signedIn(server);
      await ageSessions(server.db, person.user);
      const before = await traces(person);
      expect(await refusalOf(send(person, {}))).toBe('403 REAUTHENTICATION_REQUIRED');
      expect(await traces(person)).toEqual(before);
    });

    test('200 on an older one with the password', async () => {
      const person = await signedIn(server);
      await ageSessions(server.db, person.user);
      const { password } = person.user;
      expect((await send(person, { password })).status).toBe(200);
    });

    test('401 INVALID_PASSWORD with a wrong one, which counts towards the lockout', async () => {
      const person = await signedIn(server);
      await ageSessions(server.db, person.user);
      const before = await traces(person);
      for (let i = 0; i < 10; i++)
        expect(await refusalOf(send(person, { password: 'wrong' }))).toBe('401 INVALID_PASSWORD');
      const { password } = person.user;
      expect(await refusalOf(send(person, { password }))).toBe('401 INVALID_PASSWORD');
      expect(await traces(person)).toEqual(before);
    });

    test('403 REAUTHENTICATION_REQUIRED for an account without a password, until it signs in again', async () => {
      const person = await signedIn(server);
      await ageSessions(server.db, person.user);
      await execute(server.db, 'UPDATE users SET password_hash = NULL WHERE id = $1', [person.user.id]);
      expect(await refusalOf(send(person, { password: 'any' }))).toBe('403 REAUTHENTICATION_REQUIRED');
    });
  });

  test('PATCH /users/me without payoutDetails requires no password', async () => {
    const person = await signedIn(server);
    await ageSessions(server.db, person.user);
    expect((await ask('patch', '/users/me', {})(person, {})).status).toBe(200);
  });

  test('the mail about payout details greets its reader by name', async () => {
    const person = await signedIn(server);
    await ask('patch', '/users/me', { payoutDetails: details })(person, {});
    const [mail] = await mailsTo(server.db, person.user.email);
    expect(mail!.text).toMatch(/^Hello Ada,\n/);
  });

  test.each(guardedRequests)(
    '%s: a session that is ended while it waits for the account changes nothing',
    async (_name, send) => {
      const person = await signedIn(server);
      const before = await traces(person);
      let refused: Promise<string> = Promise.resolve('not sent');
      await inTransaction(server.db, async (tx) => {
        await lockUserForSignIn(tx, person.user.id);
        refused = refusalOf(send(person, {}));
        await eventually(async () => expect(await waiting()).toBe(1));
        await endOtherSessions(tx, person.user.id, null, 'PASSWORD');
      });
      expect(await refused).toBe('403 REAUTHENTICATION_REQUIRED');
      expect(await traces(person)).toEqual(before);
    },
  );

  /** The number of statements that wait for a locked row. */
  const waiting = async (): Promise<number> =>
    (await firstRow<{ n: number }>(
      server.db,
      `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    ))!.n;

  describe('POLICY_FRESH_SIGN_IN_MINUTES', () => {
    test('sets how long a sign-in is fresh', async () => {
      const person = await signedIn(server);
      await ageSessions(server.db, person.user, 20);
      const http = server.start({ POLICY_FRESH_SIGN_IN_MINUTES: '30' });
      const { status } = await http
        .post('/api/v1/auth/2fa/setup')
        .auth(person.accessToken, { type: 'bearer' })
        .send({ method: 'TOTP' });
      expect(status).toBe(200);
    });
  });
});

describe('POST /auth/confirm', () => {
  const confirm = ({ user, post }: Person, twoFactorCode?: string, password = user.password) =>
    post('/auth/confirm', { password, ...(twoFactorCode !== undefined && { twoFactorCode }) });
  /** Asks for what only a fresh session may. */
  const setUp = ({ post }: Person) => post('/auth/2fa/setup', { method: 'TOTP' });
  const isFresh = async (person: Person): Promise<boolean> => {
    const { body } = await setUp(person);
    return body.error?.code !== 'REAUTHENTICATION_REQUIRED';
  };

  const Answer = z.strictObject({
    success: z.literal(true),
    data: z.strictObject({ confirmedUntil: z.iso.datetime() }),
  });

  describe('200', () => {
    test('the password makes an old session fresh for ten minutes, and no other session', async () => {
      const person = await signedIn(server);
      const other = await signedIn(server, person.user);
      await ageSessions(server.db, person.user);
      expect(await isFresh(person)).toBe(false);
      const { status, body } = await confirm(person);
      expect(status).toBe(200);
      const minutes = (Date.parse(Answer.parse(body).data.confirmedUntil) - Date.now()) / 60_000;
      expect(Math.round(minutes)).toBe(10);
      expect([await isFresh(person), await isFresh(other)]).toEqual([true, false]);
      await ageSessions(server.db, person.user);
      expect(await isFresh(person)).toBe(false);
    });

    test('refreshing a session does not make it fresh', async () => {
      const person = await signedIn(server);
      const tokens = await server.logIn(person.user);
      await ageSessions(server.db, person.user);
      const { body } = await server.http
        .post('/api/v1/auth/refresh')
        .send({ refreshToken: tokens.refreshToken });
      const request = server.http
        .post('/api/v1/auth/2fa/setup')
        .auth(body.data.accessToken, { type: 'bearer' })
        .send({ method: 'TOTP' });
      expect(await refusalOf(request)).toBe('403 REAUTHENTICATION_REQUIRED');
    });

    test('with a second factor its code, or a backup code once', async () => {
      const person = await guarded(server);
      expect((await confirm(person, person.code())).status).toBe(200);
      expect((await confirm(person, person.backupCodes[0])).status).toBe(200);
      expect(await refusalOf(confirm(person, person.backupCodes[0]))).toBe('401 INVALID_TWO_FACTOR_CODE');
    });

    test.each(['SMS', 'EMAIL'] as const)('%s: a request without a code has one sent', async (method) => {
      const person = await guarded(server, method);
      const before = (await codesSent(server, person.user)).length;
      expect(await refusalOf(confirm(person))).toBe('401 TWO_FACTOR_REQUIRED');
      expect(await codesSent(server, person.user)).toHaveLength(before + 1);
      expect((await confirm(person, await lastCode(server, person.user))).status).toBe(200);
    });
  });

  describe('refusals', () => {
    test('401 INVALID_PASSWORD counts towards the lockout, and the right one is not taken then', async () => {
      const person = await signedIn(server);
      for (let i = 0; i < 10; i++)
        expect(await refusalOf(confirm(person, undefined, 'wrong'))).toBe('401 INVALID_PASSWORD');
      expect(await refusalOf(confirm(person))).toBe('401 INVALID_PASSWORD');
      const { email, password } = person.user;
      const logIn = server.http.post('/api/v1/auth/login').send({ email, password });
      expect(await refusalOf(logIn)).toBe('401 INVALID_CREDENTIALS');
    });

    test('401 TWO_FACTOR_REQUIRED without the code of an app', async () => {
      const person = await guarded(server);
      expect(await refusalOf(confirm(person))).toBe('401 TWO_FACTOR_REQUIRED');
    });

    test('401 INVALID_TWO_FACTOR_CODE counts towards the lockout', async () => {
      const person = await guarded(server);
      for (let i = 0; i < 10; i++)
        expect(await refusalOf(confirm(person, not(person.code())))).toBe('401 INVALID_TWO_FACTOR_CODE');
      expect(await refusalOf(confirm(person, person.code()))).toBe('401 INVALID_PASSWORD');
    });

    test('a code that was sent for something else, or has expired, confirms nothing: another is sent', async () => {
      const person = await guarded(server, 'EMAIL');
      await person.post('/auth/2fa/disable', { password: person.user.password });
      const forDisable = await lastCode(server, person.user);
      expect(await refusalOf(confirm(person, forDisable))).toBe('401 TWO_FACTOR_REQUIRED');
      await letCodesExpire(server, person.user);
      expect(await refusalOf(confirm(person, await lastCode(server, person.user)))).toBe(
        '401 TWO_FACTOR_REQUIRED',
      );
    });

    test('403 REAUTHENTICATION_REQUIRED for an account without a password, which signs in again', async () => {
      const person = await signedIn(server);
      await execute(server.db, 'UPDATE users SET password_hash = NULL WHERE id = $1', [person.user.id]);
      expect(await refusalOf(confirm(person))).toBe('403 REAUTHENTICATION_REQUIRED');
    });

    test('400 VALIDATION_ERROR without a password; 401 UNAUTHORIZED without a token', async () => {
      const { post } = await signedIn(server);
      expect(await refusalOf(post('/auth/confirm', {}))).toBe('400 VALIDATION_ERROR');
      const request = server.http.post('/api/v1/auth/confirm').send({ password: 'x' });
      expect(await refusalOf(request)).toBe('401 UNAUTHORIZED');
    });
  });

  describe('races', () => {
    test('API2: one TOTP code presented 50 times at once confirms once', async () => {
      const person = await guarded(server);
      const code = person.code();
      const answers = await Promise.all(Array.from({ length: 50 }, () => confirm(person, code)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 401)).toHaveLength(49);
    });

    test('a password that is changed at the same moment confirms nothing afterwards', async () => {
      const person = await signedIn(server);
      const other = await signedIn(server, person.user);
      await ageSessions(server.db, person.user);
      const change = {
        currentPassword: person.user.password,
        password: 'Umbrella-9-tango-Walrus',
        confirmPassword: 'Umbrella-9-tango-Walrus',
      };
      const [changed, confirmed] = await Promise.all([
        other.post('/users/me/password', change),
        confirm(person),
      ]);
      expect(changed.status).toBe(200);
      expect([200, 401]).toContain(confirmed.status);
      expect(await server.opens(person.accessToken)).toBe(false);
    });
  });
});
