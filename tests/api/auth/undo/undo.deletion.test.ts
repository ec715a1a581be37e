import { v7 } from 'uuid';
import { execute, firstRow } from '../../../../db/sql/query';
import { accountDeletionProcess } from '../../../../workflows/identity/account-deletion/account-deletion.contract';
import { latestToken, mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import type { User } from '../../../support/builders/make/people';
import { logIn, signIn } from '../../../support/builders/sign-in';
import { startWorld, type World } from '../../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.teardown());

const leave = (token: string) => world.http.delete('/api/v1/users/me').auth(token, { type: 'bearer' });
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
    text: 'Hello Ada,\n\nThe deletion was undone with the code that we mailed to you, so your account will not be deleted.',
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
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcomeOf(undo(token))));
  expect(outcomes.filter((each) => each === '200 done')).toHaveLength(1);
  // A process accepts a limited number of updates at once; further requests get a 503 or 429.
  for (const each of outcomes)
    expect(['200 done', '400 INVALID_TOKEN', '503 SERVICE_UNAVAILABLE']).toContain(each);
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
