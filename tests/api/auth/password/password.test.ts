import { z } from 'zod';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { eventually } from '../../../support/checks/eventually';
import { mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { askAuth, password, refusedWith } from '../../../support/builders/registering';
import { forgotten } from '../../../support/builders/resetting';
import { ownWorld } from '../../../support/worlds/world';
import { signIn } from '../../../support/builders/sign-in';
import { appCode } from '../two-factor/guarded';

const world = ownWorld({ queues: ['interactive'] });

describe('POST /auth/forgot-password', () => {
  beforeEach(() => world.work());

  const forgot = (email: unknown, headers?: Record<string, string>) =>
    askAuth(world, 'forgot-password', { email }, headers);
  const settled = () =>
    eventually(async () =>
      expect(await rows(world.db, 'SELECT id FROM password_reset_requests')).toEqual([]),
    );

  test('200: a mail with a token for one hour, stored as a hash only', async () => {
    const user = await make.user(world.db);
    const token = await forgotten(world, user.email);
    const [mail] = await mailsTo(world.db, user.email);
    expect(mail!.text).toContain(token);
    const kept = await firstRow<Record<string, unknown>>(
      world.db,
      `SELECT purpose, token_hash, extract(epoch FROM expires_at - created_at)::int AS seconds
       FROM mailed_tokens WHERE user_id = $1`,
      [user.id],
    );
    expect(kept).toEqual({
      purpose: 'RESET_PASSWORD',
      tokenHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      seconds: 3600,
    });
  });

  test('200 for anybody, with the same words; and nobody waits to learn whether there is an account', async () => {
    const user = await make.user(world.db);
    // No worker is there to look for an account, and yet both are answered.
    await world.rest();
    const known = await forgot(` ${user.email.toUpperCase()}`);
    const unknown = await forgot('nobody@example.com');
    expect([known.status, unknown.status]).toEqual([200, 200]);
    z.strictObject({ success: z.literal(true), data: z.strictObject({ message: z.string() }) }).parse(
      known.body,
    );
    expect(unknown.text).toBe(known.text);
    const requests = await rows(world.db, 'SELECT email FROM password_reset_requests ORDER BY email');
    expect(requests).toEqual([{ email: 'nobody@example.com' }, { email: user.email }]);

    await world.work();
    await settled();
    expect(await mailsTo(world.db, user.email)).toHaveLength(1);
    expect(await mailsTo(world.db, 'nobody@example.com')).toEqual([]);
  });

  test.each([
    ['PENDING_VERIFICATION', 0],
    ['SUSPENDED', 1],
    ['BANNED', 0],
  ] as const)('an account that is %s gets %d mails', async (status, mails) => {
    const user = await make.user(world.db, { status });
    expect((await forgot(user.email)).status).toBe(200);
    await settled();
    expect(await mailsTo(world.db, user.email)).toHaveLength(mails);
  });

  test('the account of another region is another', async () => {
    const user = await make.user(world.db);
    await forgot(user.email, { Cookie: 'svc_region=US' });
    await settled();
    expect(await mailsTo(world.db, user.email)).toEqual([]);
  });

  test('of many requests at once, one token is valid in the end', async () => {
    const user = await make.user(world.db);
    await Promise.all([1, 2, 3].map(() => forgot(user.email)));
    await settled();
    expect(await mailsTo(world.db, user.email)).toHaveLength(3);
    const live = await rows(
      world.db,
      'SELECT id FROM mailed_tokens WHERE user_id = $1 AND used_at IS NULL AND superseded_at IS NULL',
      [user.id],
    );
    expect(live).toHaveLength(1);
  });

  test.each([undefined, 'nobody', 7])('400 VALIDATION_ERROR: %j', async (email) => {
    expect(refusedWith(await forgot(email))).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
  });
});

describe('POST /auth/reset-password', () => {
  const reset = (token: string, chosen = password, confirmPassword = chosen) =>
    askAuth(world, 'reset-password', { token, password: chosen, confirmPassword });
  const logIn = async (email: string, tried: string) =>
    (await askAuth(world, 'login', { email, password: tried })).status;
  const hashOf = (userId: string) =>
    firstRow(world.db, 'SELECT password_hash, password_changed_at FROM users WHERE id = $1', [userId]);

  describe('200', () => {
    test('the new password works, the old does not; every session ends; the owner gets a mail', async () => {
      const user = await make.user(world.db);
      const accessToken = await signIn(world, user);
      const answer = await reset(await forgotten(world, user.email));
      expect(answer.status).toBe(200);
      z.strictObject({ success: z.literal(true), data: z.strictObject({ message: z.string() }) }).parse(
        answer.body,
      );
      expect(answer.headers['set-cookie']).toBeUndefined();

      const { status } = await world.http
        .get('/api/v1/users/me/addresses')
        .auth(accessToken, { type: 'bearer' });
      expect(status).toBe(401);
      expect(
        await rows(world.db, 'SELECT revoke_reason FROM sessions WHERE user_id = $1', [user.id]),
      ).toEqual([{ revokeReason: 'PASSWORD' }]);
      expect([await logIn(user.email, user.password), await logIn(user.email, password)]).toEqual([401, 200]);
      expect(await hashOf(user.id)).toMatchObject({ passwordChangedAt: expect.any(Date) });
      expect((await mailsTo(world.db, user.email)).at(-1)).toMatchObject({
        subject: 'Your password was changed',
        token: null,
      });
    });

    test('a suspended account gets a new password and stays suspended', async () => {
      const user = await make.user(world.db, { status: 'SUSPENDED' });
      expect((await reset(await forgotten(world, user.email))).status).toBe(200);
      expect(await logIn(user.email, password)).toBe(403);
    });

    test('who has a second factor still needs it', async () => {
      const user = await make.user(world.db);
      const accessToken = await signIn(world, user);
      const asThem = (path: string, body: object) =>
        world.http.post(`/api/v1/auth/2fa/${path}`).auth(accessToken, { type: 'bearer' }).send(body);
      const { secret } = (await asThem('setup', { method: 'TOTP' })).body.data;
      expect((await asThem('verify', { code: appCode(secret) })).status).toBe(200);

      expect((await reset(await forgotten(world, user.email))).status).toBe(200);
      const { body } = await askAuth(world, 'login', { email: user.email, password });
      expect(body.data).toEqual({
        requiresTwoFactor: true,
        tempToken: expect.any(String),
        methods: ['TOTP'],
      });
    });

    test('of two uses at once one wins', async () => {
      const user = await make.user(world.db);
      const token = await forgotten(world, user.email);
      const chosen = [password, 'Harpsichord-9-moss'];
      const answers = await Promise.all(chosen.map((one) => reset(token, one)));
      expect(answers.map(refusedWith).sort((a, b) => a.status - b.status)).toEqual([
        { status: 200, code: undefined },
        { status: 400, code: 'INVALID_TOKEN' },
      ]);
      const winner = chosen[answers.findIndex(({ status }) => status === 200)]!;
      expect(await logIn(user.email, winner)).toBe(200);
      expect(await mailsTo(world.db, user.email)).toHaveLength(2);
    });
  });

  describe('400', () => {
    test('INVALID_TOKEN: one that was used, replaced or never was', async () => {
      const user = await make.user(world.db);
      const first = await forgotten(world, user.email);
      const second = await forgotten(world, user.email);
      const invalid = { status: 400, code: 'INVALID_TOKEN' };
      expect(refusedWith(await reset(first))).toEqual(invalid);
      expect((await reset(second)).status).toBe(200);
      expect(refusedWith(await reset(second, 'Harpsichord-9-moss'))).toEqual(invalid);
      expect(refusedWith(await reset('never-ours'))).toEqual(invalid);
    });

    test('TOKEN_EXPIRED: after an hour', async () => {
      const user = await make.user(world.db);
      const token = await forgotten(world, user.email);
      const before = await hashOf(user.id);
      await execute(
        world.db,
        `UPDATE mailed_tokens SET expires_at = expires_at - interval '1 hour' WHERE user_id = $1`,
        [user.id],
      );
      expect(refusedWith(await reset(token))).toEqual({ status: 400, code: 'TOKEN_EXPIRED' });
      expect(await hashOf(user.id)).toEqual(before);
    });

    test('PASSWORD_MISMATCH, PASSWORD_TOO_WEAK and PASSWORD_RECENTLY_USED leave the token good', async () => {
      const user = await make.user(world.db, { firstName: 'Zuzanna', lastName: 'Wojciechowska' });
      const token = await forgotten(world, user.email);
      const codes = [
        await reset(token, password, `${password}!`),
        await reset(token, 'Wojciechowska12'),
        await reset(token, user.password),
      ].map((answer) => refusedWith(answer));
      expect(codes).toEqual([
        { status: 400, code: 'PASSWORD_MISMATCH' },
        { status: 400, code: 'PASSWORD_TOO_WEAK' },
        { status: 400, code: 'PASSWORD_RECENTLY_USED' },
      ]);
      expect((await reset(token)).status).toBe(200);
    });

    test('PASSWORD_RECENTLY_USED: the last five only', async () => {
      const user = await make.user(world.db);
      const passwords = [1, 2, 3, 4, 5].map((n) => `Umbrella-${n}-tango`);
      const mailed = async () => {
        await execute(world.db, 'DELETE FROM rate_limits'); // Three an hour go to one mailbox.
        return forgotten(world, user.email);
      };
      for (const chosen of passwords) expect((await reset(await mailed(), chosen)).status).toBe(200);
      const token = await mailed();
      for (const used of passwords)
        expect(refusedWith(await reset(token, used)).code).toBe('PASSWORD_RECENTLY_USED');
      expect((await reset(token, user.password)).status).toBe(200);
      expect(
        await rows(world.db, 'SELECT id FROM password_history WHERE user_id = $1', [user.id]),
      ).toHaveLength(4);
    });

    test.each([
      ['token', { token: '' }],
      ['password', { password: 'short', confirmPassword: 'short' }],
      ['confirmPassword', { confirmPassword: undefined }],
    ])('VALIDATION_ERROR: %s', async (field, wrong) => {
      const body = { token: 'x', password, confirmPassword: password, ...wrong };
      const answer = await askAuth(world, 'reset-password', body);
      expect(refusedWith(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(Object.keys(answer.body.error.details)).toEqual([field]);
    });
  });
});
