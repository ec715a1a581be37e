import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { execute, firstRow, rows } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { logIn, signIn } from '../../../../support/builders/sign-in';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld();
});
afterAll(() => adminWorld.world.teardown());

const Activated = z.strictObject({
  userId: z.uuid(),
  status: z.literal('ACTIVE'),
  activatedAt: z.iso.datetime(),
  activatedBy: z.uuid(),
});

const suspend = (id: string) =>
  adminWorld.ask('post', `/admin/users/${id}/suspend`, { reason: 'Spam.', duration: 9 });
const activate = (id: string, body: object = {}, token?: string | null) =>
  adminWorld.ask('post', `/admin/users/${id}/activate`, body, token);
const statusOf = async (id: string) =>
  (await firstRow<{ status: string }>(adminWorld.world.db, 'SELECT status FROM users WHERE id = $1', [id]))!
    .status;

test('lets the user sign in again; ended sessions stay ended', async () => {
  const user = await make.user(adminWorld.world.db);
  const old = await signIn(adminWorld.world, user);
  await suspend(user.id);
  const answer = await activate(user.id, { note: 'Cleared up.', notifyUser: true });
  expect(answer.status).toBe(200);
  expect(Activated.parse(answer.body.data)).toMatchObject({
    userId: user.id,
    activatedBy: adminWorld.admin.id,
  });
  expect(await logIn(adminWorld.world, user)).toBeTruthy();
  const still = await adminWorld.ask('get', '/users/me/addresses', undefined, old);
  expect(outcomeOf(still)).toBe('401 UNAUTHORIZED');
  const mails = await rows(adminWorld.world.db, 'SELECT 1 FROM outbox_messages WHERE recipient = $1', [
    user.email,
  ]);
  expect(mails).toHaveLength(1);
  const record = await firstRow(
    adminWorld.world.db,
    `SELECT next FROM audit_records WHERE entity_id = $1 AND action = 'user.activate'`,
    [user.id],
  );
  expect(record).toEqual({ next: { status: 'ACTIVE', reason: 'Cleared up.' } });
});

test('activates a user whom older data left suspended without a process', async () => {
  const user = await make.user(adminWorld.world.db);
  await execute(
    adminWorld.world.db,
    `UPDATE users SET status = 'SUSPENDED', suspended_at = now(), suspended_until = now() + interval '9 days' WHERE id = $1`,
    [user.id],
  );
  expect(outcomeOf(await activate(user.id))).toBe('200');
  expect(await statusOf(user.id)).toBe('ACTIVE');
  expect(outcomeOf(await suspend(user.id))).toBe('200');
});

test('NOT_SUSPENDED for a user who is not, and for all but one of those who activate at once', async () => {
  const user = await make.user(adminWorld.world.db);
  expect(outcomeOf(await activate(user.id))).toBe('400 NOT_SUSPENDED');
  for (const status of ['BANNED', 'PENDING_VERIFICATION'] as const)
    expect(outcomeOf(await activate((await make.user(adminWorld.world.db, { status })).id))).toBe(
      '400 NOT_SUSPENDED',
    );
  await suspend(user.id);
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => activate(user.id).then(outcomeOf)));
  expect(outcomes.sort()).toEqual(['200', ...Array<string>(4).fill('400 NOT_SUSPENDED')]);
});

test('the same Idempotency-Key is answered again after its process has ended', async () => {
  const user = await make.user(adminWorld.world.db);
  await suspend(user.id);
  const key = `activate-${user.id}`;
  const ask = () =>
    adminWorld.world.http
      .post(`/api/v1/admin/users/${user.id}/activate`)
      .auth(adminWorld.tokens.admin, { type: 'bearer' })
      .set('idempotency-key', key)
      .send({});
  const first = await ask();
  expect(first.status).toBe(200);
  await adminWorld.world.temporal.workflow.getHandle(`suspension:${user.id}`).result();
  await execute(
    adminWorld.world.db,
    `UPDATE idempotency_keys SET state = 'OPEN', status = NULL, body = NULL WHERE key = $1`,
    [key],
  );
  expect((await ask()).body).toEqual(first.body);
  const done = await rows(
    adminWorld.world.db,
    `SELECT 1 FROM audit_records WHERE entity_id = $1 AND action = 'user.activate'`,
    [user.id],
  );
  expect(done).toHaveLength(1);
});

test('suspending and activating may cross: each is done or refused, and the last one done holds', async () => {
  const user = await make.user(adminWorld.world.db);
  await suspend(user.id);
  const crossed = await Promise.all([
    activate(user.id),
    suspend(user.id),
    activate(user.id),
    suspend(user.id),
  ]);
  const done = crossed.map(outcomeOf);
  const refusals = done.filter((one) => one !== '200');
  for (const refused of refusals) expect(refused).toMatch(/^400 (ALREADY|NOT)_SUSPENDED$/);
  const moves = done.length - refusals.length;
  expect(await statusOf(user.id)).toBe(moves % 2 === 1 ? 'ACTIVE' : 'SUSPENDED');
});

test('CANNOT_MODIFY_SUPER_ADMIN, in any status', async () => {
  const other = await make.superAdmin(adminWorld.world.db);
  expect(outcomeOf(await activate(other.id, {}, adminWorld.tokens.superAdmin))).toBe(
    '403 CANNOT_MODIFY_SUPER_ADMIN',
  );
});

test('USER_NOT_FOUND, VALIDATION_ERROR, and for administrators only', async () => {
  expect(outcomeOf(await activate(randomUUID()))).toBe('404 USER_NOT_FOUND');
  expect(outcomeOf(await activate(adminWorld.user.id, { note: 5 }))).toBe('400 VALIDATION_ERROR');
  expect(outcomeOf(await activate(adminWorld.user.id, {}, null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await activate(adminWorld.user.id, {}, adminWorld.tokens.user))).toBe('403 FORBIDDEN');
});
