import { eraseAccount } from '../../../../db/identity/account-deletion/erasure.transitions';
import { execute, firstRow, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import type { User } from '../../../support/builders/make/people';
import { startOffice, verdict, type Office } from '../office';

let office: Office;
beforeAll(async () => {
  office = await startOffice();
});
afterAll(() => office.world.teardown());

const decide = (decision: 'activate' | 'unban' | 'ban' | 'suspend', { id }: User, token: string) =>
  office.ask('post', `/admin/users/${id}/${decision}`, { reason: 'x' }, token);
const put = async (user: User, status: 'SUSPENDED' | 'BANNED'): Promise<User> => {
  await execute(
    office.world.db,
    `UPDATE users SET status = $2, suspended_at = CASE $2 WHEN 'SUSPENDED' THEN now() END WHERE id = $1`,
    [user.id, status],
  );
  return user;
};
const statusOf = async ({ id }: User) =>
  (await firstRow<{ status: string }>(office.world.db, 'SELECT status FROM users WHERE id = $1', [id]))!
    .status;

test('an ADMIN who is suspended is activated by a SUPER_ADMIN only', async () => {
  const { admin, superAdmin } = office.tokens;
  const colleague = await put(await make.admin(office.world.db), 'SUSPENDED');
  expect(verdict(await decide('activate', colleague, admin))).toBe('403 FORBIDDEN');
  expect(await statusOf(colleague)).toBe('SUSPENDED');
  expect(verdict(await decide('activate', colleague, superAdmin))).toBe('200');
});

test('a SUPER_ADMIN is neither activated, unbanned, banned nor suspended, in any status and by any administrator', async () => {
  const { admin, superAdmin } = office.tokens;
  const suspended = await put(await make.superAdmin(office.world.db), 'SUSPENDED');
  const banned = await put(await make.superAdmin(office.world.db), 'BANNED');
  const active = await make.superAdmin(office.world.db);
  for (const person of [suspended, banned, active, office.superAdmin]) {
    for (const token of [admin, superAdmin]) {
      expect(verdict(await decide('activate', person, token))).toBe('403 CANNOT_MODIFY_SUPER_ADMIN');
      expect(verdict(await decide('suspend', person, token))).toBe('403 CANNOT_SUSPEND_ADMIN');
    }
    expect(verdict(await decide('unban', person, superAdmin))).toBe('403 CANNOT_MODIFY_SUPER_ADMIN');
    expect(verdict(await decide('ban', person, superAdmin))).toBe('403 CANNOT_MODIFY_SUPER_ADMIN');
  }
  expect(await Promise.all([suspended, banned, active].map(statusOf))).toEqual([
    'SUSPENDED',
    'BANNED',
    'ACTIVE',
  ]);
  const audited = await rows(office.world.db, 'SELECT 1 FROM audit_records WHERE entity_id = ANY ($1)', [
    [suspended, banned, active].map(({ id }) => id),
  ]);
  expect(audited).toEqual([]);
});

test('nobody activates an own account', async () => {
  expect(verdict(await decide('activate', office.admin, office.tokens.admin))).toBe('403 FORBIDDEN');
});

test('an erased account stays closed', async () => {
  const user = await make.user(office.world.db);
  await inTransaction(office.world.db, (tx) => eraseAccount(tx, user.id, new Date()));
  const answer = await decide('unban', user, office.tokens.superAdmin);
  expect([verdict(answer), Object.keys(answer.body.error.details)]).toEqual(['400 VALIDATION_ERROR', ['id']]);
});
