import { v7 } from 'uuid';
import { z } from 'zod';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { KeyRing } from '../../../db/sealing/key-ring';
import { mailsTo } from '../../support/checks/mail';
import { make } from '../../support/builders/make';
import type { User } from '../../support/builders/make/people';
import { signIn } from '../../support/builders/sign-in';
import { ownIdentityServer } from '../auth/identity-server';
import { StrictAccount } from './account.shape';

const server = ownIdentityServer();

describe('/users/me', () => {
  /** The key that the test variables configure. */
  const ring = new KeyRing([{ id: 'test', key: Buffer.alloc(32, 8) }]);

  async function someone() {
    const user = await make.user(server.db);
    const accessToken = await signIn(server, user);
    const get = () => server.http.get('/api/v1/users/me').auth(accessToken, { type: 'bearer' });
    const patch = (body: object) =>
      server.http.patch('/api/v1/users/me').auth(accessToken, { type: 'bearer' }).send(body);
    const kept = () =>
      firstRow<{ method: string | null; sealed: Buffer | null; masked: string | null }>(
        server.db,
        `SELECT payout_method AS method, payout_sealed AS sealed, payout_masked AS masked FROM users WHERE id = $1`,
        [user.id],
      );
    return { user, get, patch, kept };
  }

  const iban = {
    method: 'BANK_TRANSFER',
    accountHolder: 'Ada Lovelace',
    iban: 'DE89 3704 0044 0532 0130 00',
  } as const;

  describe('GET', () => {
    test('200: a new account', async () => {
      const { user, get } = await someone();
      const { status, body } = await get();
      expect(status).toBe(200);
      expect(StrictAccount.parse(body.data)).toMatchObject({
        id: user.id,
        email: user.email,
        phone: null,
        region: 'EU',
        roles: ['USER'],
        profile: { firstName: 'Ada', lastName: 'Lovelace', middleName: null },
        kyc: { status: 'NOT_STARTED', level: 'BASIC' },
        partner: null,
        security: { twoFactorEnabled: false, twoFactorMethod: null },
        payoutDetails: null,
      });
    });

    test('200: a partner with a second factor; one that was only set up does not count', async () => {
      const { user, get } = await someone();
      const partner = v7();
      await execute(
        server.db,
        `INSERT INTO partners (id, user_id, referral_code, status, joined_at) VALUES ($1, $2, 'ADA7KM2P', 'ACTIVE', now())`,
        [partner, user.id],
      );
      await execute(
        server.db,
        `INSERT INTO second_factors (user_id, method, created_at) VALUES ($1, 'EMAIL', now())`,
        [user.id],
      );
      expect((await get()).body.data).toMatchObject({
        partner: { id: partner, referralCode: 'ADA7KM2P', status: 'ACTIVE' },
        security: { twoFactorEnabled: false, twoFactorMethod: null },
      });
      await execute(server.db, 'UPDATE second_factors SET enabled_at = now() WHERE user_id = $1', [user.id]);
      const { data } = (await get()).body;
      expect(StrictAccount.parse(data).security).toEqual({
        twoFactorEnabled: true,
        twoFactorMethod: 'EMAIL',
      });
    });
  });

  describe('PATCH', () => {
    test('200: payout details are sealed to their owner and shown masked', async () => {
      const { user, patch, get, kept } = await someone();
      const { status, body } = await patch({ payoutDetails: iban });
      expect(status).toBe(200);
      expect(StrictAccount.parse(body.data).payoutDetails).toEqual({
        method: 'BANK_TRANSFER',
        maskedDetails: '•••• 3000',
      });
      expect((await get()).body.data).toEqual(body.data);
      const sealed = (await kept())!.sealed!;
      expect(sealed.toString('latin1')).not.toContain('3704');
      expect(JSON.parse(ring.open(sealed, `payout:${user.id}`).toString())).toEqual({
        ...iban,
        iban: 'DE89370400440532013000',
      });
      expect(() => ring.open(sealed, `payout:${v7()}`)).toThrow();
    });

    test.each([
      [{ method: 'CARD', accountHolder: 'A', cardNumber: '4242-4242 4242 4242' }, 'CARD', '•••• 4242'],
      [{ method: 'EWALLET', accountHolder: 'A', walletId: 'ada@wallet.example' }, 'EWALLET', '•••• mple'],
      [{ method: 'EWALLET', accountHolder: 'A', walletId: 'ab12' }, 'EWALLET', '•••• 12'],
      [
        {
          method: 'BANK_TRANSFER',
          accountHolder: 'A',
          accountNumber: '40817810099910004312',
          bik: '044525225',
        },
        'BANK_TRANSFER',
        '•••• 4312',
      ],
      [{ ...iban, bankName: null, bik: null, accountNumber: null }, 'BANK_TRANSFER', '•••• 3000'],
    ])('200: %j', async (payoutDetails, method, maskedDetails) => {
      const { patch } = await someone();
      const { body } = await patch({ payoutDetails });
      expect(body.data.payoutDetails).toEqual({ method, maskedDetails });
    });

    test('200: null removes them, an empty request changes nothing, and nothing else can be changed', async () => {
      const { user, patch, kept } = await someone();
      await patch({ payoutDetails: iban });
      const before = await kept();
      const more = {
        id: v7(),
        email: 'thief@example.com',
        roles: ['SUPER_ADMIN'],
        status: 'BANNED',
        kycLevel: 'ENHANCED',
        kyc: { level: 'ENHANCED' },
        emailVerifiedAt: null,
      };
      const { status, body } = await patch(more);
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ email: user.email, roles: ['USER'], kyc: { level: 'BASIC' } });
      expect(await kept()).toEqual(before);
      expect((await patch({ payoutDetails: null })).body.data.payoutDetails).toBeNull();
      expect(await kept()).toEqual({ method: null, sealed: null, masked: null });
    });

    test('the owner is informed', async () => {
      const { user, patch } = await someone();
      await patch({ payoutDetails: iban });
      const mails = await mailsTo(server.db, user.email);
      expect(mails).toHaveLength(1);
      expect(JSON.stringify(mails)).toContain('payout details were changed');
      expect(JSON.stringify(mails)).not.toContain('3000');
    });

    test.each([
      ['payoutDetails', { ...iban, method: 'CASH' }],
      ['payoutDetails.accountHolder', { ...iban, accountHolder: ' ' }],
      ['payoutDetails.iban', { ...iban, iban: 'DE88370400440532013000' }],
      ['payoutDetails.iban', { ...iban, iban: 'XX82WEST12345698765432' }],
      ['payoutDetails.iban', { ...iban, iban: 'nonsense' }],
      ['payoutDetails.bik', { method: 'BANK_TRANSFER', accountHolder: 'A', accountNumber: '12345678' }],
      ['payoutDetails.accountNumber', { method: 'BANK_TRANSFER', accountHolder: 'A', bik: 'DEMODEFF' }],
      ['payoutDetails.cardNumber', { method: 'CARD', accountHolder: 'A', cardNumber: '4242424242424241' }],
      ['payoutDetails.cardNumber', { method: 'CARD', accountHolder: 'A' }],
      ['payoutDetails.walletId', { method: 'EWALLET', accountHolder: 'A' }],
      ['payoutDetails', 'x'],
    ])('400 VALIDATION_ERROR: %s', async (field, payoutDetails) => {
      const { patch, kept } = await someone();
      const { status, body } = await patch({ payoutDetails });
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(Object.keys(body.error.details).join()).toMatch(new RegExp(`^${field}`));
      expect((await kept())!.method).toBeNull();
    });
  });
});

describe('POST /users/me/password', () => {
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
});

describe('limits of costly requests', () => {
  /** As in production. The tests cover the limits that these endpoints have in addition to the stated one. */
  const server = ownIdentityServer({ RATE_LIMIT_SCALE: '1' });

  const signedIn = async () => signIn(server, await make.user(server.db));
  type Http = typeof server.http;
  const asks = {
    'POST /users/me/password': (http: Http) =>
      http.post('/api/v1/users/me/password').send({
        currentPassword: 'x',
        password: 'Umbrella-7-tango',
        confirmPassword: 'Umbrella-7-tangos',
      }),
    'POST /auth/2fa/disable': (http: Http) => http.post('/api/v1/auth/2fa/disable').send({ password: 'x' }),
    'GET /users/me/export': (http: Http) => http.get('/api/v1/users/me/export'),
    'POST /users/me/avatar': (http: Http) => http.post('/api/v1/users/me/avatar').send({}),
  };

  test.each([
    ['POST /users/me/password', 5, 60],
    ['POST /auth/2fa/disable', 5, 60],
    ['GET /users/me/export', 5, 3600],
    ['POST /users/me/avatar', 10, 3600],
  ] as const)(
    '%s is answered %d times in %d s for each user, by all processes together',
    async (name, most, seconds) => {
      const token = await signedIn();
      const processes = [server.http, server.start()];
      let answered = 0;
      let retryAfter = 0;
      // After more than a second, the refusal is not by the burst limit.
      for (let i = 0; i < 100 && retryAfter <= 1; i++) {
        const answer = await asks[name](processes[i % 2]!).auth(token, { type: 'bearer' });
        if (answer.status !== 429) answered++;
        else retryAfter = Number(answer.headers['retry-after']);
      }
      expect(answered).toBe(most);
      expect(retryAfter).toBeGreaterThan(seconds / 2);
      expect(retryAfter).toBeLessThanOrEqual(seconds);
      const other = await asks[name](server.http).auth(await signedIn(), { type: 'bearer' });
      expect(other.status).not.toBe(429);
    },
  );
});
