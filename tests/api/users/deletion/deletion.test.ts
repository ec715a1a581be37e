import { z } from 'zod';
import { firstRow, rows } from '../../../../db/sql/query';
import {
  accountDeletionProcess,
  requestDeletion,
} from '../../../../workflows/identity/account-deletion/account-deletion.contract';
import { ageSessions } from '../../../support/builders/aging';
import { mailsTo } from '../../../support/checks/mail';
import { make } from '../../../support/builders/make';
import { shopper } from '../../../support/builders/shop';
import { logIn, signIn } from '../../../support/builders/sign-in';
import { startWorld, type World } from '../../../support/worlds/world';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.teardown());

const Answer = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({ message: z.string(), deletionDueAt: z.iso.datetime() }),
});

const leave = (token: string) => world.http.delete('/api/v1/users/me').auth(token, { type: 'bearer' });
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
    expect(answer.body.error.details).toEqual({ account: ['holds money in USD'] });
    expect((await me(token)).status).toBe(200);
    expect(await due(buyer.id)).toBe(false);
  });

  test('while an order is under way', async () => {
    const product = await make.product(world.db);
    const { order, token } = await shopper(world, [{ productId: product.id }]);
    const { orderNumber } = await order();
    const answer = await leave(token);
    expect(refused(answer)).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details).toEqual({ account: [`order ${orderNumber} is PENDING_PAYMENT`] });
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

test('401 UNAUTHORIZED without a token', async () => {
  expect(refused(await world.http.delete('/api/v1/users/me'))).toEqual([401, 'UNAUTHORIZED']);
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
      { updateId: 'ended session', ifClosed: 'SERVICE_UNAVAILABLE' },
    );
    await expect(requested).rejects.toMatchObject({ type: 'UNAUTHORIZED' });
    expect(await due(user.id)).toBe(false);
  });
});
