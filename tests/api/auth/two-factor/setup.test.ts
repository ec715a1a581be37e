import { z } from 'zod';
import { execute } from '../../../../db/sql/query';
import { ageSessions } from '../../../support/builders/aging';
import { ownIdentityServer } from '../identity-server';
import { appCode, codesSent, givePhone, guarded, refusalOf, signedIn } from './guarded';

const server = ownIdentityServer();

const TotpAnswer = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    method: z.literal('TOTP'),
    secret: z.string().regex(/^[A-Z2-7]{32}$/),
    qrCode: z.string().regex(/^data:image\/png;base64,[A-Za-z0-9+/=]{500,}$/),
    manualEntryKey: z.string().regex(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/),
  }),
});

describe('200', () => {
  test('TOTP: a secret of 160 bits as text, as a picture and for typing; nothing is in force yet', async () => {
    const { user, post } = await signedIn(server);
    const { status, body } = await post('/auth/2fa/setup', { method: 'TOTP' });
    expect(status).toBe(200);
    const { data } = TotpAnswer.parse(body);
    expect(data.manualEntryKey.replaceAll(' ', '')).toBe(data.secret);
    await expect(server.logIn(user)).resolves.toBeDefined();
  });

  test('Crypto: no database dump reveals the secret, nor a sent code', async () => {
    const totp = await signedIn(server);
    const { body } = await totp.post('/auth/2fa/setup', { method: 'TOTP' });
    const mail = await signedIn(server);
    await mail.post('/auth/2fa/setup', { method: 'EMAIL' });
    const factor = await server.one<{ sealed: Buffer }>(
      'SELECT secret_sealed AS sealed FROM second_factors WHERE user_id = $1',
      [totp.user.id],
    );
    expect(factor!.sealed.toString('latin1')).not.toContain(body.data.secret);
    const [sent] = await codesSent(server, mail.user);
    const row = await server.one('SELECT sent_codes::text AS row FROM sent_codes WHERE user_id = $1', [
      mail.user.id,
    ]);
    expect(JSON.stringify(row)).not.toContain(Buffer.from(sent!.code).toString('hex'));
  });

  test('SMS: a code goes to the verified number, which the answer shows in part', async () => {
    const { user, post } = await signedIn(server);
    const phone = await givePhone(server, user);
    const { status, body } = await post('/auth/2fa/setup', { method: 'SMS' });
    expect(status).toBe(200);
    expect(body.data).toEqual({ method: 'SMS', maskedDestination: `+49*****${phone.slice(-3)}` });
    expect(await codesSent(server, user)).toEqual([
      {
        kind: 'SMS',
        recipient: phone,
        code: expect.stringMatching(/^\d{6}$/),
        text: expect.stringMatching(/^\d{6} is your code\./),
      },
    ]);
  });

  test('EMAIL: a code goes to the address', async () => {
    const { user, post } = await signedIn(server);
    const { body } = await post('/auth/2fa/setup', { method: 'EMAIL' });
    expect(body.data).toEqual({
      method: 'EMAIL',
      maskedDestination: user.email.replace(/^(.)[^@]*/, '$1***'),
    });
    expect(await codesSent(server, user)).toMatchObject([{ kind: 'MAIL', recipient: user.email }]);
  });

  test('set up again, the new secret replaces the old', async () => {
    const { post } = await signedIn(server);
    const first = await post('/auth/2fa/setup', { method: 'TOTP' });
    const second = await post('/auth/2fa/setup', { method: 'TOTP' });
    expect(second.body.data.secret).not.toBe(first.body.data.secret);
    const verify = (secret: string) => post('/auth/2fa/verify', { code: appCode(secret) });
    expect(await refusalOf(verify(first.body.data.secret))).toBe('400 INVALID_CODE');
    expect((await verify(second.body.data.secret)).status).toBe(200);
  });

  test('no Idempotency-Key keeps the secret anywhere', async () => {
    const { post } = await signedIn(server);
    const ask = () => post('/auth/2fa/setup', { method: 'TOTP' }).set('Idempotency-Key', 'once');
    const [first, second] = [await ask(), await ask()];
    expect(second.headers['idempotent-replayed']).toBeUndefined();
    expect(second.body.data.secret).not.toBe(first.body.data.secret);
  });
});

describe('refusals', () => {
  test('400 VALIDATION_ERROR: an unknown method', async () => {
    const { post } = await signedIn(server);
    expect(await refusalOf(post('/auth/2fa/setup', { method: 'PIGEON' }))).toBe('400 VALIDATION_ERROR');
  });

  test('400 PHONE_NOT_VERIFIED: no number, or one that nobody has confirmed', async () => {
    const { user, post } = await signedIn(server);
    expect(await refusalOf(post('/auth/2fa/setup', { method: 'SMS' }))).toBe('400 PHONE_NOT_VERIFIED');
    await execute(server.db, `UPDATE users SET phone = '+4930123456' WHERE id = $1`, [user.id]);
    expect(await refusalOf(post('/auth/2fa/setup', { method: 'SMS' }))).toBe('400 PHONE_NOT_VERIFIED');
    expect(await codesSent(server, user)).toEqual([]);
  });

  test('400 EMAIL_NOT_VERIFIED', async () => {
    const { user, post } = await signedIn(server);
    await execute(server.db, 'UPDATE users SET email_verified_at = NULL WHERE id = $1', [user.id]);
    expect(await refusalOf(post('/auth/2fa/setup', { method: 'EMAIL' }))).toBe('400 EMAIL_NOT_VERIFIED');
    expect(await codesSent(server, user)).toEqual([]);
  });

  test.each(['TOTP', 'SMS', 'EMAIL'])('409 TWO_FACTOR_ALREADY_ENABLED, for %s too', async (method) => {
    const { user, post, code, accessToken } = await guarded(server);
    expect(await refusalOf(post('/auth/2fa/setup', { method }))).toBe('409 TWO_FACTOR_ALREADY_ENABLED');
    const { email, password } = user;
    const { status } = await server.http
      .post('/api/v1/auth/login')
      .send({ email, password, twoFactorCode: code() });
    expect(status).toBe(200);
    expect(await server.opens(accessToken)).toBe(true);
  });

  test('403 REAUTHENTICATION_REQUIRED on an older session, 401 INVALID_PASSWORD with a wrong password', async () => {
    const { user, post } = await signedIn(server);
    await ageSessions(server.db, user);
    const ask = (more: object) => post('/auth/2fa/setup', { method: 'EMAIL', ...more });
    expect(await refusalOf(ask({}))).toBe('403 REAUTHENTICATION_REQUIRED');
    expect(await refusalOf(ask({ password: 'wrong' }))).toBe('401 INVALID_PASSWORD');
    expect(await codesSent(server, user)).toEqual([]);
    expect((await ask({ password: user.password })).status).toBe(200);
  });

  test('401 UNAUTHORIZED without a token', async () => {
    expect(await refusalOf(server.http.post('/api/v1/auth/2fa/setup').send({ method: 'TOTP' }))).toBe(
      '401 UNAUTHORIZED',
    );
  });

  test('API4: 429 RATE_LIMIT_EXCEEDED for the 11th code in an hour, with nothing sent', async () => {
    const { user, post, accessToken } = await signedIn(server);
    for (let i = 0; i < 10; i++) {
      await post('/auth/2fa/setup', { method: 'EMAIL' });
      await execute(server.db, `UPDATE sent_codes SET created_at = created_at - interval '5 minutes'`);
    }
    const http = server.start({ RATE_LIMIT_SCALE: '1' });
    const ask = () =>
      http.post('/api/v1/auth/2fa/setup').auth(accessToken, { type: 'bearer' }).send({ method: 'EMAIL' });
    const refused = await ask();
    expect(await refusalOf(Promise.resolve(refused))).toBe('429 RATE_LIMIT_EXCEEDED');
    const wait = Number(refused.headers['retry-after']);
    expect(wait).toBeGreaterThan(9 * 60);
    expect(wait).toBeLessThanOrEqual(10 * 60);
    expect(await codesSent(server, user)).toHaveLength(10);
    await execute(server.db, `UPDATE sent_codes SET created_at = created_at - interval '10 minutes'`);
    expect((await ask()).status).toBe(200);
  });
});
