import { z } from 'zod';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { askAuth, newcomer, password, refusedWith, registered } from '../../../support/builders/registering';
import { atOnce } from '../../../support/requests/at-once';
import { latestToken, mailsTo } from '../../../support/checks/mail';
import { startWorld, type World } from '../../../support/worlds/world';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';

let world: World;
beforeAll(async () => {
  world = await startWorld({ queues: ['interactive'] });
});
afterAll(() => world.teardown());

describe('POST /auth/verify-email', () => {
  const verify = (token: string, headers?: Record<string, string>) =>
    askAuth(world, 'verify-email', { token }, headers);

  const VerifyAnswer = z.strictObject({
    success: z.literal(true),
    data: z.strictObject({
      message: z.string(),
      user: z.strictObject({
        id: z.uuid(),
        email: z.email(),
        status: z.literal('ACTIVE'),
        emailVerifiedAt: z.iso.datetime(),
      }),
    }),
  });

  describe('200', () => {
    test('the account is ACTIVE with level BASIC, and can be logged in to', async () => {
      const { id, email, token } = await registered(world);
      const early = await askAuth(world, 'login', { email, password });
      expect(refusedWith(early)).toEqual({ status: 403, code: 'ACCOUNT_NOT_VERIFIED' });

      const answer = await verify(` ${token.toUpperCase()} `);
      expect(answer.status).toBe(200);
      const { user } = VerifyAnswer.parse(answer.body).data;
      expect(user).toMatchObject({ id, email });
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(
        await firstRow(
          world.db,
          `SELECT status, kyc_level AS level, email_verified_at AS verified_at FROM users WHERE id = $1`,
          [id],
        ),
      ).toEqual({ status: 'ACTIVE', level: 'BASIC', verifiedAt: new Date(user.emailVerifiedAt) });
      expect((await askAuth(world, 'login', { email, password })).status).toBe(200);
    });

    test('the same request under one key gets the same answer', async () => {
      const { token } = await registered(world);
      const key = { 'Idempotency-Key': token };
      const [first, second] = [await verify(token, key), await verify(token, key)];
      expect([first.status, second.status]).toEqual([200, 200]);
      expect(second.body).toEqual(first.body);
    });
  });

  describe('400', () => {
    test.each(['never-ours', 'a1b2c3d4-0000-4000-8000-000000000000'])('INVALID_TOKEN: %s', async (token) => {
      expect(refusedWith(await verify(token))).toEqual({ status: 400, code: 'INVALID_TOKEN' });
    });

    test('INVALID_TOKEN: one that another has replaced', async () => {
      const { email, token } = await registered(world);
      await askAuth(world, 'resend-verification', { email });
      expect(refusedWith(await verify(token))).toEqual({ status: 400, code: 'INVALID_TOKEN' });
      expect((await verify(await latestToken(world.db, email))).status).toBe(200);
    });

    test('INVALID_TOKEN: one of a deleted account', async () => {
      const { id, token } = await registered(world);
      await execute(world.db, 'DELETE FROM users WHERE id = $1', [id]);
      expect(refusedWith(await verify(token))).toEqual({ status: 400, code: 'INVALID_TOKEN' });
    });

    test('INVALID_TOKEN: one to reset a password', async () => {
      const { id, token } = await registered(world);
      await execute(world.db, `UPDATE mailed_tokens SET purpose = 'RESET_PASSWORD' WHERE user_id = $1`, [id]);
      expect(refusedWith(await verify(token))).toEqual({ status: 400, code: 'INVALID_TOKEN' });
    });

    test('TOKEN_EXPIRED: after 24 hours', async () => {
      const { id, token } = await registered(world);
      await execute(
        world.db,
        `UPDATE mailed_tokens SET expires_at = expires_at - interval '24 hours' WHERE user_id = $1`,
        [id],
      );
      expect(refusedWith(await verify(token))).toEqual({ status: 400, code: 'TOKEN_EXPIRED' });
      expect(await firstRow(world.db, 'SELECT status FROM users WHERE id = $1', [id])).toEqual({
        status: 'PENDING_VERIFICATION',
      });
    });

    test.each([{}, { token: '' }, { token: 7 }, { token: 'x'.repeat(201) }])(
      'VALIDATION_ERROR: %j',
      async (body) => {
        const answer = await askAuth(world, 'verify-email', body);
        expect(refusedWith(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
        expect(answer.body.error.details).toEqual({ token: expect.any(Array) });
      },
    );
  });

  describe('409 ALREADY_VERIFIED', () => {
    test('a token is good for one use', async () => {
      const { token } = await registered(world);
      expect((await verify(token)).status).toBe(200);
      expect(refusedWith(await verify(token))).toEqual({ status: 409, code: 'ALREADY_VERIFIED' });
    });

    test('of 20 uses at once one wins', async () => {
      const { token } = await registered(world);
      const answers = await atOnce(20, () => verify(token));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, ...Array(19).fill(409)]);
    });
  });
});

describe('POST /auth/resend-verification', () => {
  const resend = (body: object, headers?: Record<string, string>) =>
    askAuth(world, 'resend-verification', body, headers);

  test('200: another mail with another token, and only that one is valid', async () => {
    const { id, email, token } = await registered(world);
    const answer = await resend({ email: email.toUpperCase() });
    expect(answer.status).toBe(200);
    z.strictObject({ success: z.literal(true), data: z.strictObject({ message: z.string() }) }).parse(
      answer.body,
    );
    const mails = await mailsTo(world.db, email);
    expect(mails).toHaveLength(2);
    expect(mails[1]!.token).not.toBe(token);
    expect(
      await rows(
        world.db,
        `SELECT superseded_at IS NOT NULL AS superseded FROM mailed_tokens WHERE user_id = $1 ORDER BY created_at`,
        [id],
      ),
    ).toEqual([{ superseded: true }, { superseded: false }]);
  });

  test('200: the same request under one key sends one mail', async () => {
    const { id, email } = await registered(world);
    const key = { 'Idempotency-Key': id };
    expect((await resend({ email }, key)).status).toBe(200);
    expect((await resend({ email }, key)).status).toBe(200);
    expect(await mailsTo(world.db, email)).toHaveLength(2);
  });

  test('of three requests at once, one token is valid in the end', async () => {
    const { id, email } = await registered(world);
    const answers = await Promise.all([1, 2, 3].map(() => resend({ email })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const live = await rows(
      world.db,
      'SELECT id FROM mailed_tokens WHERE user_id = $1 AND used_at IS NULL AND superseded_at IS NULL',
      [id],
    );
    expect(live).toHaveLength(1);
  });

  test('404 USER_NOT_FOUND, also for an address of another region', async () => {
    const { email } = await registered(world);
    expect(refusedWith(await resend({ email: 'nobody@example.com' }))).toEqual({
      status: 404,
      code: 'USER_NOT_FOUND',
    });
    expect(refusedWith(await resend({ email }, { Cookie: 'svc_region=APAC' }))).toEqual({
      status: 404,
      code: 'USER_NOT_FOUND',
    });
  });

  test('409 ALREADY_VERIFIED', async () => {
    const user = await make.user(world.db);
    expect(refusedWith(await resend(user))).toEqual({ status: 409, code: 'ALREADY_VERIFIED' });
    expect(await mailsTo(world.db, user.email)).toEqual([]);
  });

  test.each([{}, { email: 'nobody' }, { email: ['a@example.com'] }])(
    '400 VALIDATION_ERROR: %j',
    async (body) => {
      const answer = await resend(body);
      expect(refusedWith(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(answer.body.error.details).toEqual({ email: expect.any(Array) });
    },
  );
});

describe('limits', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({
      queues: ['interactive'],
      variables: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' },
    });
  });
  afterAll(() => world.teardown());
  beforeEach(() => execute(world.db, 'DELETE FROM rate_limits'));

  const LIMITED = { status: 429, code: 'RATE_LIMIT_EXCEEDED' };
  let places = 0;
  /** Another client address, for which the counts begin at zero. */
  const elsewhere = () => ({ 'X-Forwarded-For': `198.51.100.${++places}` });

  describe('429 RATE_LIMIT_EXCEEDED', () => {
    test.each([
      ['register', 5],
      ['resend-verification', 3],
      ['forgot-password', 3],
      ['reset-password', 3],
    ])('%s: %d from one address', async (path, most) => {
      const place = elsewhere();
      const ask = () => askAuth(world, path, { ...newcomer(), email: 'nobody@', token: '' }, place);
      for (let i = 0; i < most; i++) expect((await ask()).status).toBe(400);
      const answer = await ask();
      expect(refusedWith(answer)).toEqual(LIMITED);
      expect(answer.headers['x-ratelimit-limit']).toBe(String(most));
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    });

    test('three verification mails an hour to one mailbox, from all clients together', async () => {
      const { email } = await registered(world);
      const resend = () => askAuth(world, 'resend-verification', { email }, elsewhere());
      for (let i = 0; i < 3; i++) expect((await resend()).status).toBe(200);
      const fourth = await resend();
      expect(refusedWith(fourth)).toEqual(LIMITED);
      expect(Number(fourth.headers['retry-after'])).toBeGreaterThan(3500);
      expect(fourth.body.retryAfter).toBe(Number(fourth.headers['retry-after']));
      expect(await mailsTo(world.db, email)).toHaveLength(4);

      await execute(world.db, `UPDATE rate_limits SET expire = expire - 3600000`);
      expect((await resend()).status).toBe(200);
    });
  });

  test('three mails to reset a password an hour go to one mailbox; the fourth request gets the same answer', async () => {
    const user = await make.user(world.db);
    const bodies = [];
    for (let i = 0; i < 4; i++) {
      const answer = await askAuth(world, 'forgot-password', { email: user.email }, elsewhere());
      expect(answer.status).toBe(200);
      bodies.push(JSON.stringify(answer.body));
    }
    expect(new Set(bodies).size).toBe(1);
    await eventually(async () =>
      expect(await rows(world.db, 'SELECT id FROM password_reset_requests')).toEqual([]),
    );
    expect(await mailsTo(world.db, user.email)).toHaveLength(3);
  });
});
