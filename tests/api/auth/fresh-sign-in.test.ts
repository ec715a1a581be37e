import { execute, firstRow } from '../../../db/sql/query';
import { endOtherSessions } from '../../../db/identity/session/session.writes';
import { lockUserForSignIn } from '../../../db/identity/user/user-lock.writes';
import { inTransaction } from '../../../db/sql/transaction';
import { ageSessions } from '../../support/builders/aging';
import { eventually } from '../../support/checks/eventually';
import { mailsTo } from '../../support/checks/mail';
import { ownIdentityServer } from './identity-server';
import { refusalOf, signedIn, subjectsTo, type Person } from './two-factor/guarded';

const server = ownIdentityServer();

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
