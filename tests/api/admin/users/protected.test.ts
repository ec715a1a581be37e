import { eraseAccount } from '../../../../db/identity/account-deletion/erasure.transitions';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import type { User } from '../../../support/builders/make/people';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld();
});
afterAll(() => adminWorld.world.teardown());

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
  const audited = await rows(adminWorld.world.db, 'SELECT 1 FROM audit_records WHERE entity_id = ANY ($1)', [
    [suspended, banned, active].map(({ id }) => id),
  ]);
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
  expect([outcomeOf(answer), Object.keys(answer.body.error.details)]).toEqual([
    '400 VALIDATION_ERROR',
    ['id'],
  ]);
});
