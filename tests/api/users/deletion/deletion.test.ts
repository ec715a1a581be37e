import { z } from 'zod';
import { v7 } from 'uuid';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import {
  accountDeletionProcess,
  requestDeletion,
} from '../../../../workflows/identity/account-deletion/account-deletion.contract';
import { ageSessions } from '../../../support/builders/aging';
import { atOnce } from '../../../support/requests/at-once';
import { latestToken, mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { countedPoolRun } from '../../../support/builders/make/partners/pool-runs';
import { shopper } from '../../../support/builders/shop';
import { logIn, signIn } from '../../../support/builders/sign-in';
import { ownWorld } from '../../../support/worlds/world';
import type { User } from '../../../support/builders/make/people';

const world = ownWorld({ queues: ['interactive'] });

const leave = (token: string) => world.http.delete('/api/v1/users/me').auth(token, { type: 'bearer' });

describe('DELETE /users/me', () => {
  const Answer = z.strictObject({
    success: z.literal(true),
    data: z.strictObject({ message: z.string(), deletionDueAt: z.iso.datetime() }),
  });
  const me = (token: string) => world.http.get('/api/v1/users/me').auth(token, { type: 'bearer' });
  const refused = ({ status, body }: { status: number; body: { error: { code: string } } }) => [
    status,
    body.error.code,
  ];
  const due = async (userId: string): Promise<boolean> =>
    (await firstRow<{ due: boolean }>(
      world.db,
      'SELECT deletion_due_at IS NOT NULL AS due FROM users WHERE id = $1',
      [userId],
    ))!.due;

  test('200: due fourteen days from now; every session ends, and the owner is informed', async () => {
    const user = await make.user(world.db);
    const [token, other] = [await signIn(world, user), await signIn(world, user)];
    const { status, body, headers } = await leave(token);
    expect(status).toBe(200);
    const days = (Date.parse(Answer.parse(body).data.deletionDueAt) - Date.now()) / 86_400_000;
    expect(Math.round(days * 100) / 100).toBe(14);
    expect(String(headers['set-cookie'])).toMatch(/svc_access_token=;/);
    for (const ended of [token, other]) expect(refused(await me(ended))).toEqual([401, 'UNAUTHORIZED']);
    const ends = await rows<{ reason: string }>(
      world.db,
      'SELECT revoke_reason AS reason FROM sessions WHERE user_id = $1',
      [user.id],
    );
    expect(ends.map(({ reason }) => reason)).toEqual(['DELETION', 'DELETION']);
    const mails = await mailsTo(world.db, user.email);
    expect(mails).toMatchObject([{ subject: 'Your account will be deleted' }]);
  });

  test('200: requested twice at once, it is one process and one mail', async () => {
    const user = await make.user(world.db);
    const tokens = [await signIn(world, user), await signIn(world, user)];
    const answers = await Promise.all(tokens.map(leave));
    // The second request may find the session ended by the first.
    expect(answers.map(({ status }) => status)).toContain(200);
    for (const { status } of answers) expect([200, 401]).toContain(status);
    const dues = answers.flatMap(({ body }) => body.data?.deletionDueAt ?? []);
    expect(new Set(dues).size).toBe(1);
    const mails = await rows(world.db, 'SELECT id FROM outbox_messages WHERE recipient = $1', [user.email]);
    expect(mails).toHaveLength(1);
  });

  test('signing in again cancels it; then it may be requested again', async () => {
    const user = await make.user(world.db);
    await leave(await signIn(world, user));
    expect(await due(user.id)).toBe(true);
    const token = await logIn(world, user);
    expect(await due(user.id)).toBe(false);
    expect((await me(token)).status).toBe(200);
    const process = world.temporal.workflow.getHandle(accountDeletionProcess.id({ userId: user.id }));
    expect(await process.result()).toBe('CANCELLED');
    expect((await leave(token)).status).toBe(200);
    expect(await due(user.id)).toBe(true);
  });

  test('a wrong password cancels nothing', async () => {
    const user = await make.user(world.db);
    await leave(await signIn(world, user));
    await world.http.post('/api/v1/auth/login').send({ email: user.email, password: 'Wrong-horse-7!' });
    expect(await due(user.id)).toBe(true);
  });

  describe('400 VALIDATION_ERROR', () => {
    test('while there is money in the account', async () => {
      const buyer = await make.buyer(world.db, { walletMinor: 1 });
      const token = await signIn(world, buyer);
      const answer = await leave(token);
      expect(refused(answer)).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.error).toMatchObject({
        reason: 'ACCOUNT_NOT_SETTLED',
        details: {
          account: ['holds money in USD'],
        },
      });
      expect((await me(token)).status).toBe(200);
      expect(await due(buyer.id)).toBe(false);
    });

    test('while the share of a pool is not paid', async () => {
      const { userId, ...partner } = await make.partner(world.db);
      const { period } = await countedPoolRun(world.db, { userId, ...partner });
      const answer = await leave(await signIn(world, { id: userId }));
      expect(refused(answer)).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.error).toMatchObject({
        reason: 'ACCOUNT_NOT_SETTLED',
        details: {
          account: [`the share of the leadership pool of ${period.period} is not paid yet`],
        },
      });
    });

    test('while an order is under way', async () => {
      const product = await make.product(world.db);
      const { order, token } = await shopper(world, [{ productId: product.id }]);
      const { orderNumber } = await order();
      const answer = await leave(token);
      expect(refused(answer)).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.body.error).toMatchObject({
        reason: 'ACCOUNT_NOT_SETTLED',
        details: {
          account: [`order ${orderNumber} is PENDING_PAYMENT`],
        },
      });
    });
  });

  test('403 FORBIDDEN for the last SUPER_ADMIN, who may leave once there is another', async () => {
    const last = await make.superAdmin(world.db);
    const token = await signIn(world, last);
    expect(refused(await leave(token))).toEqual([403, 'FORBIDDEN']);
    expect((await me(token)).status).toBe(200);
    await make.superAdmin(world.db);
    expect((await leave(token)).status).toBe(200);
  });

  describe('a fresh sign-in', () => {
    const leaveWith = (token: string, body: object) => leave(token).send(body);

    test('403 REAUTHENTICATION_REQUIRED on an older session; the password, or signing in again, helps', async () => {
      const [one, other] = [await make.user(world.db), await make.user(world.db)];
      const tokens = [await signIn(world, one), await signIn(world, other)] as const;
      for (const user of [one, other]) await ageSessions(world.db, user);
      expect(refused(await leave(tokens[0]))).toEqual([403, 'REAUTHENTICATION_REQUIRED']);
      expect(await due(one.id)).toBe(false);
      expect((await leaveWith(tokens[0], { password: one.password })).status).toBe(200);
      expect((await leave(await logIn(world, other))).status).toBe(200);
    });

    test('401 INVALID_PASSWORD, which counts towards the lockout', async () => {
      const user = await make.user(world.db);
      const token = await signIn(world, user);
      await ageSessions(world.db, user);
      for (let i = 0; i < 10; i++)
        expect(refused(await leaveWith(token, { password: 'wrong' }))).toEqual([401, 'INVALID_PASSWORD']);
      expect(refused(await leaveWith(token, { password: user.password }))).toEqual([401, 'INVALID_PASSWORD']);
      expect(await due(user.id)).toBe(false);
    });

    test('401 UNAUTHORIZED when the session has ended before the step: the proof went with it', async () => {
      const user = await make.user(world.db);
      await signIn(world, user);
      const session = await firstRow<{ id: string }>(
        world.db,
        `UPDATE sessions SET revoked_at = now(), revoke_reason = 'PASSWORD' WHERE user_id = $1 RETURNING id`,
        [user.id],
      );
      const requested = world.processes.open(
        accountDeletionProcess,
        { userId: user.id },
        requestDeletion,
        { sessionId: session!.id },
        { updateId: 'ended session' },
      );
      await expect(requested).rejects.toMatchObject({ type: 'UNAUTHORIZED' });
      expect(await due(user.id)).toBe(false);
    });
  });
});

describe('undoing it', () => {
  const undo = (token: string) => world.http.post('/api/v1/auth/undo').send({ token });
  const outcomeOf = async (asked: PromiseLike<{ status: number; body: { error?: { code: string } } }>) => {
    const { status, body } = await asked;
    return `${status} ${body.error?.code ?? 'done'}`;
  };
  const isDue = async ({ id }: Pick<User, 'id'>): Promise<boolean> =>
    (await firstRow<{ due: boolean }>(
      world.db,
      'SELECT deletion_due_at IS NOT NULL AS due FROM users WHERE id = $1',
      [id],
    ))!.due;
  const resultOf = ({ id: userId }: Pick<User, 'id'>): Promise<unknown> =>
    world.temporal.workflow.getHandle(accountDeletionProcess.id({ userId })).result();

  /** The state half a minute after an API crashed between carrying out a keyed request and storing its answer. */
  const loseAnswer = (key: string) =>
    execute(
      world.db,
      `UPDATE idempotency_keys SET state = 'CLAIMED', status = NULL, body = NULL,
       claimed_at = claimed_at - interval '1 minute' WHERE key = $1`,
      [key],
    );

  /** Requests the deletion of a new account; answers the token of the mail about it. */
  async function leaving(): Promise<{ user: User; token: string; session: string }> {
    const user = await make.user(world.db);
    const session = await signIn(world, user);
    expect((await leave(session)).status).toBe(200);
    const mail = (await mailsTo(world.db, user.email)).find(({ token }) => token !== null)!;
    expect(mail.subject).toBe('Your account will be deleted');
    return { user, token: mail.token!, session };
  }

  test('200: the account stays, its process ends, and the owner gets a mail', async () => {
    const { user, token } = await leaving();
    const { status, body } = await undo(token);
    expect([status, body.data.undone]).toEqual([200, 'DELETION']);
    expect(await isDue(user)).toBe(false);
    expect(await resultOf(user)).toBe('CANCELLED');
    const mails = await mailsTo(world.db, user.email);
    expect(mails.at(-1)).toMatchObject({
      subject: 'Your account stays',
      text: 'Hello Ada,\n\nThe deletion was undone with the code that we sent you by email, so your account will not be deleted.',
    });
    expect(await outcomeOf(undo(token))).toBe('400 INVALID_TOKEN');
  });

  test('repeated under its key after a lost answer, it gets the first answer', async () => {
    const { user, token } = await leaving();
    const key = v7();
    const keyed = () => undo(token).set('Idempotency-Key', key);
    const first = await keyed();
    expect(first.status).toBe(200);
    await loseAnswer(key);
    const second = await keyed();
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await outcomeOf(undo(token))).toBe('400 INVALID_TOKEN');
    expect(await outcomeOf(undo(token).set('Idempotency-Key', v7()))).toBe('400 INVALID_TOKEN');

    // A deletion requested again in the meantime stays: the undoing belongs to the earlier one.
    await leave(await logIn(world, user));
    await loseAnswer(key);
    expect((await keyed()).body).toEqual(first.body);
    expect(await isDue(user)).toBe(true);
  });

  test('50 requests with one token at once: one success', async () => {
    const { user, token } = await leaving();
    const answers = await atOnce(50, () => undo(token));
    const outcomes = await Promise.all(answers.map((answer) => outcomeOf(Promise.resolve(answer))));
    expect(outcomes.sort()).toEqual(['200 done', ...Array<string>(49).fill('400 INVALID_TOKEN')]);
    expect(await isDue(user)).toBe(false);
    expect(await outcomeOf(undo(token))).toBe('400 INVALID_TOKEN');
  });

  test('the token of a deletion that signing in has cancelled undoes no later one', async () => {
    const { user, token } = await leaving();
    const session = await logIn(world, user);
    expect(await outcomeOf(undo(token))).toBe('400 INVALID_TOKEN');
    expect((await leave(session)).status).toBe(200);
    expect(await outcomeOf(undo(token))).toBe('400 INVALID_TOKEN');
    expect(await isDue(user)).toBe(true);
    const later = (await mailsTo(world.db, user.email)).findLast((mail) => mail.token !== null)!;
    expect(later.token).not.toBe(token);
    expect(await outcomeOf(undo(later.token!))).toBe('200 done');
    expect(await isDue(user)).toBe(false);
  });

  test('deletion and undoing at once: the account is as the last of them left it, and its token with it', async () => {
    for (let round = 0; round < 3; round++) {
      const { user, token, session } = await leaving();
      await revive(user);
      const outcomes = await Promise.all([outcomeOf(undo(token)), outcomeOf(leave(session))]);
      expect(outcomes[0]).toBe('200 done');
      expect(outcomes[1]).toBe('200 done');
      if (!(await isDue(user))) {
        expect(await outcomeOf(undo(token))).toBe('400 INVALID_TOKEN');
        continue;
      }
      expect(await outcomeOf(undo(await latestToken(world.db, user.email)))).toBe('200 done');
      expect(await isDue(user)).toBe(false);
    }
  });

  test('400 TOKEN_EXPIRED after its days: the deletion stays', async () => {
    const { user, token } = await leaving();
    await execute(world.db, 'UPDATE mailed_tokens SET expires_at = now() WHERE user_id = $1', [user.id]);
    expect(await outcomeOf(undo(token))).toBe('400 TOKEN_EXPIRED');
    expect(await isDue(user)).toBe(true);
  });

  /** Revives the sessions that a deletion has ended, like one that was opened at the same moment. */
  const revive = ({ id }: Pick<User, 'id'>) =>
    execute(world.db, 'UPDATE sessions SET revoked_at = NULL, revoke_reason = NULL WHERE user_id = $1', [id]);
});
