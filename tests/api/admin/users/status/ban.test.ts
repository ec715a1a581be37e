import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { eraseAccount } from '../../../../../db/identity/account-deletion/erasure.transitions';
import { firstRow, execute, rows } from '../../../../../db/sql/query';
import { inTransaction } from '../../../../../db/sql/transaction';
import { suspensionProcess } from '../../../../../workflows/identity/suspension/suspension.contract';
import { make } from '../../../../support/builders/make';
import { signIn, logIn } from '../../../../support/builders/sign-in';
import type { User } from '../../../../support/builders/make/people';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ queues: ['interactive'] });
});
afterAll(() => adminWorld.world.teardown());

describe('POST /admin/users/:id/ban', () => {
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
});

describe('POST /admin/users/:id/unban', () => {
  const Unbanned = z.strictObject({
    userId: z.uuid(),
    status: z.literal('ACTIVE'),
    unbannedAt: z.iso.datetime(),
    unbannedBy: z.uuid(),
  });

  const unban = (id: string, body: object = {}, token?: string | null) =>
    adminWorld.ask(
      'post',
      `/admin/users/${id}/unban`,
      body,
      token === undefined ? adminWorld.tokens.superAdmin : token,
    );

  test('lets the user sign in again', async () => {
    const user = await make.user(adminWorld.world.db, { status: 'BANNED' });
    const answer = await unban(user.id, { note: 'It was not them.', notifyUser: true });
    expect(answer.status).toBe(200);
    expect(Unbanned.parse(answer.body.data)).toMatchObject({
      userId: user.id,
      unbannedBy: adminWorld.superAdmin.id,
    });
    expect(await logIn(adminWorld.world, user)).toBeTruthy();
  });

  test('one who was suspended before the ban is not suspended after it', async () => {
    const user = await make.user(adminWorld.world.db);
    await adminWorld.ask('post', `/admin/users/${user.id}/suspend`, { reason: 'Spam.' });
    await adminWorld.ask(
      'post',
      `/admin/users/${user.id}/ban`,
      { reason: 'Fraud.' },
      adminWorld.tokens.superAdmin,
    );
    expect(outcomeOf(await unban(user.id))).toBe('200');
    expect(await logIn(adminWorld.world, user)).toBeTruthy();
  });

  test('VALIDATION_ERROR for a user who is not banned', async () => {
    for (const status of ['ACTIVE', 'SUSPENDED', 'PENDING_VERIFICATION'] as const)
      expect(outcomeOf(await unban((await make.user(adminWorld.world.db, { status })).id))).toBe(
        '400 VALIDATION_ERROR',
      );
  });

  test('CANNOT_MODIFY_SUPER_ADMIN also for one who is banned', async () => {
    const other = await make.superAdmin(adminWorld.world.db, { status: 'BANNED' });
    expect(outcomeOf(await unban(other.id))).toBe('403 CANNOT_MODIFY_SUPER_ADMIN');
  });

  test('USER_NOT_FOUND, and for a SUPER_ADMIN only', async () => {
    expect(outcomeOf(await unban(randomUUID()))).toBe('404 USER_NOT_FOUND');
    expect(outcomeOf(await unban(adminWorld.user.id, {}, null))).toBe('401 UNAUTHORIZED');
    for (const token of [adminWorld.tokens.user, adminWorld.tokens.admin])
      expect(outcomeOf(await unban(adminWorld.user.id, {}, token))).toBe('403 FORBIDDEN');
  });
});

describe('protected accounts', () => {
  const decide = (decision: 'activate' | 'unban' | 'ban' | 'suspend', { id }: User, token: string) =>
    adminWorld.ask('post', `/admin/users/${id}/${decision}`, { reason: 'x' }, token);
  const put = async (user: User, status: 'SUSPENDED' | 'BANNED'): Promise<User> => {
    await execute(
      adminWorld.world.db,
      `UPDATE users SET status = $2, suspended_at = CASE $2 WHEN 'SUSPENDED' THEN now() END WHERE id = $1`,
      [user.id, status],
    );
    return user;
  };
  const statusOf = async ({ id }: User) =>
    (await firstRow<{ status: string }>(adminWorld.world.db, 'SELECT status FROM users WHERE id = $1', [id]))!
      .status;

  test('an ADMIN who is suspended is activated by a SUPER_ADMIN only', async () => {
    const { admin, superAdmin } = adminWorld.tokens;
    const colleague = await put(await make.admin(adminWorld.world.db), 'SUSPENDED');
    expect(outcomeOf(await decide('activate', colleague, admin))).toBe('403 FORBIDDEN');
    expect(await statusOf(colleague)).toBe('SUSPENDED');
    expect(outcomeOf(await decide('activate', colleague, superAdmin))).toBe('200');
  });

  test('a SUPER_ADMIN is neither activated, unbanned, banned nor suspended, in any status and by any administrator', async () => {
    const { admin, superAdmin } = adminWorld.tokens;
    const suspended = await put(await make.superAdmin(adminWorld.world.db), 'SUSPENDED');
    const banned = await put(await make.superAdmin(adminWorld.world.db), 'BANNED');
    const active = await make.superAdmin(adminWorld.world.db);
    for (const person of [suspended, banned, active, adminWorld.superAdmin]) {
      for (const token of [admin, superAdmin]) {
        expect(outcomeOf(await decide('activate', person, token))).toBe('403 CANNOT_MODIFY_SUPER_ADMIN');
        expect(outcomeOf(await decide('suspend', person, token))).toBe('403 CANNOT_SUSPEND_ADMIN');
      }
      expect(outcomeOf(await decide('unban', person, superAdmin))).toBe('403 CANNOT_MODIFY_SUPER_ADMIN');
      expect(outcomeOf(await decide('ban', person, superAdmin))).toBe('403 CANNOT_MODIFY_SUPER_ADMIN');
    }
    expect(await Promise.all([suspended, banned, active].map(statusOf))).toEqual([
      'SUSPENDED',
      'BANNED',
      'ACTIVE',
    ]);
    const audited = await rows(
      adminWorld.world.db,
      'SELECT 1 FROM audit_records WHERE entity_id = ANY ($1)',
      [[suspended, banned, active].map(({ id }) => id)],
    );
    expect(audited).toEqual([]);
  });

  test('nobody activates an own account', async () => {
    expect(outcomeOf(await decide('activate', adminWorld.admin, adminWorld.tokens.admin))).toBe(
      '403 FORBIDDEN',
    );
  });

  test('an erased account stays closed', async () => {
    const user = await make.user(adminWorld.world.db);
    await inTransaction(adminWorld.world.db, (tx) => eraseAccount(tx, user.id, new Date()));
    const answer = await decide('unban', user, adminWorld.tokens.superAdmin);
    expect([outcomeOf(answer), answer.body.error.reason]).toEqual(['400 VALIDATION_ERROR', 'ACCOUNT_ERASED']);
  });
});
