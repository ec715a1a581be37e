import { z } from 'zod';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../identity-server';
import {
  codesSent,
  forgetSteps,
  guarded,
  lastCode,
  not,
  refusalOf,
  type Guarded,
} from '../two-factor/guarded';

const server = ownIdentityServer();

const logIn = (body: object) => server.http.post('/api/v1/auth/login').send(body);
const withPassword = ({ user }: Pick<Guarded, 'user'>, twoFactorCode?: string) =>
  logIn({ email: user.email, password: user.password, twoFactorCode });

const RequiredAnswer = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    requiresTwoFactor: z.literal(true),
    tempToken: z.string().regex(/^[\w-]{43}$/),
    methods: z.array(z.enum(['TOTP', 'SMS', 'EMAIL'])),
  }),
});

/** The first step; answers the token to go on with. */
async function begin(person: Pick<Guarded, 'user'>): Promise<string> {
  return RequiredAnswer.parse((await withPassword(person)).body).data.tempToken;
}

describe('200', () => {
  test.each(['TOTP', 'SMS', 'EMAIL'] as const)('%s in two steps', async (method) => {
    const person = await guarded(server, method);
    const { status, body, headers } = await withPassword(person);
    expect(status).toBe(200);
    const { data } = RequiredAnswer.parse(body);
    expect(data.methods).toEqual([method]);
    expect(headers['set-cookie']).toBeUndefined();
    const twoFactorCode = method === 'TOTP' ? person.code() : await lastCode(server, person.user);
    const second = await logIn({ tempToken: data.tempToken, twoFactorCode });
    expect(second.status).toBe(200);
    expect(second.body.data.user).toMatchObject({ id: person.user.id, requiresTwoFactor: false });
    expect(second.headers['set-cookie']).toHaveLength(2);
    expect(await server.opens(second.body.data.accessToken)).toBe(true);
  });

  test('in one step, also with the code of the newest sign-in that waits', async () => {
    const byApp = await guarded(server);
    expect((await withPassword(byApp, byApp.code())).status).toBe(200);
    const byMail = await guarded(server, 'EMAIL');
    await begin(byMail);
    expect((await withPassword(byMail, await lastCode(server, byMail.user))).status).toBe(200);
  });

  test.each(['TOTP', 'SMS', 'EMAIL'] as const)(
    '%s: a backup code stands in, however it is typed',
    async (method) => {
      const person = await guarded(server, method);
      const [first, second] = person.backupCodes;
      const tempToken = await begin(person);
      expect((await logIn({ tempToken, twoFactorCode: first })).status).toBe(200);
      const typed = ` ${second!.toLowerCase().replaceAll('-', ' ')}`;
      expect((await withPassword(person, typed)).status).toBe(200);
    },
  );

  test('the session has the device of the first step, unless the second names one', async () => {
    const person = await guarded(server);
    const { email, password } = person.user;
    const step = async (second: object) => {
      const first = await logIn({ email, password, deviceFingerprint: 'laptop' });
      await forgetSteps(server, person.user);
      await logIn({ tempToken: first.body.data.tempToken, twoFactorCode: person.code(), ...second });
      return server.one(
        'SELECT device_fingerprint FROM sessions WHERE user_id = $1 ORDER BY created_at DESC LIMIT 1',
        [person.user.id],
      );
    };
    expect(await step({})).toEqual({ deviceFingerprint: 'laptop' });
    expect(await step({ deviceFingerprint: 'phone' })).toEqual({ deviceFingerprint: 'phone' });
  });

  test('without a second factor a code changes nothing', async () => {
    const user = await make.user(server.db);
    expect((await withPassword({ user }, '123456')).status).toBe(200);
  });
});

describe('401 TWO_FACTOR_REQUIRED', () => {
  test('a tempToken without a code, which stays good', async () => {
    const person = await guarded(server);
    const tempToken = await begin(person);
    expect(await refusalOf(logIn({ tempToken }))).toBe('401 TWO_FACTOR_REQUIRED');
    expect((await logIn({ tempToken, twoFactorCode: person.code() })).status).toBe(200);
  });
});

describe('the order of checks', () => {
  test('a wrong password reveals nothing about the second factor, and sends nothing', async () => {
    const { user } = await guarded(server, 'EMAIL');
    const before = (await codesSent(server, user)).length;
    const { email } = user;
    expect(await refusalOf(logIn({ email, password: 'wrong' }))).toBe('401 INVALID_CREDENTIALS');
    expect(await refusalOf(logIn({ email, password: 'wrong', twoFactorCode: '1' }))).toBe(
      '401 INVALID_CREDENTIALS',
    );
    expect(await codesSent(server, user)).toHaveLength(before);
  });

  test.each([
    ['PENDING_VERIFICATION', '403 ACCOUNT_NOT_VERIFIED'],
    ['SUSPENDED', '403 ACCOUNT_SUSPENDED'],
    ['BANNED', '403 ACCOUNT_BANNED'],
  ])('%s between the steps comes before the code', async (status, expected) => {
    const person = await guarded(server);
    const tempToken = await begin(person);
    await execute(server.db, 'UPDATE users SET status = $2 WHERE id = $1', [person.user.id, status]);
    expect(await refusalOf(withPassword(person))).toBe(expected);
    expect(await refusalOf(logIn({ tempToken, twoFactorCode: not(person.code()) }))).toBe(expected);
    expect(await refusalOf(logIn({ tempToken, twoFactorCode: person.code() }))).toBe(expected);
  });

  test('logging out everywhere ends sign-ins that wait', async () => {
    const person = await guarded(server);
    const { body } = await withPassword(person, person.code());
    const tempToken = await begin(person);
    await server.http
      .post('/api/v1/auth/logout')
      .auth(body.data.accessToken, { type: 'bearer' })
      .send({ refreshToken: body.data.refreshToken, allDevices: true });
    expect(await refusalOf(logIn({ tempToken, twoFactorCode: person.code(1) }))).toBe(
      '401 INVALID_TWO_FACTOR_CODE',
    );
  });
});

test('400 VALIDATION_ERROR names what is missing', async () => {
  const { body } = await logIn({ twoFactorCode: '123456' });
  expect(body.error.details).toEqual({ email: ['is required'], password: ['is required'] });
});
