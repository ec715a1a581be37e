import { z } from 'zod';
import { ownIdentityServer } from '../identity-server';
import {
  appCode,
  codesSent,
  givePhone,
  guarded,
  lastCode,
  letCodesExpire,
  not,
  refusalOf,
  signedIn,
  subjectsTo,
} from './guarded';

const server = ownIdentityServer();

const Answer = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    enabled: z.literal(true),
    method: z.enum(['TOTP', 'SMS', 'EMAIL']),
    backupCodes: z.array(z.string().regex(/^([A-Z2-7]{6}-){3}[A-Z2-7]{6}$/)).length(10),
  }),
});

describe('200', () => {
  test('API2: TOTP is in force, other sessions end, and the owner gets a mail', async () => {
    const person = await signedIn(server);
    const elsewhere = await server.logIn(person.user);
    const { body: setup } = await person.post('/auth/2fa/setup', { method: 'TOTP' });
    const { status, body } = await person.post('/auth/2fa/verify', { code: appCode(setup.data.secret) });
    expect(status).toBe(200);
    const { data } = Answer.parse(body);
    expect(data.method).toBe('TOTP');
    expect(new Set(data.backupCodes).size).toBe(10);
    expect(await server.opens(person.accessToken)).toBe(true);
    expect(await server.opens(elsewhere.accessToken)).toBe(false);
    const reasons = (await server.sessionsOf(person.user)).map(({ revokeReason }) => revokeReason);
    expect(reasons).toEqual([null, 'TWO_FACTOR']);
    expect(await subjectsTo(server, person.user)).toEqual(['Two-factor sign-in is on']);
  });

  test.each(['SMS', 'EMAIL'] as const)('%s is in force', async (method) => {
    const { user, post } = await signedIn(server);
    await givePhone(server, user);
    await post('/auth/2fa/setup', { method });
    const { body } = await post('/auth/2fa/verify', { code: await lastCode(server, user) });
    expect(Answer.parse(body).data.method).toBe(method);
  });

  test('API2: backup codes have at least 112 random bits and are kept as hashes', async () => {
    const { user, backupCodes } = await guarded(server);
    for (const code of backupCodes) expect(code.replaceAll('-', '').length * 5).toBeGreaterThanOrEqual(112);
    const kept = await server.one<{ all: string }>(
      'SELECT string_agg(backup_codes::text, $2) AS all FROM backup_codes WHERE user_id = $1',
      [user.id, ' '],
    );
    for (const code of backupCodes) expect(kept!.all).not.toContain(code);
  });

  test('API2: the code is used up; the app’s next one signs in', async () => {
    const { user, post } = await signedIn(server);
    const { secret } = (await post('/auth/2fa/setup', { method: 'TOTP' })).body.data;
    const code = appCode(secret);
    await post('/auth/2fa/verify', { code });
    const logIn = (twoFactorCode: string) =>
      server.http
        .post('/api/v1/auth/login')
        .send({ email: user.email, password: user.password, twoFactorCode });
    expect(await refusalOf(logIn(code))).toBe('401 INVALID_TWO_FACTOR_CODE');
    expect((await logIn(appCode(secret, 1))).status).toBe(200);
  });
});

describe('refusals', () => {
  test.each(['12345', '1234567', '12345a', ' 123456', '0x1234', ''])(
    '400 VALIDATION_ERROR: %j',
    async (code) => {
      const { post } = await signedIn(server);
      await post('/auth/2fa/setup', { method: 'TOTP' });
      expect(await refusalOf(post('/auth/2fa/verify', { code }))).toBe('400 VALIDATION_ERROR');
    },
  );

  test('400 SETUP_NOT_INITIATED: nothing was set up, or it is in force already', async () => {
    const { post } = await signedIn(server);
    expect(await refusalOf(post('/auth/2fa/verify', { code: '123456' }))).toBe('400 SETUP_NOT_INITIATED');
    const again = await guarded(server);
    expect(await refusalOf(again.post('/auth/2fa/verify', { code: again.code() }))).toBe(
      '400 SETUP_NOT_INITIATED',
    );
  });

  test('400 INVALID_CODE: wrong, of two steps away, or of another purpose', async () => {
    const { post } = await signedIn(server);
    const { secret } = (await post('/auth/2fa/setup', { method: 'TOTP' })).body.data;
    for (const code of [not(appCode(secret)), appCode(secret, 3), appCode(secret, -3)])
      expect(await refusalOf(post('/auth/2fa/verify', { code }))).toBe('400 INVALID_CODE');
    const other = await signedIn(server);
    await other.post('/users/me/phone', { phone: '+4930222333' });
    const ofPhone = await lastCode(server, other.user);
    await other.post('/auth/2fa/setup', { method: 'EMAIL' });
    expect(await lastCode(server, other.user)).not.toBe(ofPhone);
    expect(await refusalOf(other.post('/auth/2fa/verify', { code: ofPhone }))).toBe('400 INVALID_CODE');
  });

  test('400 CODE_EXPIRED after 10 minutes', async () => {
    const { user, post } = await signedIn(server);
    await post('/auth/2fa/setup', { method: 'EMAIL' });
    await letCodesExpire(server, user);
    const verify = async () => post('/auth/2fa/verify', { code: await lastCode(server, user) });
    expect(await refusalOf(verify())).toBe('400 CODE_EXPIRED');
    await post('/auth/2fa/setup', { method: 'EMAIL' });
    expect((await verify()).status).toBe(200);
  });

  test('API2: after 5 wrong guesses the right code is refused; so is the one before a new code', async () => {
    const { user, post } = await signedIn(server);
    await post('/auth/2fa/setup', { method: 'EMAIL' });
    const code = await lastCode(server, user);
    const verify = (guess: string) => refusalOf(post('/auth/2fa/verify', { code: guess }));
    for (let i = 0; i < 5; i++) expect(await verify(not(code))).toBe('400 INVALID_CODE');
    expect(await verify(code)).toBe('400 INVALID_CODE');
    await post('/auth/2fa/setup', { method: 'EMAIL' });
    const [before, now] = (await codesSent(server, user)).map((sent) => sent.code);
    if (before !== now) expect(await verify(before!)).toBe('400 INVALID_CODE');
    expect((await post('/auth/2fa/verify', { code: now! })).status).toBe(200);
  });

  test('401 UNAUTHORIZED without a token; another’s setup is not verified by mine', async () => {
    expect(await refusalOf(server.http.post('/api/v1/auth/2fa/verify').send({ code: '123456' }))).toBe(
      '401 UNAUTHORIZED',
    );
    const owner = await signedIn(server);
    const { secret } = (await owner.post('/auth/2fa/setup', { method: 'TOTP' })).body.data;
    const thief = await signedIn(server);
    expect(await refusalOf(thief.post('/auth/2fa/verify', { code: appCode(secret) }))).toBe(
      '400 SETUP_NOT_INITIATED',
    );
  });
});
