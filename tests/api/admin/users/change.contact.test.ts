import { passwordIsEnough } from '../../../../api/auth/second-step';
import { hashOfBackupCode } from '../../../../api/auth/two-factor/backup-codes';
import { eraseAccount } from '../../../../db/identity/account-deletion/erasure.transitions';
import { lockUserForSignIn } from '../../../../db/identity/user/user-lock.writes';
import { userByEmail } from '../../../../db/identity/user/user.reads';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { owedMessages, latestToken, mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { forgotten } from '../../../support/builders/resetting';
import { signIn } from '../../../support/builders/sign-in';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ queues: ['interactive'] });
});
afterAll(() => adminWorld.world.teardown());

let made = 0;
const nextEmail = (): string => `moved${++made}@example.com`;
const nextPhone = (): string => `+4930903${String(++made).padStart(3, '0')}`;

/** Makes a telephone number a user's proven number. */
async function provePhone({ world }: AdminWorld, userId: string): Promise<string> {
  const phone = nextPhone();
  await execute(world.db, 'UPDATE users SET phone = $2, phone_verified_at = now() WHERE id = $1', [
    userId,
    phone,
  ]);
  return phone;
}

/** The code in the newest message to an address or a number. */
async function lastCodeTo({ world }: AdminWorld, destination: string): Promise<string> {
  const messages = await owedMessages(world.db, 'recipient = $1', [destination]);
  return messages.findLast(({ code }) => code !== null)!.code!;
}

/** The text messages to a number, without those that carry codes. */
async function textsTo({ world }: AdminWorld, phone: string): Promise<string[]> {
  const messages = await owedMessages(world.db, `recipient = $1 AND kind = 'SMS'`, [phone]);
  return messages.filter(({ code }) => code === null).map(({ text }) => text);
}

describe('PATCH /admin/users/:id with an e-mail address', () => {
  const change = (id: string, body: object, token?: string) =>
    adminWorld.ask('patch', `/admin/users/${id}`, body, token);
  const post = (path: string, body: object, token: string | null = null) =>
    adminWorld.ask('post', path, body, token);
  const me = (token: string) => adminWorld.ask('get', '/users/me', undefined, token);

  describe('a changed e-mail address', () => {
    test('is mailed to the old and the new address, and neither mail names the other', async () => {
      const user = await make.user(adminWorld.world.db);
      const email = nextEmail();
      expect(outcomeOf(await change(user.id, { email }))).toBe('200');
      const [toOld, toNew] = [
        await mailsTo(adminWorld.world.db, user.email),
        await mailsTo(adminWorld.world.db, email),
      ];
      expect([toOld, toNew].map((mails) => mails.map(({ subject }) => subject))).toEqual([
        ['Your account was changed'],
        ['Your account was changed'],
      ]);
      expect(toOld[0]!.text).toContain('The account no longer uses this address.');
      expect(toNew[0]!.text).toContain('changed the email address of your account to this address');
      for (const [mail, other] of [
        [toOld[0]!, email],
        [toNew[0]!, user.email],
      ] as const) {
        expect(mail.text).not.toContain(other);
      }
      expect(toNew[0]!.text).toContain('You have been signed out');
      expect(toOld[0]!.text).not.toMatch(/signed out|phone|role/);
    });

    test('ends what the mail about a second factor that was turned off would bring back', async () => {
      const { db } = adminWorld.world;
      const user = await make.user(db);
      const token = await signIn(adminWorld.world, user);
      await make.secondFactor(db, user.id);
      const code = 'ABCDEF-ABCDEF-ABCDEF-ABCDEF';
      await execute(db, 'UPDATE backup_codes SET code_hash = $2 WHERE user_id = $1', [
        user.id,
        hashOfBackupCode(code),
      ]);
      expect(outcomeOf(await post('/auth/2fa/disable', { password: user.password, code }, token))).toBe(
        '200',
      );
      const mailed = await latestToken(db, user.email);
      expect(outcomeOf(await change(user.id, { email: nextEmail() }))).toBe('200');
      expect(outcomeOf(await post('/auth/undo', { token: mailed }))).toBe('400 INVALID_TOKEN');
      expect(
        await rows(db, 'SELECT undo_sealed AS kept FROM mailed_tokens WHERE user_id = $1', [user.id]),
      ).toEqual([{ kept: null }]);
    });

    test('ends every session, refreshing too, and a sign-in that waits for its second factor', async () => {
      const user = await make.user(adminWorld.world.db);
      const token = await signIn(adminWorld.world, user);
      const { body } = await post('/auth/login', user);
      await execute(
        adminWorld.world.db,
        `INSERT INTO second_factors (user_id, method, created_at, enabled_at) VALUES ($1, 'EMAIL', now(), now())`,
        [user.id],
      );
      const waiting = await post('/auth/login', user);
      expect(waiting.body.data.tempToken).toBeTruthy();
      const code = await lastCodeTo(adminWorld, user.email);
      await change(user.id, { email: nextEmail() });
      expect(outcomeOf(await me(token))).toBe('401 UNAUTHORIZED');
      expect(outcomeOf(await post('/auth/refresh', { refreshToken: body.data.refreshToken }))).toMatch(
        /^401 /,
      );
      const { tempToken } = waiting.body.data as { tempToken: string };
      expect(outcomeOf(await post('/auth/login', { tempToken, twoFactorCode: code }))).toBe(
        '401 INVALID_TWO_FACTOR_CODE',
      );
      const reasons = await rows(
        adminWorld.world.db,
        `SELECT DISTINCT revoke_reason AS reason FROM sessions WHERE user_id = $1`,
        [user.id],
      );
      expect(reasons).toEqual([{ reason: 'ADMIN' }]);
    });

    test('X09: a token to reset the password that was mailed to the old address is INVALID_TOKEN', async () => {
      const user = await make.user(adminWorld.world.db);
      const token = await forgotten(adminWorld.world, user.email);
      await change(user.id, { email: nextEmail() });
      const password = 'Another-horse-8!';
      const reset = await post('/auth/reset-password', { token, password, confirmPassword: password });
      expect(outcomeOf(reset)).toBe('400 INVALID_TOKEN');
    });

    test('nothing that was sent before is good for anything', async () => {
      const user = await make.user(adminWorld.world.db);
      await adminWorld.world.db.sequelize.query(
        `INSERT INTO mailed_tokens (id, user_id, purpose, token_hash, created_at, expires_at)
         SELECT gen_random_uuid(), '${user.id}', purpose, md5(random()::text), now(), now() + interval '1 hour'
           FROM unnest('{VERIFY_EMAIL,RESET_PASSWORD}'::text[]) AS purpose;
       INSERT INTO sent_codes (id, user_id, purpose, channel, destination, code_sealed, bound_to, created_at, expires_at)
         SELECT gen_random_uuid(), '${user.id}', purpose, 'EMAIL', 'x', '', CASE purpose WHEN 'LOGIN' THEN 'x' END,
                now(), now() + interval '1 hour'
           FROM unnest('{LOGIN,SETUP,DISABLE}'::text[]) AS purpose`,
      );
      await change(user.id, { email: nextEmail() });
      const good = await firstRow(
        adminWorld.world.db,
        `SELECT (SELECT count(*)::int FROM mailed_tokens WHERE user_id = $1 AND superseded_at IS NULL) AS tokens,
              (SELECT count(*)::int FROM sent_codes WHERE user_id = $1 AND superseded_at IS NULL) AS codes`,
        [user.id],
      );
      expect(good).toEqual({ tokens: 0, codes: 0 });
    });

    test('refused, it sends no mail and ends no session', async () => {
      const [user, other] = [await make.user(adminWorld.world.db), await make.user(adminWorld.world.db)];
      const token = await signIn(adminWorld.world, user);
      expect(outcomeOf(await change(user.id, { email: other.email }))).toBe('409 EMAIL_ALREADY_EXISTS');
      for (const { email } of [user, other]) expect(await mailsTo(adminWorld.world.db, email)).toEqual([]);
      expect(outcomeOf(await me(token))).toBe('200');
    });
  });

  test('a sign-in that began with the old address opens no session after the change', async () => {
    const { db } = adminWorld.world;
    const user = await make.user(db);
    const begun = (await userByEmail(db, user.region, user.email))!;
    const proven = () =>
      inTransaction(db, async (tx) =>
        passwordIsEnough(begun).proof(tx, (await lockUserForSignIn(tx, user.id))!),
      );
    expect(await proven()).toBe(true);
    await change(user.id, { email: nextEmail() });
    expect(await proven()).toBe(false);
  });
});

describe('PATCH /admin/users/:id with a telephone number', () => {
  const change = (id: string, body: object, token?: string) =>
    adminWorld.ask('patch', `/admin/users/${id}`, body, token);
  const post = (path: string, body: object, token: string | null = null) =>
    adminWorld.ask('post', path, body, token);
  const me = (token: string) => adminWorld.ask('get', '/users/me', undefined, token);

  describe('a changed telephone number', () => {
    test('is mailed to the account and sent to the old number, which does not learn the new one', async () => {
      const user = await make.user(adminWorld.world.db);
      const [old, phone] = [await provePhone(adminWorld, user.id), nextPhone()];
      await change(user.id, { phone });
      const [mail, ...more] = await mailsTo(adminWorld.world.db, user.email);
      expect([mail!.subject, more]).toEqual(['Your account was changed', []]);
      expect(mail!.text).toContain('changed the phone number');
      const texts = await textsTo(adminWorld, old);
      expect(texts).toEqual([expect.stringContaining('changed the phone number')]);
      expect(mail!.text + texts.join('')).not.toContain(phone);
      expect(await textsTo(adminWorld, phone)).toEqual([]);
    });

    test('taken away, it says so; a first number goes to the mail only', async () => {
      const user = await make.user(adminWorld.world.db);
      const first = nextPhone();
      await change(user.id, { phone: first });
      await change(user.id, { phone: null });
      const texts = (await mailsTo(adminWorld.world.db, user.email)).map(({ text }) => text);
      expect(texts).toEqual([
        expect.stringContaining('changed the phone number'),
        expect.stringContaining('removed the phone number'),
      ]);
      expect(await textsTo(adminWorld, first)).toEqual([expect.stringContaining('removed the phone number')]);
    });

    test('ends every session, and the codes that went to the old number', async () => {
      const user = await make.user(adminWorld.world.db);
      const old = await provePhone(adminWorld, user.id);
      const token = await signIn(adminWorld.world, user);
      await post('/auth/2fa/setup', { method: 'SMS', password: user.password }, token);
      const code = await lastCodeTo(adminWorld, old);
      await change(user.id, { phone: nextPhone() });
      expect(outcomeOf(await me(token))).toBe('401 UNAUTHORIZED');
      const again = await signIn(adminWorld.world, user);
      expect(outcomeOf(await post('/auth/2fa/verify', { code }, again))).toBe('400 CODE_EXPIRED');
    });

    test('together with the e-mail address: only the new address reads of it', async () => {
      const user = await make.user(adminWorld.world.db);
      const [old, email] = [await provePhone(adminWorld, user.id), nextEmail()];
      await change(user.id, { email, phone: null });
      for (const [address, isTold] of [
        [user.email, false],
        [email, true],
      ] as const) {
        const [mail, ...more] = await mailsTo(adminWorld.world.db, address);
        expect(more).toEqual([]);
        expect(mail!.text.includes('removed the phone number')).toBe(isTold);
      }
      expect(await textsTo(adminWorld, old)).toHaveLength(1);
    });
  });

  test('other changes and notes send no message and end no session', async () => {
    const user = await make.user(adminWorld.world.db);
    const token = await signIn(adminWorld.world, user);
    const phone = await provePhone(adminWorld, user.id);
    await change(user.id, { email: user.email, phone, profile: { firstName: 'Zoë' }, note: 'x' });
    expect(await mailsTo(adminWorld.world.db, user.email)).toEqual([]);
    expect(await textsTo(adminWorld, phone)).toEqual([]);
    expect(outcomeOf(await me(token))).toBe('200');
  });

  test('the new address of staff cannot be set by staff: no reset, no session', async () => {
    const colleague = await make.admin(adminWorld.world.db);
    const email = nextEmail();
    expect(outcomeOf(await change(colleague.id, { email }))).toBe('403 FORBIDDEN');
    expect(await mailsTo(adminWorld.world.db, email)).toEqual([]);
  });

  test('an erased account is neither changed nor noted about', async () => {
    const user = await make.user(adminWorld.world.db);
    await inTransaction(adminWorld.world.db, (tx) => eraseAccount(tx, user.id, new Date()));
    for (const body of [{ email: nextEmail() }, { note: 'x' }]) {
      const answer = await change(user.id, body);
      expect([outcomeOf(answer), answer.body.error.reason]).toEqual([
        '400 VALIDATION_ERROR',
        'ACCOUNT_ERASED',
      ]);
    }
  });
});
