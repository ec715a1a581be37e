import { z } from 'zod';
import { execute } from '../../../db/sql/query';
import { ageSessions } from '../../support/builders/aging';
import { ownIdentityServer } from './identity-server';
import {
  codesSent,
  guarded,
  lastCode,
  letCodesExpire,
  not,
  refusalOf,
  signedIn,
  type Person,
} from './two-factor/guarded';

const server = ownIdentityServer();

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
