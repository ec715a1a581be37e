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
const verdict = async (asked: PromiseLike<{ status: number; body: { error?: { code: string } } }>) => {
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

/** An API that died after a keyed request was carried out and before its answer was kept, half a minute later. */
const loseAnswer = (key: string) =>
  execute(
    world.db,
    `UPDATE idempotency_keys SET state = 'CLAIMED', status = NULL, body = NULL,
       claimed_at = claimed_at - interval '1 minute' WHERE key = $1`,
    [key],
  );

/** Somebody whose deletion was asked for; answers the token of the mail about it. */
async function leaving(): Promise<{ user: User; token: string; session: string }> {
  const user = await make.user(world.db);
  const session = await signIn(world, user);
  expect((await leave(session)).status).toBe(200);
  const mail = (await mailsTo(world.db, user.email)).find(({ token }) => token !== null)!;
  expect(mail.subject).toBe('Your account will be deleted');
  return { user, token: mail.token!, session };
}

test('200: the account stays, its process ends, and the owner is told', async () => {
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
  expect(await verdict(undo(token))).toBe('400 INVALID_TOKEN');
});

test('under its key, repeated after its answer was lost, it is answered as the first time', async () => {
  const { user, token } = await leaving();
  const key = v7();
  const keyed = () => undo(token).set('Idempotency-Key', key);
  const first = await keyed();
  expect(first.status).toBe(200);
  await loseAnswer(key);
  const second = await keyed();
  expect([second.status, second.body]).toEqual([200, first.body]);
  expect(await verdict(undo(token))).toBe('400 INVALID_TOKEN');
  expect(await verdict(undo(token).set('Idempotency-Key', v7()))).toBe('400 INVALID_TOKEN');

  // Asked for again meanwhile, the deletion stands: that request has undone the earlier one.
  await leave(await logIn(world, user));
  await loseAnswer(key);
  expect((await keyed()).body).toEqual(first.body);
  expect(await isDue(user)).toBe(true);
});

test('50 requests with one token at once: one success', async () => {
  const { user, token } = await leaving();
  const verdicts = await Promise.all(Array.from({ length: 50 }, () => verdict(undo(token))));
  expect(verdicts.filter((each) => each === '200 done')).toHaveLength(1);
  // A process takes so many questions at once; who comes beyond that is asked to come again.
  for (const each of verdicts)
    expect(['200 done', '400 INVALID_TOKEN', '503 SERVICE_UNAVAILABLE']).toContain(each);
  expect(await isDue(user)).toBe(false);
  expect(await verdict(undo(token))).toBe('400 INVALID_TOKEN');
});

test('the token of a deletion that signing in has cancelled undoes no later one', async () => {
  const { user, token } = await leaving();
  const session = await logIn(world, user);
  expect(await verdict(undo(token))).toBe('400 INVALID_TOKEN');
  expect((await leave(session)).status).toBe(200);
  expect(await verdict(undo(token))).toBe('400 INVALID_TOKEN');
  expect(await isDue(user)).toBe(true);
  const later = (await mailsTo(world.db, user.email)).findLast((mail) => mail.token !== null)!;
  expect(later.token).not.toBe(token);
  expect(await verdict(undo(later.token!))).toBe('200 done');
  expect(await isDue(user)).toBe(false);
});

test('deletion and undoing at once: the account is as the last of them left it, and its token with it', async () => {
  for (let round = 0; round < 3; round++) {
    const { user, token, session } = await leaving();
    await revive(user);
    const verdicts = await Promise.all([verdict(undo(token)), verdict(leave(session))]);
    expect(verdicts[0]).toBe('200 done');
    expect(verdicts[1]).toBe('200 done');
    if (!(await isDue(user))) {
      expect(await verdict(undo(token))).toBe('400 INVALID_TOKEN');
      continue;
    }
    expect(await verdict(undo(await latestToken(world.db, user.email)))).toBe('200 done');
    expect(await isDue(user)).toBe(false);
  }
});

test('400 TOKEN_EXPIRED after its days: the deletion stands', async () => {
  const { user, token } = await leaving();
  await execute(world.db, 'UPDATE mailed_tokens SET expires_at = now() WHERE user_id = $1', [user.id]);
  expect(await verdict(undo(token))).toBe('400 TOKEN_EXPIRED');
  expect(await isDue(user)).toBe(true);
});

/** Lets the sessions live on that a deletion has ended, as one that was opened at the same moment would. */
const revive = ({ id }: Pick<User, 'id'>) =>
  execute(world.db, 'UPDATE sessions SET revoked_at = NULL, revoke_reason = NULL WHERE user_id = $1', [id]);
