import { z } from 'zod';
import { execute } from '../../../../db/sql/query';
import { latestToken, mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { ownIdentityServer } from '../identity-server';
import { undoing } from '../undo/undoing';
import {
  codesSent,
  forgetSteps,
  givePhone,
  guarded,
  lastCode,
  letCodesExpire,
  not,
  refusalOf,
  signedIn,
  subjectsTo,
  type Guarded,
  type Person,
} from './guarded';

const server = ownIdentityServer();

describe('POST /auth/2fa/disable', () => {
  const disable = ({ user, post }: Pick<Guarded, 'user' | 'post'>, code?: string, password = user.password) =>
    post('/auth/2fa/disable', { password, ...(code !== undefined && { code }) });

  const Answer = z.strictObject({
    success: z.literal(true),
    data: z.strictObject({ disabled: z.literal(true), message: z.string().min(1) }),
  });

  describe('200', () => {
    test('API2: by password and code; other sessions end, and the owner gets a mail', async () => {
      const person = await guarded(server);
      const { email, password } = person.user;
      const { body: other } = await server.http
        .post('/api/v1/auth/login')
        .send({ email, password, twoFactorCode: person.code() });
      const { status, body } = await disable(person, person.code(1));
      expect(status).toBe(200);
      Answer.parse(body);
      expect(await server.opens(person.accessToken)).toBe(true);
      expect(await server.opens(other.data.accessToken)).toBe(false);
      expect(await subjectsTo(server, person.user)).toEqual([
        'Two-factor sign-in is on',
        'Two-factor sign-in is off',
      ]);
      await expect(server.logIn(person.user)).resolves.toBeDefined();
    });

    test('by a backup code, which is gone with all others', async () => {
      const person = await guarded(server);
      expect((await disable(person, person.backupCodes[3])).status).toBe(200);
      const left = await server.one('SELECT count(*)::int AS n FROM backup_codes WHERE user_id = $1', [
        person.user.id,
      ]);
      expect(left).toEqual({ n: 0 });
    });

    test.each(['SMS', 'EMAIL'] as const)(
      '%s: a request without a code has one sent, which turns it off',
      async (method) => {
        const person = await guarded(server, method);
        const before = (await codesSent(server, person.user)).length;
        const response = await disable(person);
        expect(await refusalOf(Promise.resolve(response))).toBe('401 INVALID_CODE');
        expect(response.body.error.message).toMatch(/^We have sent a code to \S+\*\*\*\S+\./);
        expect(await codesSent(server, person.user)).toHaveLength(before + 1);
        expect((await disable(person, await lastCode(server, person.user))).status).toBe(200);
      },
    );

    test('a guess where no code waits, or one has expired, sends one too', async () => {
      const person = await guarded(server, 'EMAIL');
      expect(await refusalOf(disable(person, '123456'))).toBe('401 INVALID_CODE');
      const first = await lastCode(server, person.user);
      await letCodesExpire(server, person.user);
      expect(await refusalOf(disable(person, first))).toBe('401 INVALID_CODE');
      expect(await codesSent(server, person.user)).toHaveLength(3);
      expect((await disable(person, await lastCode(server, person.user))).status).toBe(200);
    });

    test('set up again, it has new backup codes', async () => {
      const person = await guarded(server);
      await disable(person, person.code());
      const again = await guarded(server, 'TOTP', person.user);
      expect(again.backupCodes.filter((code) => person.backupCodes.includes(code))).toEqual([]);
      expect(await refusalOf(disable(again, person.backupCodes[0]))).toBe('401 INVALID_CODE');
    });
  });

  describe('refusals', () => {
    test('400 VALIDATION_ERROR without a password', async () => {
      const { post, code } = await guarded(server);
      expect(await refusalOf(post('/auth/2fa/disable', { code: code() }))).toBe('400 VALIDATION_ERROR');
    });

    test('400 TWO_FACTOR_NOT_ENABLED: never on, or only set up', async () => {
      const person = await signedIn(server);
      expect(await refusalOf(disable(person, '123456'))).toBe('400 TWO_FACTOR_NOT_ENABLED');
      await person.post('/auth/2fa/setup', { method: 'TOTP' });
      expect(await refusalOf(disable(person, '123456'))).toBe('400 TWO_FACTOR_NOT_ENABLED');
    });

    test('401 INVALID_PASSWORD before any code is checked or sent', async () => {
      const person = await guarded(server, 'EMAIL');
      const before = (await codesSent(server, person.user)).length;
      expect(await refusalOf(disable(person, undefined, 'wrong'))).toBe('401 INVALID_PASSWORD');
      expect(await codesSent(server, person.user)).toHaveLength(before);
      const byApp = await guarded(server);
      expect(await refusalOf(disable(byApp, byApp.code(), 'wrong'))).toBe('401 INVALID_PASSWORD');
      expect((await disable(byApp, byApp.code())).status).toBe(200);
    });

    test('401 INVALID_CODE: wrong, none, or used before', async () => {
      const person = await guarded(server);
      expect(await refusalOf(disable(person, not(person.code())))).toBe('401 INVALID_CODE');
      expect(await refusalOf(disable(person))).toBe('401 INVALID_CODE');
      const { email, password } = person.user;
      const code = person.code();
      await server.http.post('/api/v1/auth/login').send({ email, password, twoFactorCode: code });
      expect(await refusalOf(disable(person, code))).toBe('401 INVALID_CODE');
    });

    test('API2: 10 wrong passwords or codes lock both, also against the right ones, for 15 minutes', async () => {
      const person = await guarded(server);
      for (let i = 0; i < 5; i++) await disable(person, person.code(), 'wrong');
      for (let i = 0; i < 5; i++) await disable(person, not(person.code()));
      expect(await refusalOf(disable(person, person.code()))).toBe('401 INVALID_PASSWORD');
      await execute(server.db, `UPDATE rate_limits SET expire = 0 WHERE key LIKE 'failed-login:%'`);
      expect((await disable(person, person.code())).status).toBe(200);
    });

    test('401 UNAUTHORIZED without a token; another’s second factor stays on', async () => {
      const [mine, theirs] = [await guarded(server), await guarded(server)];
      const body = { password: mine.user.password, code: mine.code() };
      expect(await refusalOf(server.http.post('/api/v1/auth/2fa/disable').send(body))).toBe(
        '401 UNAUTHORIZED',
      );
      expect(await refusalOf(disable(mine, theirs.code()))).toBe('401 INVALID_CODE');
      await forgetSteps(server, theirs.user);
      expect((await disable(theirs, theirs.code())).status).toBe(200);
    });
  });
});

describe('where administrators need a second factor', () => {
  const server = ownIdentityServer({ ADMIN_SECOND_FACTOR: 'required' });
  const { undo, factorOf, logIn } = undoing(server);

  const promote = ({ user }: Pick<Person, 'user'>) =>
    execute(server.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [user.id]);
  const addresses = ({ accessToken }: Pick<Person, 'accessToken'>) =>
    server.http.get('/api/v1/users/me/addresses').auth(accessToken, { type: 'bearer' });
  const mailOn = async ({ user }: Pick<Person, 'user'>) =>
    (await mailsTo(server.db, user.email)).findLast(({ subject }) => subject === 'Two-factor sign-in is on')!;

  test.each(['admin', 'superAdmin'] as const)('%s: a set-up by SMS or e-mail is refused', async (role) => {
    const person = await signedIn(server, await make[role](server.db));
    await givePhone(server, person.user);
    for (const method of ['SMS', 'EMAIL']) {
      const { status, body } = await person.post('/auth/2fa/setup', { method });
      expect({ status, ...body.error }).toMatchObject({
        status: 400,
        code: 'VALIDATION_ERROR',
        reason: 'TOTP_REQUIRED',
        details: { method: ['must be TOTP'] },
      });
    }
    expect((await person.post('/auth/2fa/setup', { method: 'TOTP' })).status).toBe(200);
  });

  test.each(['EMAIL', 'SMS'] as const)('one by %s from before does not count', async (method) => {
    const person = await guarded(server, method);
    await promote(person);
    expect(await refusalOf(addresses(person))).toBe('403 TWO_FACTOR_SETUP_REQUIRED');
    expect((await logIn(person)).body.data.requiresTwoFactor).toBe(true);
    const off = await person.post('/auth/2fa/disable', {
      password: person.user.password,
      code: person.backupCodes[0],
    });
    expect(off.status).toBe(200);
    const totp = await person.post('/auth/2fa/setup', { method: 'TOTP' });
    expect(totp.status).toBe(200);
  });

  test('no mail takes off the second factor of an administrator', async () => {
    const admin = await guarded(server, 'TOTP', await make.admin(server.db));
    expect((await addresses(admin)).status).toBe(200);
    const mail = await mailOn(admin);
    expect(mail.token).toBeNull();
    expect(mail.text).toContain('an administrator with full rights');
    const promoted = await guarded(server);
    const token = await latestToken(server.db, promoted.user.email);
    await promote(promoted);
    expect(await refusalOf(undo(token))).toBe('400 INVALID_TOKEN');
    expect(await factorOf(promoted)).toMatchObject({ method: 'TOTP' });
  });

  test('nothing changes for anybody else', async () => {
    const person = await guarded(server, 'EMAIL');
    expect((await addresses(person)).status).toBe(200);
    expect((await undo((await mailOn(person)).token!)).status).toBe(200);
  });
});

describe('administrators who may choose', () => {
  const server = ownIdentityServer({ ADMIN_SECOND_FACTOR: 'optional' });
  const { undo } = undoing(server);

  test('where it is optional, administrators choose any method, and the mail takes it off', async () => {
    const admin = await guarded(server, 'EMAIL', await make.admin(server.db));
    const opened = await server.http
      .get('/api/v1/users/me/addresses')
      .auth(admin.accessToken, { type: 'bearer' });
    expect(opened.status).toBe(200);
    expect((await undo(await latestToken(server.db, admin.user.email))).status).toBe(200);
  });
});
