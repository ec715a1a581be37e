import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { firstRow } from '../../../../../db/sql/query';
import { suspensionProcess } from '../../../../../workflows/identity/suspension/suspension.contract';
import { make } from '../../../../support/builders/make';
import { signIn } from '../../../../support/builders/sign-in';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld();
});
afterAll(() => adminWorld.world.teardown());

const Banned = z.strictObject({
  userId: z.uuid(),
  status: z.literal('BANNED'),
  reason: z.string(),
  bannedAt: z.iso.datetime(),
  bannedBy: z.uuid(),
  sessionsRevoked: z.number(),
});

const ban = (id: string, body: object = { reason: 'Fraud.' }, token?: string | null) =>
  adminWorld.ask(
    'post',
    `/admin/users/${id}/ban`,
    body,
    token === undefined ? adminWorld.tokens.superAdmin : token,
  );

test('ends sessions, and the user may not sign in', async () => {
  const user = await make.user(adminWorld.world.db);
  const token = await signIn(adminWorld.world, user);
  const answer = await ban(user.id, { reason: 'Fraud.', notifyUser: true });
  expect(answer.status).toBe(200);
  expect(Banned.parse(answer.body.data)).toMatchObject({
    userId: user.id,
    reason: 'Fraud.',
    bannedBy: adminWorld.superAdmin.id,
    sessionsRevoked: 1,
  });
  expect(outcomeOf(await adminWorld.ask('get', '/users/me/addresses', undefined, token))).toBe(
    '401 UNAUTHORIZED',
  );
  expect(outcomeOf(await adminWorld.world.http.post('/api/v1/auth/login').send(user))).toBe(
    '403 ACCOUNT_BANNED',
  );
  const record = await firstRow(
    adminWorld.world.db,
    `SELECT action, previous, next FROM audit_records WHERE entity_id = $1`,
    [user.id],
  );
  expect(record).toEqual({
    action: 'user.ban',
    previous: { status: 'ACTIVE' },
    next: { status: 'BANNED', reason: 'Fraud.' },
  });
});

test('ends a suspension with its timer', async () => {
  const user = await make.user(adminWorld.world.db);
  await adminWorld.ask('post', `/admin/users/${user.id}/suspend`, { reason: 'Spam.', duration: 9 });
  expect(outcomeOf(await ban(user.id))).toBe('200');
  const process = adminWorld.world.temporal.workflow.getHandle(suspensionProcess.id({ userId: user.id }));
  expect(await process.result()).toBe('OVER');
  const left = await firstRow(
    adminWorld.world.db,
    'SELECT status, suspended_until AS until FROM users WHERE id = $1',
    [user.id],
  );
  expect(left).toEqual({ status: 'BANNED', until: null });
});

test('CANNOT_MODIFY_SUPER_ADMIN, and so nobody bans themselves; an ADMIN may be banned', async () => {
  const another = await make.superAdmin(adminWorld.world.db);
  for (const { id } of [another, adminWorld.superAdmin])
    expect(outcomeOf(await ban(id))).toBe('403 CANNOT_MODIFY_SUPER_ADMIN');
  expect(outcomeOf(await ban((await make.admin(adminWorld.world.db)).id))).toBe('200');
});

test('VALIDATION_ERROR for who is banned already or never was verified, and without a reason', async () => {
  for (const status of ['BANNED', 'PENDING_VERIFICATION'] as const)
    expect(outcomeOf(await ban((await make.user(adminWorld.world.db, { status })).id))).toBe(
      '400 VALIDATION_ERROR',
    );
  expect(outcomeOf(await ban(adminWorld.user.id, {}))).toBe('400 VALIDATION_ERROR');
});

test('USER_NOT_FOUND, and for a SUPER_ADMIN only', async () => {
  expect(outcomeOf(await ban(randomUUID()))).toBe('404 USER_NOT_FOUND');
  expect(outcomeOf(await ban(adminWorld.user.id, undefined, null))).toBe('401 UNAUTHORIZED');
  for (const token of [adminWorld.tokens.user, adminWorld.tokens.admin])
    expect(outcomeOf(await ban(adminWorld.user.id, undefined, token))).toBe('403 FORBIDDEN');
});
