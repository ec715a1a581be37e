import { z } from 'zod';
import { execute, firstRow } from '../../../../db/sql/query';
import { askAuth, password, refusedWith, registered } from '../../../support/builders/registering';
import { latestToken } from '../../../support/checks/mail';
import { startWorld, type World } from '../../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.teardown());

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
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(token)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array(19).fill(409)]);
  });
});
