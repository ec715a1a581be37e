import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { sendBatch } from '../../../../activities/administration/outbox/send-batch';
import { fileMail } from '../../../../activities/providers/mail/file';
import { fileSms } from '../../../../activities/providers/sms/file';
import { execute } from '../../../../db/sql/query';
import { ageSessions } from '../../../support/builders/aging';
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

describe('delivery', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'codes-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Sends the queued messages; answers the codes for this destination, the oldest first. */
  async function delivered(to: string): Promise<string[]> {
    const sent = await sendBatch(server.db, { mail: fileMail(folder), sms: fileSms(folder) });
    expect(sent.every((outcome) => outcome === 'sent')).toBe(true);
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    const messages = texts
      .map((text) => JSON.parse(text))
      .filter((it) => it.to === to && it.code !== undefined);
    for (const { code, text } of messages) expect(text).toContain(code);
    return messages.map(({ code }) => code);
  }

  test.each(['EMAIL', 'SMS'] as const)(
    '%s: codes come out as messages, each once, and work',
    async (method) => {
      const { user, post } = await signedIn(server);
      const to = method === 'SMS' ? await givePhone(server, user) : user.email;
      await post('/auth/2fa/setup', { method });
      const [ofSetup, ...others] = await delivered(to);
      expect(others).toEqual([]);
      expect((await post('/auth/2fa/verify', { code: ofSetup })).status).toBe(200);
      const { email, password } = user;
      const logIn = (body: object) => server.http.post('/api/v1/auth/login').send(body);
      const { tempToken } = (await logIn({ email, password })).body.data;
      const codes = await delivered(to);
      expect(codes).toHaveLength(2);
      expect((await logIn({ tempToken, twoFactorCode: codes[1] })).status).toBe(200);
    },
  );
});

describe('POST /auth/2fa/setup', () => {
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
          text: expect.stringMatching(/^\d{6} is your code for turning on two-factor sign-in\./),
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
});

describe('POST /auth/2fa/verify', () => {
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
    test.each(['12345', '1234567', '12345a', '0x1234', ''])('400 VALIDATION_ERROR: %j', async (code) => {
      const { post } = await signedIn(server);
      await post('/auth/2fa/setup', { method: 'TOTP' });
      expect(await refusalOf(post('/auth/2fa/verify', { code }))).toBe('400 VALIDATION_ERROR');
    });

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
});
